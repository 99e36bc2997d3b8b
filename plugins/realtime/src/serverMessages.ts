import type { Clock } from '@causeway/core'
import {
  type Caller,
  encodeCursor,
  type OutboxCursor,
  type OutboxEvent,
  STATUS_EVENT,
  statusEventData,
  statusEventId,
} from '@causeway/core/plugin'

/** What the server says (wire.md 5.1, H.4), as text of a frame. */
export const readyMessage = (id: string): string =>
  JSON.stringify({ type: 'connection', status: 'ready', data: { id } })

/** `cursor` is where the stream begins: a client that heard no event yet can come back with it. */
export const subscribedMessage = (filters: object, cursor: OutboxCursor): string =>
  JSON.stringify({
    type: 'subscribe',
    status: 'success',
    data: { event: STATUS_EVENT, filters, cursor: encodeCursor(cursor) },
  })

export const unsubscribedMessage = (): string =>
  JSON.stringify({ type: 'unsubscribe', status: 'success', data: { event: STATUS_EVENT } })

export const errorMessage = (message: string): string =>
  JSON.stringify({ type: 'error', status: 'error', data: { message } })

/**
 * Whether the caller may see owner fields of an event: any key of the integrator that asked for the quote (wire.md H.1). A proxied caller owns nothing: its key came with a browser's `Origin`
 * (wire.md 5.3).
 */
export const ownsEvent = (caller: Caller, { integratorId }: Pick<OutboxEvent, 'integratorId'>): boolean =>
  caller.kind === 'integrator' &&
  caller.proxied !== true &&
  integratorId !== null &&
  caller.integratorId === integratorId

/** Texts of events, each made once however many are told. */
export class EventTexts {
  readonly #clock: Clock
  readonly #texts = new WeakMap<OutboxEvent, { owner?: string; other?: string }>()

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
  }

  /** The event for its owner, or for anyone else: then without the referrer. */
  of(event: OutboxEvent, audience: 'owner' | 'other'): string {
    const texts = this.#texts.get(event) ?? {}
    this.#texts.set(event, texts)
    const text = texts[audience] ?? this.#write(event, audience)
    texts[audience] = text
    return text
  }

  #write(event: OutboxEvent, audience: 'owner' | 'other'): string {
    const data = statusEventData(event)
    return JSON.stringify({
      event: STATUS_EVENT,
      timestamp: event.createdAt,
      data: audience === 'owner' ? data : { ...data, referrer: null },
      publishedAt: this.#clock.now(),
      id: statusEventId(event),
      cursor: encodeCursor(event.cursor),
    })
  }
}
