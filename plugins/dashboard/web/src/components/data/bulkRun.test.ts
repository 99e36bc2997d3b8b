import { describe, expect, it } from 'vitest'
import { type BulkRun, type ItemState, runAll } from './bulkRun.js'

class Refused extends Error {
  constructor(readonly kind: 'refused' | 'over' | 'busy') {
    super(kind)
  }
}

const kindOf = (error: unknown) => (error instanceof Refused ? error.kind : null)

/** A run over numbers that keeps what it did and reported. */
const newRun = (act: (item: number, times: number) => string, more: Partial<BulkRun<number>> = {}) => {
  const acted: number[] = []
  const states = new Map<number, ItemState>()
  const control = new AbortController()
  let pauses = 0
  const run: BulkRun<number> = {
    act: async (item) => {
      acted.push(item)
      return act(item, acted.filter((each) => each === item).length)
    },
    report: (item, state) => states.set(item, state),
    isOver: (error) => kindOf(error) === 'over',
    isBusy: (error) => kindOf(error) === 'busy',
    reasonOf: (error) => `why: ${kindOf(error)}`,
    pause: async () => {
      pauses += 1
    },
    signal: control.signal,
    ...more,
  }
  return {
    run,
    acted,
    control,
    pauses: () => pauses,
    shown: () => [...states].map(([item, { state }]) => [item, state]),
    states,
  }
}

const refuse = (kind: 'refused' | 'over' | 'busy'): never => {
  throw new Refused(kind)
}

describe('an action over several items', () => {
  it('does each once, in order, one at a time, and keeps what the service says', async () => {
    let running = 0
    const { run, acted, states } = newRun(() => '', {
      act: async (item) => {
        running += 1
        expect(running).toBe(1)
        acted.push(item)
        await Promise.resolve()
        running -= 1
        return `did ${item}`
      },
    })
    expect(await runAll([1, 2, 3], run)).toBeNull()
    expect(acted).toEqual([1, 2, 3])
    expect([...states.values()]).toEqual([1, 2, 3].map((item) => ({ state: 'done', says: `did ${item}` })))
  })

  it('goes on after a refusal and keeps its reason', async () => {
    const { run, shown, states } = newRun((item) => (item === 2 ? refuse('refused') : ''))
    expect(await runAll([1, 2, 3], run)).toBeNull()
    expect(shown()).toEqual([
      [1, 'done'],
      [2, 'refused'],
      [3, 'done'],
    ])
    expect(states.get(2)?.says).toBe('why: refused')
  })

  it('ends when the session is over, and leaves that item and the rest as not started', async () => {
    const { run, acted, shown } = newRun((item) => (item === 2 ? refuse('over') : ''))
    expect(await runAll([1, 2, 3], run)).toBe('why: over')
    expect(acted).toEqual([1, 2])
    expect(shown()).toEqual([
      [1, 'done'],
      [2, 'waiting'],
    ])
  })

  it('waits where the limit of calls is reached, and does the same item then', async () => {
    const { run, acted, shown, pauses } = newRun((item, times) => (item === 1 && times < 3 ? refuse('busy') : ''))
    await runAll([1, 2], run)
    expect([acted, pauses()]).toEqual([[1, 1, 1, 2], 2])
    expect(shown()).toEqual([
      [1, 'done'],
      [2, 'done'],
    ])
  })

  it('gives up an item whose limit stays reached', async () => {
    const { run, shown, pauses } = newRun((item) => (item === 1 ? refuse('busy') : ''))
    await runAll([1, 2], run)
    expect(pauses()).toBe(20)
    expect(shown()).toEqual([
      [1, 'refused'],
      [2, 'done'],
    ])
  })

  it('ends after the item in progress when it is told to stop', async () => {
    const { run, control, shown } = newRun((item) => {
      if (item === 2) control.abort()
      return ''
    })
    expect(await runAll([1, 2, 3], run)).toBeNull()
    expect(shown()).toEqual([
      [1, 'done'],
      [2, 'done'],
    ])
  })
})
