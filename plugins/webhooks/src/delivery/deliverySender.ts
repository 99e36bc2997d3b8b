import { setMaxListeners } from 'node:events'
import type { Clock } from '@causeway/core'
import { type DatabasePool, failpoint, isRefused, type KeySecrets, pause } from '@causeway/core/plugin'
import type { EndpointTarget } from '../endpoint/endpointStore.js'
import { KEY_REVOKED } from '../endpoint/turnOffRevoked.js'
import { type ClaimedDelivery, claimDeliveries } from './claimDeliveries.js'
import { attemptDelivery, type DeliveryAttempt, type DeliveryAttemptDeps, isDelivered } from './deliveryAttempt.js'
import type { DeliveryMetrics } from './deliveryMetrics.js'
import { EndpointSlots, type SlotRules } from './endpointSlots.js'
import type { EndpointTargets } from './endpointTargets.js'
import { finishDeliveries, type Result } from './finishDeliveries.js'
import { type RetryPlan, retryAt } from './retryPlan.js'
import { SenderLife } from './senderLife.js'

export interface DeliverySenderDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
  readonly metrics: DeliveryMetrics
  readonly secrets: KeySecrets
  readonly targets: EndpointTargets
  readonly attempts: DeliveryAttemptDeps
  readonly slots: SlotRules
  readonly retries: RetryPlan
  readonly disableAfterMs: number
  /** How far apart failures may be to count as going on, milliseconds. */
  readonly quietMs: number
  readonly leaseMs: number
  /** From 0 to 1. Default: `Math.random`. */
  random?(): number
}

/** How often is looked for what is due: nobody tells when a wait is over. */
const TICK_MS = 250
/** How long calls under way may go on at a stop. */
const STOP_MS = 3_000
/** When is tried again what failed for a reason that is not the receiver's. */
const LATER_MS = 60_000
/** Results that are not stored: the database refuses what they say, or could not be asked and may be again. */
interface Unstored {
  readonly refused: readonly Result[]
  readonly failed: readonly Result[]
}

/**
 * Sends deliveries of the queue: claims what is due, calls the receivers, stores the results together. Any number of
 * processes may do so at once. A delivery counts as sent when its result is stored, so that a crash sends it again.
 */
export class DeliverySender {
  readonly #deps: DeliverySenderDeps
  readonly #slots: EndpointSlots
  readonly #life: SenderLife
  readonly #underWay = new Set<Promise<void>>()
  #results: Result[] = []
  #flushing: Promise<void> | null = null
  #woken = false
  #stopping = false
  #wake: () => void = () => undefined

  constructor(deps: DeliverySenderDeps) {
    this.#deps = deps
    this.#slots = new EndpointSlots(deps.slots)
    this.#life = new SenderLife({ pool: deps.pool, ttlMs: deps.leaseMs })
  }

  /** Something may be due now. */
  readonly wake = (): void => {
    this.#woken = true
    this.#wake()
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#stopping = false
    const calls = new AbortController()
    // One for each call under way, which the slots bound.
    setMaxListeners(0, calls.signal)
    const living = new AbortController()
    const life = this.#life.run(living.signal, this.wake)
    signal.addEventListener('abort', this.wake, { once: true })
    try {
      while (!signal.aborted) {
        this.#woken = false
        await this.#claim(calls.signal)
        await this.#rest()
      }
    } finally {
      signal.removeEventListener('abort', this.wake)
      await this.#stop(calls)
      living.abort()
      await life
      await this.#life.end().catch(() => undefined)
    }
  }

