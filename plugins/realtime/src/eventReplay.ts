import type { Hex } from '@causeway/core'
import {
  type DatabasePool,
  EVENT_COLUMNS,
  type EventRow,
  IS_TOLD,
  type OutboxCursor,
  type OutboxEvent,
  PRESENT_EVENT_COLUMNS,
  toBytea,
  toOutboxEvent,
} from '@causeway/core/plugin'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Topic } from './eventFeed.js'

export interface EventReplayDeps {
  readonly pool: DatabasePool
  /** Questions under way at a time: a storm of clients must leave connections to the payments. Default 3. */
  readonly concurrency?: number
}

/** Events of one batch. */
export const REPLAY_PAGE = 200

const BETWEEN = `(e.xid, e.seq) > ($2::xid8, $3::bigint) and (e.xid, e.seq) <= ($4::xid8, $5::bigint) and ${IS_TOLD}`

const OF_REQUEST = {
  name: 'realtime_of_request',
  text: `select ${EVENT_COLUMNS} from request_events e where e.request_id = $1 and ${BETWEEN} order by e.xid, e.seq limit $6`,
}

const OF_KEY = {
  name: 'realtime_of_key',
  text: `select ${EVENT_COLUMNS} from request_events e where e.api_key_id = $1 and ${BETWEEN} order by e.xid, e.seq limit $6`,
}

const LATEST = {
  name: 'realtime_latest',
  // Events are dropped after their time; the request itself says the same.
  text: `(select ${EVENT_COLUMNS} from request_events e where e.request_id = $1 and (e.xid, e.seq) <= ($2::xid8, $3::bigint)
    and ${IS_TOLD} order by e.version desc limit 1)
    union all (select ${PRESENT_EVENT_COLUMNS} from requests m where m.id = $1 and m.event_xid < $2::xid8 and m.superseded_by is null)
    limit 1`,
}

/** Reads what lies before the position of the feed: the last event of a request, and what a client missed. */
export class EventReplay {
  readonly #pool: DatabasePool
  readonly #limit: LimitFunction

  constructor({ pool, concurrency = 3 }: EventReplayDeps) {
    this.#pool = pool
    this.#limit = pLimit(concurrency)
  }

  /** The last event of a request up to a place; null without one. */
  async latest(requestId: Hex, upTo: OutboxCursor): Promise<OutboxEvent | null> {
    const values = [toBytea(requestId), upTo.xid.toString(), upTo.seq.toString()]
    return (await this.#read({ ...LATEST, values })).at(0) ?? null
  }

  /** Events of a topic after one place and up to another, at most `REPLAY_PAGE`. */
  between(topic: Topic, after: OutboxCursor, upTo: OutboxCursor): Promise<readonly OutboxEvent[]> {
    const [kind, name = ''] = topic.split(' ')
    const of = kind === 'key' ? { ...OF_KEY, value: name } : { ...OF_REQUEST, value: toBytea(name as Hex) }
    const range = [after.xid, after.seq, upTo.xid, upTo.seq].map(String)
    return this.#read({ name: of.name, text: of.text, values: [of.value, ...range, REPLAY_PAGE] })
  }

  async #read(query: { name: string; text: string; values: unknown[] }): Promise<readonly OutboxEvent[]> {
    const { rows } = await this.#limit(() => this.#pool.query<EventRow>(query))
    return rows.map(toOutboxEvent)
  }
}
