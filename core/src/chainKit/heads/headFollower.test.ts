import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import { HeadPace } from '../endpoints/monitor/headPace.js'
import { HeadFollower, type HeadFollowerDeps } from './headFollower.js'

const POLL_MS = 1000

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000_000_000 }))
afterEach(() => void vi.useRealTimers())

const head = (height: number, hash = `block ${height}`): BlockRef => ({
  height: BigInt(height),
  hash,
  time: Math.floor(Date.now() / 1000),
})

/** A follower of a node whose head is `node.head`; `live`: a websocket is open. */
const follow = (options: Partial<HeadFollowerDeps<BlockRef>> = {}) => {
  const node = { head: head(1), asked: 0, live: false, failing: false, answers: null as Promise<void> | null }
  const warned: string[] = []
  const write = (line: string) => void warned.push(JSON.parse(line).msg)
  const follower = new HeadFollower<BlockRef>({
    read: async () => {
      node.asked += 1
      await node.answers
      if (node.failing) throw new ServiceError('RPC_HTTP_ERROR', 'No node answers.')
      return node.head
    },
    pace: new HeadPace(POLL_MS),
    pollIntervalMs: POLL_MS,
    isLive: () => node.live,
    logger: pino({ level: 'warn' }, { write }),
    ...options,
  })
  const seen: number[] = []
  follower.onHead(({ height }) => void seen.push(Number(height)))
  return { node, follower, seen, warned }
}

/** One that polls, and has polled once. */
const started = async (options: Partial<HeadFollowerDeps<BlockRef>> = {}) => {
  const world = follow(options)
  world.follower.start()
  await vi.advanceTimersByTimeAsync(0)
  return world
}

