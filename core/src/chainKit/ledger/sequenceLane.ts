import type { Json } from '../../chain/json.js'
import type {
  AttemptState,
  BroadcastResult,
  LaneAdapter,
  LanePlace,
  LaneReading,
  Payout,
  PayoutVerdict,
  PreparedAttempt,
  SentAttempt,
  SignedAttempt,
} from '../../chain/laneAdapter.js'
import type { Signer } from '../../chain/signer.js'
import { ServiceError } from '../../errors/serviceError.js'
import { larger, smaller } from '../../money/compare.js'
import { askInOrder, type OrderedNodes } from '../quorum/askInOrder.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import { agreeOnPayout, type PayoutVerdictDeps } from '../quorum/payoutVerdict.js'
import type {
  AccountReading,
  DraftedPayment,
  FreeOrder,
  LaneQuestion,
  SentTransaction,
  SequenceChain,
  StrictOrder,
} from './sequenceChain.js'
import { readSequenceGuard, type SequenceGuard, type SequenceSlot, sequenceGuard } from './sequenceGuard.js'
import {
  BEGINNING,
  freeSequences,
  positionAfter,
  positionJson,
  readPosition,
  type SequencePosition,
} from './sequencePosition.js'
import { type ReadingDeps, readSequences, readSequencesFrom } from './sequenceReading.js'
import { judgeSequence, nextOf, pointsOf } from './sequenceVerdict.js'

/** Members of `LaneAdapter` that the lane hands on as they are. */
export type LaneExtras = Pick<LaneAdapter, 'pace' | 'deathMargin' | 'validity' | 'cosigns' | 'authorizeWithdrawal'>

export interface SequenceLaneDeps<Node> {
  readonly chain: SequenceChain<Node>
  /** The nodes of the chain: `JsonRpcClient` is such. */
  readonly pool: AskedProviders<Node> & OrderedNodes<Node>
  readonly monitor: PayoutVerdictDeps<Node>['monitor']
  readonly order: FreeOrder | StrictOrder
  /** How long a payment may land, in the unit of `until` (blocks, seconds ...). */
  readonly lifetime: bigint
  /** The longest lifetime that was ever configured; absent: `lifetime`. */
  readonly longestLifetime?: bigint
  /** `confirmations.settle`: how many of the newest blocks may be replaced. */
  readonly settle: number
  /** The newest point as heads are followed, from memory; with it the lane has `mayBeDead`. */
  readonly newest?: () => bigint | null
  readonly extras?: LaneExtras
}

interface Item {
  readonly payout: Payout
  readonly gas: bigint | null
}

const NOWHERE = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const

/**
 * Payments of an account with a number and an expiry (xrpvm, hederavm, tonvm, tvm, hypevm, lvm). Its guard is account, number and expiry;
 * the position is the next number and, where the chain takes them strictly in order, what was assigned and may still land.
 */
export class SequenceLane<Node> implements LaneAdapter {
  readonly pace?: NonNullable<LaneAdapter['pace']>
  readonly deathMargin?: number
  readonly validity?: NonNullable<LaneAdapter['validity']>
  readonly cosigns?: boolean
  readonly authorizeWithdrawal?: NonNullable<LaneAdapter['authorizeWithdrawal']>
  readonly readAgain?: NonNullable<LaneAdapter['readAgain']>
  readonly mayBeDead?: NonNullable<LaneAdapter['mayBeDead']>
  readonly cancelFound?: NonNullable<LaneAdapter['cancelFound']>
  readonly #deps: SequenceLaneDeps<Node>
  readonly #reading: ReadingDeps<Node>

