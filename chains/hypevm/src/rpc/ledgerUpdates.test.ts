import { describe, expect, it } from 'vitest'
import type { Asked } from './exchangeNode.js'
import { askUpdates } from './ledgerUpdates.js'

interface Update {
  readonly time: number
  readonly hash: string
  readonly delta: { readonly type: string }
}

const update = (time: number, number: number): Update => ({
  ...{ time, hash: `0x${number.toString(16).padStart(64, '0')}`, delta: { type: 'deposit' } },
})

/** A server with a list of an account, whose answers hold so many updates. */
const serverOf = (updates: readonly Update[], mostListed: number) => {
  let asked = 0
  const rest = {
    post: async (_: string, body: { startTime: number; endTime: number }, read: (answer: unknown) => unknown) => {
      asked += 1
      const listed = updates.filter(({ time }) => time >= body.startTime && time <= body.endTime)
      return read(listed.slice(0, mostListed))
    },
  }
  // CAST: the one member that is used.
  const node = {
    ask: (question: (client: unknown, signal: AbortSignal) => unknown) => question(rest, new AbortController().signal),
  } as unknown as Asked
  return { node, asked: () => asked }
}

const range = { user: `0x${'11'.repeat(20)}`, from: 1, upTo: 1000 }

describe('a list of an account is read without a gap', () => {
  const updates = [1, 5, 5, 5, 6, 6, 9, 1000].map(update)

  it.each([3, 4, 5, 500])('by answers of %i updates', async (mostListed) => {
    expect((await askUpdates(serverOf(updates, mostListed).node, range)).map(({ time }) => time)).toEqual(
      updates.map(({ time }) => time),
    )
  })

  it('one update takes one question', async () => {
    const { node, asked } = serverOf([update(7, 1)], 500)
    expect(await askUpdates(node, range)).toHaveLength(1)
    expect(asked()).toBe(1)
  })

  it('and stops where one millisecond holds more than an answer', async () => {
    const crowd = Array.from({ length: 501 }, (_, at) => update(7, at))
    await expect(askUpdates(serverOf(crowd, 500).node, range)).rejects.toThrow(/500 transfers of one millisecond/)
  })

  it('and refuses what is out of order, or of another time', async () => {
    for (const wrong of [
      [update(9, 1), update(8, 2)],
      [update(2000, 1), update(2001, 2)],
    ]) {
      const rest = { post: async (_: string, __: unknown, read: (answer: unknown) => unknown) => read(wrong) }
      // CAST: the one member that is used.
      const node = {
        ask: (question: (client: unknown, signal: AbortSignal) => unknown) =>
          question(rest, new AbortController().signal),
      } as unknown as Asked
      await expect(askUpdates(node, range)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    }
  })
})
