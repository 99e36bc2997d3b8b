import type { Hex } from '@causeway/core'
import { type Caller, decodeCursor, type OutboxCursor, STATUS_EVENT } from '@causeway/core/plugin'
import type { Topic } from './eventFeed.js'

/** What a client asks for. `filters` is as it was sent, for the answer. */
export type ClientMessage =
  | {
      readonly type: 'subscribe'
      readonly topic: Topic
      readonly filters: object
      /** Continue behind this event. */
      readonly cursor: OutboxCursor | null
    }
  /** Without a topic all subscriptions end. */
  | { readonly type: 'unsubscribe'; readonly topic: Topic | null }

/** A message that cannot be served; the text is for the client. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage'
}

/** A message of which no more is known than what it is to be. */
export interface TypedMessage {
  readonly type: ClientMessage['type']
  readonly [field: string]: unknown
}

const HASH = /^0x[0-9a-f]{64}$/i

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadMessage('The message is not JSON')
  }
}

/** What a message is to be. @throws BadMessage */
export const readType = (text: string): TypedMessage => {
  const message = parse(text)
  if (!isObject(message)) throw new BadMessage('The message is not an object')
  const { type } = message
  if (type !== 'subscribe' && type !== 'unsubscribe') throw new BadMessage('"type" must be subscribe or unsubscribe')
  return { ...message, type }
}

/**
 * Reads a message of a client: the caller decides what an absent id means. Unknown fields beside the known ones are ignored,
 * unknown filters are not. @throws BadMessage
 */
export const readClientMessage = ({ type, event, filters, cursor }: TypedMessage, caller: Caller): ClientMessage => {
  if (event !== STATUS_EVENT) throw new BadMessage(`"event" must be ${STATUS_EVENT}`)
  const given = filters ?? {}
  if (!isObject(given)) throw new BadMessage('"filters" must be an object')
  if (type === 'unsubscribe') return { type, topic: filters === undefined ? null : topicOf(given, caller) }
  return { type, topic: topicOf(given, caller), filters: given, cursor: cursorOf(cursor) }
}

const topicOf = (filters: Readonly<Record<string, unknown>>, caller: Caller): Topic => {
  const unknown = Object.keys(filters).filter((name) => name !== 'id')
  if (unknown.length > 0) throw new BadMessage('"filters" knows only "id"')
  const { id } = filters
  if (id !== undefined) {
    if (typeof id !== 'string' || !HASH.test(id)) throw new BadMessage('"filters.id" must be the id of a request')
    return `request ${id.toLowerCase() as Hex}`
  }
  if (caller.kind === 'integrator' && caller.proxied !== true) return `key ${caller.apiKeyId}`
  throw new BadMessage('Without an API key "filters.id" is needed')
}

const cursorOf = (cursor: unknown): OutboxCursor | null => {
  if (cursor === undefined || cursor === null) return null
  const known = typeof cursor === 'string' ? decodeCursor(cursor) : null
  if (known === null) throw new BadMessage('"cursor" must be the cursor of an event')
  return known
}
