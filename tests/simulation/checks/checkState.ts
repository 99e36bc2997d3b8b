import type { RequestStatus } from '@causeway/core/plugin'
import type { Query } from '../database/query.js'
import type { ClaimRow, DepositRow, Rows } from './rows.js'

/** A transfer as the checks need to know it. */
export interface CheckedTransfer {
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: string
  readonly memo: string
  /** Who pays the fee. */
  readonly account: string
  /** Of a sweep of a deposit address: what its deposits are booked under. */
  readonly sweep?: { readonly orderId: string; readonly depositor: string }
  /** Of money that its owner, `from`, only signed for: what its deposit is booked under. */
  readonly permit?: { readonly orderId: string; readonly signature: string }
}

export interface CheckedRecord {
  readonly id: string
  readonly transfer: CheckedTransfer
  readonly status: 'pending' | 'success' | 'failed'
  readonly fee: string
  readonly block: { readonly height: number } | null
  /** Of a sweep: what it moved. */
  readonly swept?: readonly { readonly currency: string; readonly amount: string }[]
}

/** A chain as it truly is; the simulated ledgers are such. */
export interface CheckedLedger<Transfer extends CheckedTransfer = CheckedTransfer> {
  readonly chainId: number
  readonly slug: string
  readonly coin: string
  readonly token: string
  readonly depository: string
  /** `sender`: sends calls of users, where there are such. */
  readonly keys: { readonly payer: { readonly address: string }; readonly sender?: { readonly address: string } }
  balance(account: string, currency: string): bigint
  /** Canonical ones, oldest first. */
  records(): readonly CheckedRecord[]
  pending(): readonly Transfer[]
}

/** What the deployment is told to risk, in whole units of one measure of the world's. */
export interface Limits {
  worth(money: { readonly chain: number; readonly currency: string; readonly amount: bigint }): bigint
  /** Worth above which one provider's word moves nothing. */
  readonly quorum: bigint
  /** Most worth of one chain's deposits that is paid for before they settle (`limits.unsettledUsd`); null: no bound. */
  readonly unsettled: bigint | null
}

/** A deposit that a chain once showed. */
export interface ShownDeposit {
  readonly chain: number
  readonly tx: string
  /** What its memo names; null: nothing. */
  readonly order: string | null
  readonly depositor: string
  readonly currency: string
  readonly amount: bigint
}

/** What an order promises, and what for. */
export interface KnownOrder {
  readonly chain: number
  readonly currency: string
  readonly recipient: string
  readonly minimum: bigint
  readonly asks: { readonly chain: number; readonly currency: string; readonly minimum: bigint }
}

/** An address that a user was told to pay to. */
export interface ToldAddress {
  readonly address: string
  readonly orderId: string
  /** Its quote has refunds go to whoever sent the money. */
  readonly toSender: boolean
}

/** Unix milliseconds, both included. */
export interface Moments {
  readonly from: number
  readonly until: number
}

/** A claim as its wallet asked for it, and signed it. */
export interface SignedClaim {
  readonly wallet: string
  readonly chainId: number
  readonly currency: string
  readonly recipient: string
}

/** What a user signed for a deposit. */
export interface SignedFor {
  readonly signature: string
  /** It was handed to a host. */
  readonly posted: boolean
}

export interface CheckOptions<Transfer extends CheckedTransfer> {
  /** A connection of the world's own. */
  readonly query: Query
  readonly ledgers: readonly CheckedLedger<Transfer>[]
  readonly limits: Limits
  /** Id of a transfer that waits. */
  idOf(transfer: Transfer): string
  /** How long an action may be due while a host lives. */
  readonly toleranceMs: number
  /** Addresses that users were told to pay to; absent: none. */
  addresses?(): readonly ToldAddress[]
  /** Claims that their wallets signed, by id; absent: none. */
  signedClaims?(): ReadonlyMap<string, SignedClaim>
  /** What users signed for; absent: nothing. */
  signedPermits?(): readonly SignedFor[]
  /** `unpaidCapUsd` of the plugin; absent: not checked. */
  readonly unpaidCap?: bigint
  /** Least fee of a transaction, smallest unit of a chain's coin; absent: 0. */
  readonly networkFee?: bigint
  /** Lowest and highest price of a currency within a time; absent: all are worth the same. */
  usdOver?(currency: string, time: Moments): { readonly least: bigint; readonly most: bigint }
}

