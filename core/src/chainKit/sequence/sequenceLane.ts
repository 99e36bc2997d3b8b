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
import { askInOrder, type OrderedNodes } from '../quorum/askInOrder.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import { agreeOnPayout, type PayoutVerdictDeps } from '../quorum/payoutVerdict.js'
import { isUsedUp } from './numbers/accountNumbers.js'
import { readSequenceGuard, type SequenceGuard, sequenceGuard } from './numbers/sequenceGuard.js'
import { BEGINNING, positionJson, readPosition } from './numbers/sequencePosition.js'
import { positionTaken, type TakenNumbers, takeNumbers } from './numbers/takenNumbers.js'
import { hasSent } from './reading/hasSent.js'
import type { ReadingDeps } from './reading/readAccount.js'
import { readSequences, readSequencesFrom } from './reading/sequenceReading.js'
import { judgeSequence } from './reading/sequenceVerdict.js'
import type {
  AccountReading,
  Draft,
  DraftedPayment,
  FreeOrder,
  LaneQuestion,
  SequenceChain,
  StrictOrder,
} from './sequenceChain.js'
import { stateOf } from './sequenceStates.js'

/** Members of `LaneAdapter` that the lane hands on as they are. */
export type LaneExtras = Pick<
  LaneAdapter,
  'pace' | 'deathMargin' | 'validity' | 'cosigns' | 'authorizeWithdrawal' | 'payoutsPerTransaction'
>

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

/**
 * Payments of an account with a number and an expiry (xrpvm, svm, hederavm, tonvm, tvm, hypevm, lvm). Its guard is account, number and expiry;
 * the position is the next number and, where the chain takes them strictly in order, what was assigned and may still land; the same of
 * each other account whose numbers the lane takes.
 */
export class SequenceLane<Node> implements LaneAdapter {
  readonly pace?: NonNullable<LaneAdapter['pace']>
  readonly deathMargin?: number
  readonly validity?: NonNullable<LaneAdapter['validity']>
  readonly cosigns?: boolean
  readonly payoutsPerTransaction?: number
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
    const { lifetime, longestLifetime = lifetime } = deps
    this.#reading = { chain, pool, strict, settle: BigInt(settle), longestLifetime }
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

  hasSent(address: string): Promise<boolean> {
    return hasSent(address, this.#reading)
  }

  beginning(): Json {
    // A free lane that counts from 0 reads its older numbers too.
    return this.#isStrict ? BEGINNING : { sequence: 0 }
  }

  async prepare(
    items: readonly Item[],
    position: Json,
  ): Promise<{ readonly prepared: readonly (PreparedAttempt | null)[]; readonly position: Json }> {
    const [first] = items
    if (first === undefined) return { prepared: [], position }
    const accounts = items.map(({ payout }) => this.#accountOf(payout))
    const stored = readPosition(position)
    const rules = {
      ...this.#deps,
      own: first.payout.from,
      read: (account: string) => this.#read({ account, attempts: [] }),
    }
    const [drafts, taken] = await Promise.all([this.#deps.chain.draft(items), takeNumbers(accounts, stored, rules)])
    const shared = new Map<Draft, Promise<PreparedAttempt | null>>()
    const made = drafts.map((draft, at) => {
      if (draft === null) return null
      const known = shared.get(draft)
      if (known !== undefined) return known
      const attempt = this.#attemptOf(draft, accounts[at] ?? rules.own, taken)
      shared.set(draft, attempt)
      return attempt
    })
    return { prepared: await Promise.all(made), position: positionJson(positionTaken(stored, taken, rules)) }
  }

  /** Takes the next number of an account for a draft; null where none is free, or the payment cannot be made now. */
  async #attemptOf(
    draft: Draft,
    account: string,
    taken: ReadonlyMap<string, TakenNumbers>,
  ): Promise<PreparedAttempt | null> {
    const numbers = taken.get(account)
    const slot = numbers?.slots.next().value
    if (slot === undefined) return null
    numbers?.assigned.push(slot)
    const drafted = await draft(slot)
    return drafted === null ? null : attemptOf('pay', { ...slot, account }, drafted)
  }

  /** Of a payment of the lane's own account the key must be that of it; of others the chain sees to it. */
  async sign(prepared: PreparedAttempt, signer: Signer, allocator?: Signer, seed?: Uint8Array): Promise<SignedAttempt> {
    const { chain } = this.#deps
    const { account } = slotOf(prepared.guards)
    if (account !== this.addressOf(signer) && chain.others?.includes(account) !== true) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this payment is not the key of its account.')
    }
    return { ...prepared, ...(await chain.sign(prepared.transaction, signer, allocator, seed)) }
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    return this.#deps.chain.broadcast(attempts)
  }

  async states(attempts: readonly SentAttempt[]): Promise<readonly AttemptState[]> {
    const { settle } = this.#deps
    const accounts = [...new Set(attempts.map(({ payout }) => this.#accountOf(payout)))]
    const readings = await Promise.all(
      accounts.map(async (account) => {
        const asked = attempts.filter(({ payout }) => this.#accountOf(payout) === account)
        const { moment, transactions } = await this.#read({ account, attempts: asked })
        return asked.map((attempt, at) => {
          const context = { moment, settle, account, payout: attempt.payout }
          return [attempt, stateOf(transactions[at] ?? null, context)] as const
        })
      }),
    )
    const states = new Map(readings.flat())
    return attempts.flatMap((attempt) => states.get(attempt) ?? [])
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

  #accountOf(payout: Payout): string {
    return this.#deps.chain.accountOf?.(payout) ?? payout.from
  }

  #readAgain(address: string, stored: LanePlace, guards: readonly string[]): Promise<LaneReading> {
    return readSequencesFrom(
      address,
      stored,
      guards.flatMap((guard) => readSequenceGuard(guard) ?? []),
      this.#reading,
    )
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
    const reading = await this.#read({ account: first.account, attempts: [] })
    return slots.some(({ sequence }) => isUsedUp(reading, sequence, 'newest') !== false)
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
