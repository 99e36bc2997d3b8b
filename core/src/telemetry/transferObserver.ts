import type { PayoutPurpose } from '../chain/laneAdapter.js'
import type { Clock } from '../clock/clock.js'
import { token } from '../container/tokens.js'
import type { Hex } from '../money/hex.js'
import type { Counter, Histogram, Metrics } from './metrics.js'
import type { RequestTracing, SpanName } from './requestTracing.js'

const DEPOSIT_RESULTS = ['fillable', 'child', 'parked'] as const
const DECISION_RESULTS = ['fill', 'refund', 'failure', 'later'] as const
const PURPOSES = [
  'fill',
  'refund',
  'excess',
  'sweep',
  'withdraw',
  'claim',
  'send',
  'approve',
] as const satisfies readonly PayoutPurpose[]
const PAYOUT_RESULTS = ['signed', 'broadcast', 'included', 'final', 'reorged', 'dead'] as const

/** Where something failed for one item. */
export const FAILED_STEPS = ['decide', 'check', 'send', 'follow', 'settle', 'withdraw', 'inventory'] as const
export type FailedStep = (typeof FAILED_STEPS)[number]

export interface SeenDeposit {
  readonly requestId: Hex | null
  readonly result: (typeof DEPOSIT_RESULTS)[number]
}

export interface MadeDecision {
  readonly kind: (typeof DECISION_RESULTS)[number]
  readonly open: { readonly requestId: Hex }
}

export interface ObservedPayout {
  readonly requestId: Hex | null
  readonly purpose: PayoutPurpose
  readonly inclusions: number
  readonly deposit: { readonly seenAt: number } | null
}

/** What happened to payouts; `store` is for traces alone. */
export type PayoutStep = 'sign' | 'store' | 'broadcast' | 'included' | 'final' | 'reorged' | 'dead'

const RESULT_OF: Readonly<Partial<Record<PayoutStep, (typeof PAYOUT_RESULTS)[number]>>> = {
  sign: 'signed',
  broadcast: 'broadcast',
  included: 'included',
  final: 'final',
  reorged: 'reorged',
  dead: 'dead',
}

const SPAN_OF: Readonly<Partial<Record<PayoutStep, SpanName>>> = {
  sign: 'sign',
  store: 'store',
  broadcast: 'broadcast',
  included: 'included',
  final: 'final',
}

const FILL_SECONDS = [0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300, 900, 3600]

export interface TransferObserverDeps {
  readonly metrics: Metrics
  readonly tracing: RequestTracing
  readonly clock: Clock
  /** Slug by chain id. */
  readonly chains: ReadonlyMap<number, string>
}

/** Told of each step of transfers once it is committed; counts them and makes their spans. Never throws, never waits. */
export class TransferObserver {
  readonly #deps: TransferObserverDeps
  readonly #deposits: Counter<{ chain: readonly string[]; result: readonly string[] }>
  readonly #decisions: Counter<{ chain: readonly string[]; result: readonly string[] }>
  readonly #payouts: Counter<{ chain: readonly string[]; purpose: readonly string[]; result: readonly string[] }>
  readonly #failures: Counter<{ chain: readonly string[]; step: readonly string[] }>
  readonly #fillSeconds: Histogram<{ chain: readonly string[] }>

  constructor(deps: TransferObserverDeps) {
    this.#deps = deps
    const { metrics } = deps
    const chain = [...deps.chains.values()]
    this.#deposits = metrics.counter({
      name: 'causeway_deposits_total',
      help: 'Deposits recognised, by origin chain and by what they became',
      labels: { chain, result: DEPOSIT_RESULTS },
    })
    this.#decisions = metrics.counter({
      name: 'causeway_decisions_total',
      help: 'Decisions about deposits, by destination chain; later: put off',
      labels: { chain, result: DECISION_RESULTS },
    })
    this.#payouts = metrics.counter({
      name: 'causeway_payouts_total',
      help: 'Steps of payouts (fills, refunds and others), by the chain they are paid on',
      labels: { chain, purpose: PURPOSES, result: PAYOUT_RESULTS },
    })
    this.#failures = metrics.counter({
      name: 'causeway_item_failures_total',
      help: 'Exceptions and answers that never came, each of which put off one request or payout, by the chain of the lane',
      labels: { chain, step: FAILED_STEPS },
    })
    this.#fillSeconds = metrics.histogram({
      name: 'causeway_deposit_to_fill_seconds',
      help: 'From the deposit being seen to its fill being recorded as included, by destination chain',
      labels: { chain },
      buckets: FILL_SECONDS,
    })
  }

  /** `startedAt` is of `traceTime`, here and below. */
  deposits(chainId: number, deposits: readonly SeenDeposit[], startedAt: number): void {
    const chain = this.#slug(chainId)
    for (const { requestId, result } of deposits) {
      this.#deposits.add({ chain, result })
      this.#span(requestId, 'deposit seen', startedAt, chain, result)
    }
  }

  decisions(chainId: number, decisions: readonly MadeDecision[], startedAt: number): void {
    const chain = this.#slug(chainId)
    for (const { kind, open } of decisions) {
      this.#decisions.add({ chain, result: kind })
      this.#span(open.requestId, 'decide', startedAt, chain, kind)
    }
  }

  payouts(step: PayoutStep, chainId: number, payouts: readonly ObservedPayout[], startedAt: number): void {
    const chain = this.#slug(chainId)
    const result = RESULT_OF[step]
    const span = SPAN_OF[step]
    for (const payout of payouts) {
      const { purpose } = payout
      if (result !== undefined) this.#payouts.add({ chain, purpose, result })
      if (step === 'included' && purpose === 'fill' && payout.inclusions === 0 && payout.deposit !== null) {
        const seconds = (this.#deps.clock.now() - payout.deposit.seenAt) / 1000
        this.#fillSeconds.observe({ chain }, Math.max(0, seconds))
      }
      if (span !== undefined) this.#span(payout.requestId, span, startedAt, chain, purpose)
    }
  }

  /** Something failed for one request or payout of a chain's lane. */
  failed(step: FailedStep, chainId: number): void {
    this.#failures.add({ chain: this.#slug(chainId), step })
  }

  #span(requestId: Hex | null, name: SpanName, startedAt: number, chain: string, result: string): void {
    if (!this.#deps.tracing.enabled) return
    this.#deps.tracing.step(requestId, name, startedAt, { 'causeway.chain': chain, 'causeway.result': result })
  }

  #slug(chainId: number): string {
    return this.#deps.chains.get(chainId) ?? ''
  }
}

export const TRANSFER_OBSERVER = token<TransferObserver>('core/TransferObserver')