describe('asking', () => {
  test('one question however many ask at once, and a failed one is asked anew', async () => {
    const { node, follower } = follow()
    const heads = await Promise.all([follower.tip(), follower.refresh(), follower.tip()])
    expect(heads).toEqual([node.head, node.head, node.head])
    expect(node.asked).toBe(1)
    node.failing = true
    await expect(Promise.all([follower.refresh(), follower.refresh()])).rejects.toThrow('No node answers.')
    expect(node.asked).toBe(2)
    node.failing = false
    await expect(follower.refresh()).resolves.toEqual(node.head)
  })

  test('the tip is told from memory while it is fresh, and never while nobody follows', async () => {
    const { node, follower } = await started({ pollIntervalMs: 10_000, freshMs: 500 })
    node.head = head(2)
    await vi.advanceTimersByTimeAsync(500)
    expect((await follower.tip()).height).toBe(1n)
    await vi.advanceTimersByTimeAsync(1)
    expect((await follower.tip()).height).toBe(2n)
    node.head = head(3)
    follower.stop()
    expect((await follower.tip()).height).toBe(3n)
  })

  test('a chain that stands still for too long is not available, though its head is known', async () => {
    const { follower } = await started({ maxHeadAgeSeconds: 60 })
    await vi.advanceTimersByTimeAsync(60_000)
    await expect(follower.tip()).resolves.toMatchObject({ height: 1n })
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(follower.tip()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(follower.latest).toMatchObject({ height: 1n })
  })
})

describe('polling', () => {
  test('each new head is told once, after a failure too, until the stop', async () => {
    const { node, follower, seen, warned } = await started()
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(seen).toEqual([1])
    node.failing = true
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(warned).toEqual(['The head of the chain could not be read'])
    node.failing = false
    node.head = head(3)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(seen).toEqual([1, 3])
    follower.stop()
    node.head = head(4)
    await vi.advanceTimersByTimeAsync(10 * POLL_MS)
    expect(seen).toEqual([1, 3])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a block in the place of another of the same height is new', async () => {
    const { node, seen } = await started()
    node.head = head(1, 'another')
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(seen).toEqual([1, 1])
  })

  test('a listener hears nothing after its signal aborted', async () => {
    const { node, follower } = await started()
    const stop = new AbortController()
    const heard: bigint[] = []
    follower.onHead(({ height }) => void heard.push(height), stop.signal)
    node.head = head(2)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    stop.abort()
    follower.onHead(({ height }) => void heard.push(height), stop.signal)
    node.head = head(3)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(heard).toEqual([2n])
  })

  test('a question that was open when it was stopped is no trouble of the chain', async () => {
    const { node, follower, warned } = await started()
    let answer = () => {}
    node.answers = new Promise((resolve) => {
      answer = resolve
    })
    await vi.advanceTimersByTimeAsync(POLL_MS)
    node.failing = true
    follower.stop()
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(warned).toEqual([])
  })

  test('started again while a question of before is open, it polls once per interval', async () => {
    const { node, follower } = await started()
    let answer = () => {}
    node.answers = new Promise((resolve) => {
      answer = resolve
    })
    await vi.advanceTimersByTimeAsync(POLL_MS)
    follower.stop()
    follower.start()
    await vi.advanceTimersByTimeAsync(0)
    answer()
    node.answers = null
    await vi.advanceTimersByTimeAsync(0)
    const before = node.asked
    await vi.advanceTimersByTimeAsync(10 * POLL_MS)
    expect(node.asked - before).toBe(10)
  })
})

describe('what is believed (F131)', () => {
  test('a head that goes back is what a lagging node sees, until nothing else follows for five seconds', async () => {
    const { node, follower, seen } = await started({ freshMs: 0 })
    node.head = head(10)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    node.head = head(7)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect((await follower.refresh()).height).toBe(7n)
    expect(follower.latest?.height).toBe(10n)
    await vi.advanceTimersByTimeAsync(5 * POLL_MS)
    expect(follower.latest?.height).toBe(7n)
    expect(seen).toEqual([1, 10, 7])
  })

  test('an invented head is not told as the tip, nor to listeners, for thirty seconds', async () => {
    const { node, follower, seen } = await started()
    node.head = head(50_000)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect((await follower.refresh()).height).toBe(1n)
    expect((await follower.tip()).height).toBe(1n)
    await vi.advanceTimersByTimeAsync(28 * POLL_MS)
    expect(seen).toEqual([1])
    await vi.advanceTimersByTimeAsync(3 * POLL_MS)
    expect(seen).toEqual([1, 50_000])
  })

  test('what rides along with heads is merged from those that are believed alone', async () => {
    interface Marked extends BlockRef {
      readonly final: number
    }
    let shown: Marked = { ...head(10), final: 5 }
    const { logger, pace } = { logger: pino({ level: 'silent' }), pace: new HeadPace(POLL_MS) }
    const merge = (now: Marked, known: Marked | null) => ({ ...now, final: Math.max(now.final, known?.final ?? 0) })
    const read = async () => shown
    const follower = new HeadFollower<Marked>({ read, merge, pace, pollIntervalMs: POLL_MS, logger })
    await follower.refresh()
    shown = { ...head(50_000), final: 49_000 }
    await follower.refresh()
    expect(follower.latest?.final).toBe(5)
    // The same block again, with a newer mark; then the next block with an older one.
    shown = { ...head(10), final: 7 }
    await follower.refresh()
    expect(follower.latest?.final).toBe(7)
    shown = { ...head(11), final: 6 }
    await follower.refresh()
    expect(follower.latest).toMatchObject({ height: 11n, final: 7 })
  })
})

describe('websockets', () => {
  test('while heads are pushed, nobody polls but as a net, and the tip needs no question', async () => {
    const { node, follower, seen } = await started()
    node.live = true
    for (let height = 2; height <= 11; height++) {
      follower.push(head(height))
      expect((await follower.tip()).height).toBe(BigInt(height))
      await vi.advanceTimersByTimeAsync(POLL_MS)
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    // At the start, and every five seconds.
    expect(node.asked).toBe(3)
  })

  test('one that is open and says nothing for twice the usual time is no reason not to ask', async () => {
    const { node, follower } = await started()
    node.live = true
    follower.push(head(2))
    expect(follower.isTold).toBe(true)
    node.head = head(5)
    await vi.advanceTimersByTimeAsync(2 * POLL_MS)
    expect([follower.isTold, follower.latest?.height]).toEqual([true, 2n])
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect([follower.isTold, follower.latest?.height]).toEqual([false, 5n])
  })

  test('one that is closed, or pushes heads that are not believed, tells nothing', async () => {
    const { node, follower } = await started()
    follower.push(head(2))
    expect(follower.isTold).toBe(false)
    node.live = true
    await vi.advanceTimersByTimeAsync(3 * POLL_MS)
    follower.push(head(1))
    follower.push(head(50_000))
    expect(follower.isTold).toBe(false)
    expect(follower.latest?.height).toBe(2n)
  })

  test('announcements cause one reading at a time, and one more for all that came during it', async () => {
    const { node, follower, seen, warned } = await started({ pollIntervalMs: 60_000 })
    node.live = true
    let answer = () => {}
    node.answers = new Promise((resolve) => {
      answer = resolve
    })
    for (let times = 0; times < 4; times++) follower.announce()
    expect([node.asked, follower.isTold]).toEqual([2, true])
    node.head = head(2)
    node.answers = null
    answer()
    await vi.advanceTimersByTimeAsync(100)
    expect(node.asked).toBe(3)
    expect(seen).toEqual([1, 2])
    node.failing = true
    follower.announce()
    await vi.advanceTimersByTimeAsync(100)
    expect(warned).toHaveLength(1)
  })

  test('F160: a flood of announcements causes ten readings a second, and the last one is not lost', async () => {
    const { node, follower } = await started({ pollIntervalMs: 60_000 })
    node.live = true
    const before = node.asked
    for (let times = 0; times < 1000; times++) {
      follower.announce()
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(node.asked - before).toBeLessThanOrEqual(11)
    node.head = head(2)
    follower.announce()
    await vi.advanceTimersByTimeAsync(100)
    expect(follower.latest?.height).toBe(2n)
    follower.announce()
    follower.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
