import type { Logger } from 'pino'
import type { PayoutPurpose } from '../chain/laneAdapter.js'
import type { Clock } from '../clock/clock.js'
import { token } from '../container/tokens.js'
import type { FailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import { balanceRefusals } from './balances/balanceRefusals.js'
import type { Counter, Histogram, Metrics } from './metrics.js'
import type { RequestTracing, SpanName } from './requestTracing.js'

const DEPOSIT_RESULTS = ['fillable', 'child', 'parked', 'fresh', 'balance'] as const
const DECISION_RESULTS = ['fill', 'refund', 'failure', 'credit', 'later'] as const
const FAST_FILL_RESULTS = ['started', 'ended', 'settled', 'debited'] as const
const PURPOSES = [
  'fill',
  'refund',
  'excess',
  'sweep',
  'withdraw',
  'claim',
  'send',
  'approve',
  'origin',
] as const satisfies readonly PayoutPurpose[]
const PAYOUT_RESULTS = ['signed', 'broadcast', 'included', 'final', 'reorged', 'dead'] as const

/** Where something failed for one item. */
export const FAILED_STEPS = [
  'decide',
  'check',
  'send',
  'follow',
  'settle',
  'withdraw',
  'inventory',
  'sweep',
  'earnings',
  'balances',
  'journal',
] as const
export type FailedStep = (typeof FAILED_STEPS)[number]

export interface SeenDeposit {
  readonly requestId: Hex | null
  readonly txId: string
  readonly result: (typeof DEPOSIT_RESULTS)[number]
}

export interface MadeDecision {
  readonly kind: (typeof DECISION_RESULTS)[number]
  readonly open: { readonly requestId: Hex }
  /** Of a refund: why. */
  readonly reason?: FailReason
}

export interface ObservedPayout {
  readonly id: string
  readonly requestId: Hex | null
  readonly purpose: PayoutPurpose
  readonly inclusions: number
  /** When it was decided on; Unix milliseconds. */
  readonly createdAt: number
  readonly deposit: { readonly chainId: number; readonly seenAt: number } | null
  /** Its attempts, newest last. */
  readonly live: readonly { readonly txId: string }[]
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
  /** Gets one line for each step of a transfer, at `info`. */
  readonly log?: Pick<Logger, 'info'>
  /** Chains whose blocks come far apart: how long deposits there wait for them says nothing of us. */
  readonly slow: ReadonlySet<number>
}

/** No chain's transaction ids are longer; whatever a node sends, a line stays short. */
const TX_LENGTH = 100

/** Told of each step of transfers once it is committed; counts and logs them and makes their spans. Never throws, never waits. */
export class TransferObserver {
  readonly #deps: TransferObserverDeps
  readonly #deposits: Counter<{ chain: readonly string[]; result: readonly string[] }>
  readonly #decisions: Counter<{ chain: readonly string[]; result: readonly string[] }>
  readonly #refusals: ReturnType<typeof balanceRefusals>
  readonly #payouts: Counter<{ chain: readonly string[]; purpose: readonly string[]; result: readonly string[] }>
  readonly #fastFills: Counter<{ chain: readonly string[]; result: readonly string[] }>
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
    this.#refusals = balanceRefusals(metrics)
    this.#payouts = metrics.counter({
      name: 'causeway_payouts_total',
      help: 'Steps of payouts (fills, refunds and others), by the chain they are paid on',
      labels: { chain, purpose: PURPOSES, result: PAYOUT_RESULTS },
    })
    this.#fastFills = metrics.counter({
      name: 'causeway_fast_fills_total',
      help: 'Fast fills by the chain of the lane: started, ended unpaid, settled by their deposit, debited as none came',
      labels: { chain, result: FAST_FILL_RESULTS },
    })
    this.#failures = metrics.counter({
      name: 'causeway_item_failures_total',
      help: 'Exceptions and answers that never came, each of which put off one request or payout, by the chain of the lane',
      labels: { chain, step: FAILED_STEPS },
    })
    this.#fillSeconds = metrics.histogram({
      name: 'causeway_deposit_to_fill_seconds',
      help: 'From the deposit being seen, or decided on where blocks come far apart, to its fill being recorded as included, by destination chain',
      labels: { chain },
      buckets: FILL_SECONDS,
    })
  }

  /** `startedAt` is of `traceTime`, here and below. */
  deposits(chainId: number, deposits: readonly SeenDeposit[], startedAt: number): void {
    const chain = this.#slug(chainId)
    for (const { requestId, result, txId } of deposits) {
      this.#deposits.add({ chain, result })
      this.#tell('deposit seen', { chain, requestId, result, tx: txId })
      this.#span(requestId, 'deposit seen', startedAt, chain, result)
    }
  }

  decisions(chainId: number, decisions: readonly MadeDecision[], startedAt: number): void {
    const chain = this.#slug(chainId)
    for (const { kind, open, reason } of decisions) {
      this.#decisions.add({ chain, result: kind })
      if (reason === 'SPONSOR_BALANCE_TOO_LOW') this.#refusals.add({ of: 'decision' })
      // What is put off is decided again and again, and told when it is.
      if (kind !== 'later') this.#tell('decided', { chain, requestId: open.requestId, result: kind })
      this.#span(open.requestId, 'decide', startedAt, chain, kind)
    }
  }

  /** `txIds` names their transactions, in the same order, where `live` does not yet. */
  payouts(
    step: PayoutStep,
    chainId: number,
    payouts: readonly ObservedPayout[],
    startedAt: number,
    txIds: readonly string[] = [],
  ): void {
    const chain = this.#slug(chainId)
    const result = RESULT_OF[step]
    const span = SPAN_OF[step]
    for (const [at, payout] of payouts.entries()) {
      const { purpose } = payout
      if (result !== undefined) {
        this.#payouts.add({ chain, purpose, result })
        const tx = txIds[at] ?? payout.live.at(-1)?.txId
        this.#tell(`${purpose} ${result}`, { chain, requestId: payout.requestId, payout: payout.id, tx })
      }
      if (step === 'included' && purpose === 'fill' && payout.inclusions === 0 && payout.deposit !== null) {
        const { deposit, createdAt } = payout
        const since = this.#deps.slow.has(deposit.chainId) ? createdAt : deposit.seenAt
        const seconds = (this.#deps.clock.now() - since) / 1000
        this.#fillSeconds.observe({ chain }, Math.max(0, seconds))
      }
      if (span !== undefined) this.#span(payout.requestId, span, startedAt, chain, purpose)
    }
  }

  /** What became of a fast fill; `reason` why nothing of it was paid. */
  fastFill(
    result: (typeof FAST_FILL_RESULTS)[number],
    chainId: number,
    told: { readonly requestId: Hex; readonly reason?: string },
  ): void {
    const chain = this.#slug(chainId)
    this.#fastFills.add({ chain, result })
    this.#tell(`fast fill ${result}`, { chain, ...told })
  }

  /** Something failed for one request or payout of a chain's lane. */
  failed(step: FailedStep, chainId: number): void {
    this.#failures.add({ chain: this.#slug(chainId), step })
  }

  #tell(
    step: string,
    { tx, ...fields }: { readonly tx?: string | undefined; readonly [field: string]: unknown },
  ): void {
    this.#deps.log?.info({ ...fields, ...(tx === undefined ? {} : { tx: tx.slice(0, TX_LENGTH) }) }, step)
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
