import type { Counter, DatabasePool, Histogram, Metrics } from '@causeway/core/plugin'
import type { ClaimedDelivery } from './claimDeliveries.js'
import type { DeliveryAttempt } from './deliveryAttempt.js'
import { QUEUE_LEASE } from './eventQueue.js'

const RESULTS = { result: ['delivered', 'refused', 'unanswered'] } as const
/** The two works of the role: taking events from the outbox, and calling receivers. */
const WORKS = ['queue', 'send'] as const
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 21_600]

/** What an operator sees of webhooks. */
export class DeliveryMetrics {
  readonly #attempts: Counter<typeof RESULTS>
  readonly #seconds: Histogram<Record<string, never>>

  constructor({ metrics, pool }: { readonly metrics: Metrics; readonly pool: DatabasePool }) {
    this.#attempts = metrics.counter({
      name: 'causeway_webhook_attempts_total',
      help: 'Calls of webhook receivers: answered with 2xx, with something else, or not at all',
      labels: RESULTS,
    })
    this.#seconds = metrics.histogram({
      name: 'causeway_webhook_delivery_seconds',
      help: 'From the queue to the answer of the receiver, of deliveries that arrived',
      labels: {},
      buckets: BUCKETS,
    })
    metrics.addSource({
      name: 'webhooks',
      gauges: [
        { name: 'causeway_webhook_waiting', help: 'Deliveries in the queue', labels: {} },
        { name: 'causeway_webhook_failing_endpoints', help: 'Endpoints whose last call failed', labels: {} },
        {
          name: 'causeway_webhook_workers',
          help: 'Processes of role webhooks that put events into the queue (one does, others stand by) and that send',
          labels: { work: WORKS },
        },
      ],
      read: async () => {
        const { rows } = await pool.query<Record<'waiting' | 'failing' | (typeof WORKS)[number], number>>(
          `select (select count(*)::float8 from webhook_queue) as waiting,
            (select count(*)::float8 from webhook_endpoints where enabled and failing_since is not null) as failing,
            (select count(*)::float8 from leases where name = $1 and expires_at > clock_timestamp()) as queue,
            (select count(*)::float8 from webhook_senders where alive_until > clock_timestamp()) as send`,
          [QUEUE_LEASE],
        )
        return [
          { gauge: 'causeway_webhook_waiting', labels: {}, value: rows[0]?.waiting ?? 0 },
          { gauge: 'causeway_webhook_failing_endpoints', labels: {}, value: rows[0]?.failing ?? 0 },
          ...WORKS.map((work) => ({
            gauge: 'causeway_webhook_workers',
            labels: { work },
            value: rows[0]?.[work] ?? 0,
          })),
        ]
      },
    })
  }

  delivered({ queuedAt }: ClaimedDelivery, _attempt: DeliveryAttempt, now: number): void {
    this.#attempts.add({ result: 'delivered' })
    this.#seconds.observe({}, Math.max(0, now - queuedAt) / 1000)
  }

  failed({ status }: DeliveryAttempt): void {
    this.#attempts.add({ result: status === null ? 'unanswered' : 'refused' })
  }
}