  constructor(deps: SequenceLaneDeps<Node>) {
    const { chain, pool, order, settle, newest, extras } = deps
    this.#deps = deps
    const strict = order.kind === 'strict'
    this.#reading = { chain, pool, strict, settle: BigInt(settle) }
    Object.assign(this, extras)
    if (newest !== undefined) this.mayBeDead = (guards) => this.#mayBeDead(guards, newest())
    if (!strict) return
    this.readAgain = (address, stored, guards) => this.#readAgain(address, stored, guards)
    if (order.cancel !== undefined)
      this.cancelFound = ({ guards }) => this.#cancel(guards, { version: 1, instead: null })
  }

  addressOf(signer: Signer): string {
    return this.#deps.chain.addressOf(signer)
  }

  read(address: string, stored: LanePlace | null): Promise<LaneReading> {
    return readSequences(address, stored, this.#reading)
  }

  beginning(): Json {
    return BEGINNING
  }

  async prepare(
    items: readonly Item[],
    position: Json,
  ): Promise<{ readonly prepared: readonly (PreparedAttempt | null)[]; readonly position: Json }> {
    const [first] = items
    if (first === undefined) return { prepared: [], position }
    const account = first.payout.from
    const [drafts, reading] = await Promise.all([this.#deps.chain.draft(items), this.#read({ account, attempts: [] })])
    const stored = readPosition(position)
    const slots = this.#slots(stored, reading)
    const assigned: SequenceSlot[] = []
    const prepared = drafts.map((draft) => {
      const slot = draft === null ? undefined : slots.next().value
      if (draft === null || slot === undefined) return null
      assigned.push(slot)
      return attemptOf('pay', { ...slot, account }, draft(slot))
    })
    const final = this.#isStrict ? pointsOf(reading.moment).final : 0n
    const after = positionAfter(stored, assigned, final)
    return { prepared, position: positionJson(this.#isStrict ? after : { ...after, slots: new Map() }) }
  }

  async sign(prepared: PreparedAttempt, signer: Signer, allocator?: Signer): Promise<SignedAttempt> {
    if (slotOf(prepared.guards).account !== this.addressOf(signer)) {
      throw new ServiceError('UNKNOWN_ERROR', 'The key of this payment is not the key of its account.')
    }
    return { ...prepared, ...(await this.#deps.chain.sign(prepared.transaction, signer, allocator)) }
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    return this.#deps.chain.broadcast(attempts)
  }

  async states(attempts: readonly SentAttempt[]): Promise<readonly AttemptState[]> {
    const [first] = attempts
    if (first === undefined) return []
    const { moment, transactions } = await this.#read({ account: first.payout.from, attempts })
    return attempts.map((_, at) => stateOf(transactions[at] ?? null, moment.height))
  }

  /** A higher fee in the same slot. */
  async replace(attempt: PreparedAttempt, options: { readonly version: number }): Promise<PreparedAttempt | null> {
    const { order } = this.#deps
    if (order.kind === 'free' || order.replace === undefined || attempt.kind === 'cancel') {
      return attempt.kind === 'cancel' ? this.cancel(attempt, options) : null
    }
    const dearer = await order.replace(attempt.transaction, options)
    return dearer === null ? null : { ...attemptOf('pay', slotOf(attempt.guards), dearer), guards: attempt.guards }
  }

  async cancel(attempt: PreparedAttempt, options: { readonly version: number }): Promise<PreparedAttempt | null> {
    return this.#cancel(attempt.guards, { ...options, instead: attempt.transaction })
  }

  payoutVerdict(
    guards: readonly string[],
    txIds: readonly string[],
    { agreeing, payout, locators }: Parameters<LaneAdapter['payoutVerdict']>[2] & object = { agreeing: 1 },
  ): Promise<PayoutVerdict> {
    const { chain, pool, monitor, lifetime, longestLifetime = lifetime } = this.#deps
    const deps = { chain, strict: this.#isStrict, longestLifetime }
    const claim = { guards, txIds, payout, locators }
    return agreeOnPayout({ txIds, agreeing }, (node: Node) => judgeSequence(node, claim, deps), {
      pool,
      monitor,
    })
  }

  get #isStrict(): boolean {
    return this.#deps.order.kind === 'strict'
  }

  #read(question: LaneQuestion): Promise<AccountReading> {
    return askInOrder(this.#deps.pool, (node) => this.#deps.chain.read(node, question))
  }

  /** Slots for further payments; it ends where no more may be open at once. */
  *#slots(position: SequencePosition, reading: AccountReading): Generator<SequenceSlot, undefined> {
    const { order, lifetime } = this.#deps
    const points = pointsOf(reading.moment)
    if (order.kind === 'free') {
      for (let sequence = larger(position.sequence, order.least?.() ?? 0n); ; sequence += 1n) {
        yield { sequence, until: order.until?.(sequence) ?? points.newest + lifetime }
      }
    }
    const next = nextOf(reading).newest
    const waiting = [...position.slots].filter(([at, until]) => at >= next && until >= points.final).length
    const numbers = freeSequences(position, next, points.final)
    for (let open = waiting; open < (order.mostOpen ?? Number.POSITIVE_INFINITY); open += 1) {
      yield { sequence: numbers.next().value, until: points.newest + lifetime }
    }
    return undefined
  }

  #readAgain(address: string, stored: LanePlace, guards: readonly string[]): Promise<LaneReading> {
    const numbers = guards.flatMap((guard) => readSequenceGuard(guard)?.sequence ?? [])
    const from = numbers.reduce(smaller, readPosition(stored.position).sequence)
    return readSequencesFrom(address, stored, from, this.#reading)
  }

  async #cancel(
    guards: readonly string[],
    options: { readonly version: number; readonly instead: Json | null },
  ): Promise<PreparedAttempt | null> {
    const { order } = this.#deps
    if (order.kind === 'free' || order.cancel === undefined) return null
    const slot = slotOf(guards)
    const nothing = await order.cancel(slot, options)
    return nothing === null ? null : { ...attemptOf('cancel', slot, nothing), guards }
  }

  /** A payment that no node shows can land until it expires, and in strict order only while its number is not used up. */
  async #mayBeDead(guards: readonly string[], newest: bigint | null): Promise<boolean> {
    const slots = guards.flatMap((guard) => readSequenceGuard(guard) ?? [])
    const [first] = slots
    if (first === undefined || newest === null || slots.some(({ until }) => until < newest)) return true
    if (!this.#isStrict) return false
    const { newest: next } = nextOf(await this.#read({ account: first.account, attempts: [] }))
    return slots.some(({ sequence }) => sequence < next)
  }
}

/** @throws Error for an attempt of another kind of lane: a programming error */
const slotOf = (guards: readonly string[]): SequenceGuard => {
  const [slot] = guards.flatMap((guard) => readSequenceGuard(guard) ?? [])
  if (slot === undefined) throw new Error('A payment of this lane has no sequence.')
  return slot
}

const attemptOf = (
  kind: PreparedAttempt['kind'],
  slot: SequenceGuard,
  { transaction, feeCap, guards = [] }: DraftedPayment,
): PreparedAttempt => ({ kind, transaction, guards: [sequenceGuard(slot), ...guards], feeCap })

const stateOf = (shown: SentTransaction | null, tip: bigint): AttemptState => {
  if (shown === null) return { ...NOWHERE, status: 'missing' }
  const { tx, status, block, fee, currencyFee, paid, received, revert, txData } = shown
  const place = tx.locator === undefined ? {} : { locator: tx.locator }
  if (status === 'pending' || block === null) return { ...NOWHERE, ...place, status: 'pending', txData }
  return {
    ...place,
    status,
    block,
    // The block may be newer than the head that came with it.
    confirmations: Number(larger(tip - block.height + 1n, 1n)),
    fee,
    ...(currencyFee === undefined ? {} : { currencyFee }),
    paid: status === 'reverted' ? 0n : paid,
    ...(received === undefined ? {} : { received }),
    revert: status === 'reverted' ? revert : null,
    txData,
  }
}
