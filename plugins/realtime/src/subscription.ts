import type { Hex } from '@causeway/core'
import type { OutboxCursor, OutboxEvent } from '@causeway/core/plugin'
import { BadMessage } from './clientMessage.js'
import type { EventFeed, FeedListener, Topic } from './eventFeed.js'
import { type EventReplay, REPLAY_PAGE } from './eventReplay.js'

/** Who hears a subscription. */
export interface Audience {
  readonly listener: FeedListener
  /** The stream begins at this place. */
  begins(at: OutboxCursor): void
  /** Resolves when there is room for more, so that a long history waits for its client. Rejects when the client is gone. */
  drained(): Promise<void>
}

export interface SubscriptionDeps {
  readonly feed: EventFeed
  readonly replay: EventReplay
}

/** The events cannot be read now. */
export class FeedAway extends Error {
  override readonly name = 'FeedAway'
}

/** How long the feed may take to begin, and another host's event to arrive here. */
const BEGIN_MS = 5_000
const CURSOR_MS = 2_000

/**
 * Brings an audience to a topic. With a cursor it is told everything after it; without one, of a request, the last event unless
 * that says `waiting` (wire.md H.4). Then it hears what comes, with no gap and nothing twice, until `feed.leave`.
 * @throws BadMessage for a cursor that is not of this service; FeedAway
 */
export const beginSubscription = async (
  deps: SubscriptionDeps,
  { topic, cursor }: { readonly topic: Topic; readonly cursor: OutboxCursor | null },
  audience: Audience,
): Promise<void> => {
  const release = deps.feed.hold()
  try {
    const position = await deps.feed.reached(null, BEGIN_MS)
    if (position === null) throw new FeedAway('The events cannot be read.')
    // Another host may be a little ahead of this one.
    if (cursor !== null && (await deps.feed.reached(cursor, CURSOR_MS)) === null) {
      throw new BadMessage('"cursor" is not known here; subscribe without it')
    }
    audience.begins(cursor ?? position)
    if (cursor === null) await tellLatest(deps, topic, position, audience)
    await catchUp(deps, topic, cursor ?? position, audience)
  } finally {
    release()
  }
}

const tellLatest = async (
  { replay }: SubscriptionDeps,
  topic: Topic,
  upTo: OutboxCursor,
  audience: Audience,
): Promise<void> => {
  if (!topic.startsWith('request ')) return
  const latest = await replay.latest(topic.slice('request '.length) as Hex, upTo)
  if (latest !== null && latest.status !== 'waiting') audience.listener.tell(latest)
}

const catchUp = async (
  { feed, replay }: SubscriptionDeps,
  topic: Topic,
  from: OutboxCursor,
  audience: Audience,
): Promise<void> => {
  let at = from
  while (!feed.join(topic, at, audience.listener)) {
    const upTo = feed.position
    if (upTo === null) throw new FeedAway('The events are not read.')
    const missed: readonly OutboxEvent[] = await replay.between(topic, at, upTo)
    for (const event of missed) {
      audience.listener.tell(event)
      await audience.drained()
    }
    at = missed.length === REPLAY_PAGE ? (missed.at(-1)?.cursor ?? upTo) : upTo
  }
}