/** What was seen so far, and what the world tells. Everything in it follows from what happened. */
export interface CheckState<Transfer extends CheckedTransfer = CheckedTransfer> {
  readonly options: CheckOptions<Transfer>
  /** Unix milliseconds by the service's clock; the world sets it before a check. */
  now: number
  /** Since when a host has been alive without a break; null while none is. The world sets it. */
  liveSince: number | null
  /** When the checks last looked, Unix milliseconds. */
  lookedAt: number
  /** Payouts and credits that were compared with the prices of their decision. */
  readonly priced: Set<string>
  /** Ids of transactions that were stored, in a past that the database has lost. */
  readonly forgotten: Set<string>
  /** What was given to wallets out of nothing after their books were opened, by `<chain>:<currency>`. */
  readonly unbooked: Map<string, bigint>
  /** With what the books of wallets were opened, by `<chain>:<currency>`, as a past that the database lost has it. */
  readonly opened: Map<string, bigint>
  /** By `<chain>:<transaction>`, also those that left again. */
  readonly shown: Map<string, ShownDeposit>
  readonly orders: Map<string, KnownOrder>
  /** What deposits are paid back under, by `<chain>:<transaction>`: of those that name no order only the database knows it. */
  readonly called: Map<string, string>
  /** To which order an operator assigned a deposit, by `<chain>:<transaction>`, in a past that the database lost too. */
  readonly given: Map<string, string>
  /** Orders that were made for what came to an address, by `<chain>:<transaction>` of its deposit; also those that the database lost. */
  readonly made: Map<string, Set<string>>
  /** Orders that were to be filled ahead of their deposits, also those that the database lost. */
  readonly ahead: Set<string>
  /** Where refunds of an order may go: its terms' own address, in whatever request the database had of it. */
  readonly refundsTo: Map<string, string>
  /** Claims that were asked for, by id, also those that the database lost: what they may pay. */
  readonly claims: Map<string, ClaimRow>
  /** Claims that the database lost and an operator accepted, as far as they were looked at. */
  readonly releasedClaims: Set<string>
  /** Deposits that one node invented and whose word was enough, by `<chain>:<transaction>`, also those that the database lost. */
  readonly believed: Map<string, DepositRow>
  /** When the lane of a chain was last found shut: it waits for the chain, or for an operator. */
  readonly shutAt: Map<number, number>
  readonly seen: SeenDatabase
}

/** What the database said at the last check; gone when an older database is put back. */
export interface SeenDatabase {
  readonly deposits: Map<number, Pick<DepositRow, 'outcome' | 'state'>>
  readonly statuses: Map<string, { readonly status: RequestStatus; readonly version: number }>
  /** Ids of transactions. */
  readonly attempts: Set<string>
  /** What wallets may claim, by `<wallet>:<chain>:<currency>`. */
  readonly free: Map<string, bigint>
}

export const createCheckState = <Transfer extends CheckedTransfer>(
  options: CheckOptions<Transfer>,
): CheckState<Transfer> => ({
  options,
  now: 0,
  liveSince: null,
  lookedAt: 0,
  priced: new Set(),
  forgotten: new Set(),
  unbooked: new Map(),
  opened: new Map(),
  shown: new Map(),
  orders: new Map(),
  called: new Map(),
  given: new Map(),
  made: new Map(),
  ahead: new Set(),
  refundsTo: new Map(),
  claims: new Map(),
  releasedClaims: new Set(),
  believed: new Map(),
  shutAt: new Map(),
  seen: { deposits: new Map(), statuses: new Map(), attempts: new Set(), free: new Map() },
})

