import type { PoolClient } from 'pg'
import { token } from '../container/tokens.js'
import { listen } from './notifications.js'

/** Wakes work across processes. A notification may be lost; every listener is also called after each reconnect. */
export interface Notifier {
  /** Calls back with the payload, or with null after a (re)connect, until the signal aborts. */
  on(channel: string, listener: (payload: string | null) => void, signal: AbortSignal): void
}

export const NOTIFIER = token<Notifier>('core/Notifier')

/** Channels of core. */
export const LANE_CHANNEL = 'causeway_lane'

/** Nudges the lane of a chain in every process once the transaction commits; the lane's own ticks are the net. */
export const wakeLane = async (client: PoolClient, chainId: number): Promise<void> => {
  await client.query({ name: 'lane_wake', text: `select pg_notify('${LANE_CHANNEL}', $1)`, values: [String(chainId)] })
}

export const wakeRequotes = async (client: PoolClient): Promise<void> => {
  await client.query({ name: 'requote_wake', text: `select pg_notify('${REQUOTE_CHANNEL}', '')` })
}

export const HINT_CHANNEL = 'causeway_hint'
/** A deposit came to an address whose quote it does not fit: an order is to be made for it. */
export const REQUOTE_CHANNEL = 'causeway_requote'
export const API_KEYS_CHANNEL = 'api_keys'
/** Wakes the senders of webhooks: something was put into their queue. */
export const WEBHOOKS_CHANNEL = 'causeway_webhooks'
/** Told by the table of events itself at every commit that writes one. */
export const EVENTS_CHANNEL = 'causeway_events'
/** A lane, a halt or the holder of a lease changed, sent by the tables themselves; or a chain has its first cursor. */
export const SERVICE_CHANNEL = 'causeway_service'
const CHANNELS = [
  ...[LANE_CHANNEL, HINT_CHANNEL, API_KEYS_CHANNEL, EVENTS_CHANNEL, WEBHOOKS_CHANNEL, REQUOTE_CHANNEL],
  SERVICE_CHANNEL,
]

/** Notifications of PostgreSQL over one connection of its own. */
export class PostgresNotifier implements Notifier {
  readonly #listeners = new Map<string, Set<(payload: string | null) => void>>()
  readonly #connectionString: string

  constructor(deps: { readonly connectionString: string }) {
    this.#connectionString = deps.connectionString
  }

  on(channel: string, listener: (payload: string | null) => void, signal: AbortSignal): void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    signal.addEventListener('abort', () => listeners.delete(listener), { once: true })
  }

  /** Listens until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return listen(
      {
        connectionString: this.#connectionString,
        channels: CHANNELS,
        onNotification: (channel, payload) => this.#tell(channel, payload),
        onConnect: () => {
          for (const channel of CHANNELS) this.#tell(channel, null)
        },
      },
      signal,
    )
  }

  #tell(channel: string, payload: string | null): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload)
  }
}