  async #claim(signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now()
    const sender = this.#life.id
    if (sender === null || this.#slots.free <= 0) return
    const claimed = await claimDeliveries(this.#deps.pool, {
      ...{ sender, now },
      most: this.#slots.free,
      perEndpoint: this.#slots.unknown,
      limits: this.#slots.limits(now),
    })
    if (claimed.length === 0) {
      this.#slots.forget(now)
      return
    }
    await failpoint('webhooks.claim.after')
    for (const { endpointId } of claimed) this.#slots.begin(endpointId)
    const [secrets, targets] = await this.#openAll(claimed)
    for (const delivery of claimed) {
      const parts = { apiKey: secrets.get(delivery.apiKeyId), target: targets.get(delivery.sealedId) }
      const sending = this.#deliver(delivery, parts, signal).finally(() => this.#underWay.delete(sending))
      this.#underWay.add(sending)
    }
  }

  /** What cannot be opened now is given back. */
  async #openAll(claimed: readonly ClaimedDelivery[]) {
    try {
      return await Promise.all([
        this.#deps.secrets.secretsOf(claimed.map(({ apiKeyId }) => apiKeyId)),
        this.#deps.targets.of(claimed),
      ] as const)
    } catch (error) {
      const nextAt = this.#soon()
      for (const delivery of claimed) this.#finish({ delivery, attempt: null, state: 'waiting', nextAt })
      throw error
    }
  }

  async #deliver(
    delivery: ClaimedDelivery,
    { apiKey, target }: { readonly apiKey: string | null | undefined; readonly target: EndpointTarget | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const again: Result = { delivery, attempt: null, state: 'waiting', nextAt: this.#soon() }
    if (apiKey === undefined) return this.#finish({ delivery, attempt: null, state: 'parked', reason: KEY_REVOKED })
    if (apiKey === null || target === undefined) return this.#finish(this.#unopened(delivery))
    // Asleep for longer than it may: somebody else may be sending it.
    if (!this.#life.holds(delivery.sender)) return this.#finish(again)
    const { eventId, body } = delivery
    try {
      const attempt = await attemptDelivery(this.#deps.attempts, { target, apiKey, eventId, body, signal })
      await failpoint('webhooks.sent')
      this.#finish(attempt === null ? again : this.#judge(delivery, attempt))
    } catch (error) {
      this.#deps.log.warn({ err: error, endpoint: String(delivery.endpointId) }, 'a webhook could not be sent')
      this.#finish(again)
    }
  }

  /** What cannot be opened waits: its master key may be held again later. */
  #unopened(delivery: ClaimedDelivery): Result {
    const endpoint = String(delivery.endpointId)
    this.#deps.log.warn({ endpoint }, 'the key or the endpoint of a webhook is gone or cannot be opened; tried again')
    return this.#givenBack({ delivery })
  }

  #judge(delivery: ClaimedDelivery, attempt: DeliveryAttempt): Result {
    const { clock, retries, random = Math.random, metrics } = this.#deps
    const now = clock.now()
    if (isDelivered(attempt)) {
      metrics.delivered(delivery, attempt, now)
      return { delivery, attempt, state: 'delivered' }
    }
    metrics.failed(attempt)
    const nextAt = retryAt(retries, { attempts: delivery.attempts + 1, now, random: random() })
    return nextAt === null
      ? { delivery, attempt, state: 'parked', reason: 'no retries left' }
      : { delivery, attempt, state: 'waiting', nextAt }
  }

  #soon(): number {
    return this.#deps.clock.now() + TICK_MS
  }

  #finish(result: Result): void {
    const verdict = result.attempt === null ? null : result.state === 'delivered'
    this.#slots.end(result.delivery.endpointId, verdict, this.#deps.clock.now())
    this.#results.push(result)
    this.#flushing ??= this.#flush()
  }

  /** Stores results until there are none; those that come meanwhile go together. */
  async #flush(): Promise<void> {
    while (this.#results.length > 0) {
      // All that ends in this turn of the event loop goes along.
      await new Promise(setImmediate)
      // What was claimed in an earlier life may be another's by now.
      const results = this.#results.splice(0).filter(({ delivery }) => this.#life.holds(delivery.sender))
      if (results.length === 0) continue
      await failpoint('webhooks.finish.before')
      const { refused, failed } = await this.#storeEach(results)
      if (refused.length + failed.length > 0) {
        // What the database refuses is given back without its result, and so sent again.
        if (!this.#stopping) this.#results.unshift(...failed, ...refused.map((result) => this.#givenBack(result)))
        await new Promise((resolve) => setTimeout(resolve, TICK_MS))
      }
      await failpoint('webhooks.finish.after')
      this.wake()
    }
    // Not behind an await: a result that came in between would wait for the next one.
    this.#flushing = null
  }

  /** Stores results together or else one by one, so that one the database refuses never blocks others. */
  async #storeEach(results: readonly Result[]): Promise<Unstored> {
    const together = await this.#store(results)
    if (together === 'stored') return { refused: [], failed: [] }
    if (results.length === 1) return { refused: [], failed: [], [together]: results }
    const left = { stored: [] as Result[], refused: [] as Result[], failed: [] as Result[] }
    for (const result of results) left[this.#life.id === null ? 'failed' : await this.#store([result])].push(result)
    return left
  }

  async #store(results: readonly Result[]): Promise<'stored' | keyof Unstored> {
    const { pool, clock, disableAfterMs, quietMs, log } = this.#deps
    try {
      const off = await finishDeliveries(pool, { now: clock.now(), results, disableAfterMs, quietMs })
      for (const apiKeyId of off) log.warn({ apiKeyId }, 'a webhook endpoint failed for too long and was turned off')
      return 'stored'
    } catch (error) {
      log.warn({ err: error, deliveries: results.length }, 'results of webhooks could not be stored; tried again')
      return isRefused(error) ? 'refused' : 'failed'
    }
  }

  #givenBack({ delivery }: Pick<Result, 'delivery'>): Result {
    return { delivery, attempt: null, state: 'waiting', nextAt: this.#deps.clock.now() + LATER_MS }
  }

  async #rest(): Promise<void> {
    if (this.#woken && this.#slots.free > 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TICK_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => undefined
  }

  async #stop(calls: AbortController): Promise<void> {
    this.#stopping = true
    const late = new AbortController()
    await Promise.race([Promise.allSettled([...this.#underWay]), pause(STOP_MS, late.signal)])
    late.abort()
    calls.abort()
    await Promise.allSettled([...this.#underWay])
    await this.#flushing
  }
}
