import type { Hex } from '@causeway/core'
import type { OutboxCursor, OutboxEvent, OutboxReader } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { EventFeed } from './eventFeed.js'

const REQUEST: Hex = `0x${'1'.repeat(64)}`

const at = (seq: bigint): OutboxCursor => ({ xid: 1n, seq })

const eventAt = (seq: bigint): OutboxEvent => ({
  cursor: at(seq),
  requestId: REQUEST,
  version: Number(seq),
  status: 'pending',
  apiKeyId: 'key',
  integratorId: null,
  createdAt: 0,
  payload: '{}',
})

/** A feed that read two events, of a request of a key, while somebody held it. */
const readFeed = async (): Promise<{ readonly feed: EventFeed; stop(): Promise<void> }> => {
  const batches = [[eventAt(1n), eventAt(2n)]]
  const after = async (from: OutboxCursor) => {
    const events = batches.shift() ?? []
    return { events, full: false, end: events.at(-1)?.cursor ?? from, unsettled: false }
  }
  // CAST: of a reader the feed uses these alone.
  const reader = { after, end: async () => at(0n) } as unknown as OutboxReader
  const feed = new EventFeed({ reader, notifier: { on: () => undefined } })
  const over = new AbortController()
  feed.hold()
  const running = feed.run(over.signal)
  expect(await feed.reached(at(2n), 10_000)).toEqual(at(2n))
  return {
    feed,
    stop: async () => {
      over.abort()
      await running
    },
  }
}

it('tells who joins a topic nothing that another of its topics told it while it was about to join', async () => {
  const { feed, stop } = await readFeed()
  const told: bigint[] = []
  const listener = { tell: ({ cursor }: OutboxEvent) => void told.push(cursor.seq) }
  expect(feed.join('key key', at(0n), listener)).toBe(true)
  expect(told).toEqual([1n, 2n])
  // It asked for the request before the feed had read the second event.
  expect(feed.join(`request ${REQUEST}`, at(1n), listener)).toBe(true)
  expect(told).toEqual([1n, 2n])
  await stop()
})

it('tells who joins a topic what came before its other topics began', async () => {
  const { feed, stop } = await readFeed()
  const told: bigint[] = []
  const listener = { tell: ({ cursor }: OutboxEvent) => void told.push(cursor.seq) }
  feed.join('key key', at(1n), listener)
  feed.join(`request ${REQUEST}`, at(0n), listener)
  expect(told).toEqual([2n, 1n])
  await stop()
})
