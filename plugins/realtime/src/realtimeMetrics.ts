import type { Counter, Metrics } from '@causeway/core/plugin'
import { CLOSE } from './closeCodes.js'

/** Codes that the client or the protocol closes with, besides ours. */
const OTHER_CODES = ['1001', '1005', '1006', '1007', '1009']
const CODES = [...new Set([...Object.values(CLOSE).map(String), ...OTHER_CODES])].sort()

const LIMITS = ['caller', 'total'] as const

/** What is open now. */
export interface OpenSockets {
  readonly sockets: number
  readonly subscriptions: number
}

/** Metrics of the websocket. */
export class RealtimeMetrics {
  readonly #events: Counter<Record<never, readonly string[]>>
  readonly #refusals: Counter<{ limit: readonly string[] }>
  readonly #closes: Counter<{ code: readonly string[] }>

  constructor({ metrics, open }: { readonly metrics: Metrics; open(): OpenSockets }) {
    this.#events = metrics.counter({
      name: 'causeway_websocket_events_total',
      help: 'Events told over websockets',
      labels: {},
    })
    this.#closes = metrics.counter({
      name: 'causeway_websocket_closes_total',
      help: 'Websockets that ended, by close code',
      labels: { code: CODES },
    })
    this.#refusals = metrics.counter({
      name: 'causeway_websocket_refusals_total',
      help: 'Websockets refused before they opened, by the limit they met',
      labels: { limit: LIMITS },
    })
    const gauge = (thing: keyof OpenSockets, help: string) => ({
      name: `causeway_websocket_${thing}`,
      help,
      labels: {},
    })
    const gauges = [gauge('sockets', 'Websockets open'), gauge('subscriptions', 'Subscriptions of open websockets')]
    metrics.addSource({
      name: 'websocket',
      gauges,
      read: async () => {
        const now = open()
        return [
          { gauge: 'causeway_websocket_sockets', labels: {}, value: now.sockets },
          { gauge: 'causeway_websocket_subscriptions', labels: {}, value: now.subscriptions },
        ]
      },
    })
  }

  event(): void {
    this.#events.add({})
  }

  /** `caller`: its key or address has as many as it may; `total`: the process has, or it stops. */
  refused(limit: (typeof LIMITS)[number]): void {
    this.#refusals.add({ limit })
  }

  closed(code: number): void {
    this.#closes.add({ code: String(code) })
  }
}
