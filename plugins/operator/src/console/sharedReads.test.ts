import { ActionRefusedError, type Command } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { SharedReads } from './sharedReads.js'

const ALL = { arguments: [], options: {} }

/** A read that ends when it is told to. */
const slowRead = (more: Partial<Command> = {}) => {
  const ends: (() => void)[] = []
  const command: Command = {
    name: 'count',
    description: 'Counts its runs',
    options: [{ flags: '--json', description: 'JSON' }],
    console: 'read',
    run: async ({ print }) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      print(JSON.stringify({ run: ends.length }, null, 2))
    },
    ...more,
  }
  return { command, ends }
}

const clock = () => {
  const time = { now: 0 }
  return { time, reads: new SharedReads({ now: () => time.now }) }
}

describe('reads of the consoles', () => {
  it('of the same at the same time are one run, and its answer lasts from when it is there', async () => {
    const { time, reads } = clock()
    const { command, ends } = slowRead({ freshMs: 1_000 })
    const asked = Array.from({ length: 100 }, () => reads.read({ command, ...ALL }))
    await expect.poll(() => ends.length).toBe(1)
    time.now = 5_000
    ends[0]?.()
    const [first, ...others] = await Promise.all(asked)
    expect(first?.text).toBe('{"lines":[],"result":{"run":1},"refusal":null}')
    for (const other of others) expect(other).toBe(first)
    time.now = 5_999
    expect(await reads.read({ command, ...ALL })).toBe(first)
    time.now = 6_000
    const next = reads.read({ command, ...ALL })
    await expect.poll(() => ends.length).toBe(2)
    ends[1]?.()
    expect((await next).text).toContain('"run":2')
  })

  it('with other arguments or options are others', async () => {
    const { reads } = clock()
    const { command, ends } = slowRead()
    const asked = [
      reads.read({ command, ...ALL }),
      reads.read({ command, arguments: ['1'], options: {} }),
      reads.read({ command, arguments: [], options: { limit: '1' } }),
    ]
    await expect.poll(() => ends.length).toBe(3)
    for (const end of ends) end()
    expect(new Set(await Promise.all(asked)).size).toBe(3)
  })

  it('are made few at once, and beyond a bound refused with 503', async () => {
    const { reads } = clock()
    const { command, ends } = slowRead()
    const asked = Array.from({ length: 105 }, (_, at) => reads.read({ command, arguments: [String(at)], options: {} }))
    await expect(asked[104]).rejects.toMatchObject({ status: 503 })
    await expect.poll(() => ends.length).toBe(4)
    for (let at = 0; at < 104; at += 1) {
      await expect.poll(() => ends.length).toBeGreaterThan(at)
      ends[at]?.()
    }
    expect(await Promise.all(asked.slice(0, 104))).toHaveLength(104)
    expect(ends).toHaveLength(104)
  })

  it('a check that fails after it has told its findings is an answer; one that tells nothing is a refusal, never kept', async () => {
    const { reads } = clock()
    let runs = 0
    const fails = (says: boolean): Command => ({
      ...slowRead().command,
      name: `check ${says}`,
      run: async ({ print }) => {
        runs += 1
        if (says) print('{"ok":false}')
        throw new ActionRefusedError('It failed.')
      },
    })
    expect((await reads.read({ command: fails(true), ...ALL })).text).toBe(
      '{"lines":[],"result":{"ok":false},"refusal":"It failed."}',
    )
    const silent = fails(false)
    for (let turn = 0; turn < 2; turn += 1)
      await expect(reads.read({ command: silent, ...ALL })).rejects.toMatchObject({
        status: 409,
        message: 'It failed.',
      })
    expect(runs).toBe(3)
  })

  it('an answer without end is refused', async () => {
    const { reads } = clock()
    const endless: Command = {
      ...slowRead().command,
      run: async ({ print }) => {
        for (;;) print('x'.repeat(1_000_000))
      },
    }
    await expect(reads.read({ command: endless, ...ALL })).rejects.toMatchObject({ status: 409 })
  })
})