/** To be called after blocks came or left, at the latest with the next check: deposits may come and go in between. */
export const noteDeposits = (state: Pick<CheckState, 'options' | 'shown'>): void => {
  for (const { chainId: chain, depository, records } of state.options.ledgers.map(withRecords)) {
    for (const record of records) {
      const { id: tx, transfer, status } = record
      if (status !== 'success' || transfer.to !== depository || transfer.from === depository) continue
      if (transfer.sweep !== undefined) {
        noteSwept(state.shown, chain, record, transfer.sweep)
        continue
      }
      const { memo, from: depositor, currency, amount, permit } = transfer
      const order = permit?.orderId ?? (ORDER.test(memo) ? memo : null)
      state.shown.set(`${chain}:${tx}`, { chain, tx, order, depositor, currency, amount: BigInt(amount) })
    }
  }
}

/** A deposit for each currency. */
const noteSwept = (
  shown: CheckState['shown'],
  chain: number,
  { id, swept = [] }: CheckedRecord,
  { orderId: order, depositor }: NonNullable<CheckedTransfer['sweep']>,
): void => {
  for (const [at, { currency, amount }] of swept.entries()) {
    const tx = depositName(id, at)
    shown.set(`${chain}:${tx}`, { chain, tx, order, depositor, currency, amount: BigInt(amount) })
  }
}

/** What a deposit is called by: of several in one transaction all but the first have their position behind it. */
export const depositName = (tx: string, position: number): string => (position === 0 ? tx : `${tx}#${position}`)

/** Names of what a record put into the depository; of a sweep by what it moved in the block where it stands now. */
export const depositNames = ({ id, swept }: CheckedRecord): readonly string[] =>
  swept === undefined ? [id] : swept.map((_, at) => depositName(id, at))

const ORDER = /^0x[0-9a-f]{64}$/

const withRecords = (ledger: CheckedLedger) => ({
  chainId: ledger.chainId,
  depository: ledger.depository,
  records: ledger.records(),
})

/** Orders stay known when the database forgets them: they may have been paid. */
export const rememberOrders = (
  { orders, called, given: assigned, made, ahead, refundsTo, claims }: CheckState,
  { requests, deposits, fastFills, ...rows }: Rows,
): void => {
  for (const { order } of fastFills) ahead.add(order)
  // Of one that is found on its chain only that is known afterwards.
  for (const claim of rows.claims) if (!claims.has(claim.id)) claims.set(claim.id, claim)
  const requoted = new Set(requests.flatMap(({ id, made: isMade }) => (isMade ? [id] : [])))
  for (const { chain, tx, order, given, request } of deposits) {
    if (request !== null && requoted.has(request)) {
      const known = made.get(`${chain}:${tx}`)
      if (known === undefined) made.set(`${chain}:${tx}`, new Set([order]))
      else known.add(order)
    }
    called.set(`${chain}:${tx}`, order)
    if (given) assigned.set(`${chain}:${tx}`, order)
  }
  for (const request of requests) {
    const { own, order, chain, currency, recipient, minimum, refundTo } = request
    if (order === null) continue
    if (refundTo !== null) refundsTo.set(order, refundTo)
    if (!own && !request.made) continue
    const { originChain, originCurrency, minimumIn } = request
    const asks = { chain: originChain, currency: originCurrency, minimum: BigInt(minimumIn) }
    orders.set(order, { chain, currency, recipient, minimum: BigInt(minimum), asks })
  }
}

/** What the next check compares with. */
export const rememberDatabase = (state: CheckState, rows: Rows): void => {
  const { seen } = state
  state.lookedAt = state.now
  for (const { id, outcome, state } of rows.deposits) seen.deposits.set(id, { outcome, state })
  for (const { id, status, version } of rows.requests) seen.statuses.set(id, { status, version })
  for (const { tx } of rows.attempts) seen.attempts.add(tx)
  seen.free.clear()
  for (const { account, holder, chain, currency, amount } of rows.books) {
    if (account !== 'app') continue
    const key = `${holder}:${chain}:${currency}`
    seen.free.set(key, (seen.free.get(key) ?? 0n) - BigInt(amount))
  }
}
