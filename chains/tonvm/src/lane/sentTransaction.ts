import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { paymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { keep } from '../read/accounts.js'
import { findArrival, type Included, type Internal } from '../read/arrival.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { Asked } from '../rpc/tonApi.js'
import { type Delivery, follow } from './delivery.js'
import { memoOf, messagesOf, type ReadPayment, readPayment } from './readPayment.js'
import { externalHash, readRequest, type WalletRequest } from './walletRequest.js'

export interface SentRules {
  readonly wallets: JettonWallets
  readonly depositAccount: string | null
}

/** A request that a wallet took. */
export interface TakenRequest {
  /** As `externalHash` returns it. */
  readonly id: string
  readonly request: WalletRequest
}

/** The request of a wallet's own transaction; null for a transaction that others caused. */
export const requestOf = ({ inMessage }: Transaction): TakenRequest | null => {
  if (inMessage?.info.type !== 'external-in') return null
  const request = readRequest(inMessage.body)
  return request === null ? null : { id: externalHash(inMessage), request }
}

/** Facts that all payments of a transaction share. */
interface Shared {
  readonly account: string
  readonly taken: TakenRequest
  readonly included: Included
  readonly head: bigint
}

/**
 * The payments of a wallet's transaction as the lane knows them, each with its part of the fee.
 * @param payout the one that is asked about; null: all of them, and one entry for a request that pays no account
 * @throws ServiceError SERVICE_UNAVAILABLE where the transaction has two payments that may be the payout
 */
export const sentOf = async (
  asked: Asked,
  shared: Shared,
  payout: Payout | null,
  rules: SentRules,
): Promise<readonly SentTransaction[]> => {
  const { account, taken, included } = shared
  const all = taken.request.messages.map((message) => readPayment(message, account))
  const messages = messagesOf(included.transaction, all)
  const placed = all.flatMap((payment, at): Placed[] =>
    payment === null ? [] : [{ payment, at, message: messages[at] ?? null, count: all.length }],
  )
  const wanted = payout === null ? placed : await matching(asked, placed, { payout, account }, rules)
  if (wanted.length === 0) return [nothingSent(shared)]
  return Promise.all(wanted.map((one) => paymentOf(asked, shared, { ...one, payout }, rules)))
}

interface Placed {
  readonly payment: ReadPayment
  /** Position in the request. */
  readonly at: number
  /** As `messagesOf` returns it. */
  readonly message: Internal | null
  readonly count: number
}

/** The payment of a payout among those of its transaction. A sweep may move less than its payout names. */
const matching = async (
  asked: Asked,
  placed: readonly Placed[],
  { payout, account }: { readonly payout: Payout; readonly account: string },
  { wallets, depositAccount }: SentRules,
): Promise<readonly Placed[]> => {
  const { to, money, purpose } = payout
  const named = placed.filter(
    ({ payment }) => payment.to === to.address && memoOf(payment, account === depositAccount) === paymentMemo(payout),
  )
  const genuine = await Promise.all(
    named.map(({ payment: { jettons } }) =>
      money.currency === NATIVE ? null : wallets.walletOf(asked, money.currency, jettons?.owner ?? account),
    ),
  )
  const found = named.filter(
    ({ payment: { jettons, amount } }, at) =>
      (jettons?.wallet ?? null) === genuine[at] && (purpose === 'sweep' || amount === money.amount),
  )
  if (found.length > 1)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A transaction has two equal payments of one order.')
  return found
}

const MOST_ENDED = 10_000
/** Payments that are over, as each node showed them: blocks are final, so they stay as they are. */
const ended = new WeakMap<Asked, Map<string, Delivery>>()

const deliveryOf = async (
  asked: Asked,
  { included, head }: Shared,
  { payment, at, message }: Placed,
): Promise<Delivery> => {
  const key = `${included.transaction.hash().toString('hex')} ${at}`
  const known = ended.get(asked) ?? new Map<string, Delivery>()
  ended.set(asked, known)
  const before = known.get(key)
  if (before !== undefined && before.state !== 'pending' && before.block.height <= head) return before
  const arrivals = (sent: Internal, from: bigint) => findArrival(asked, sent, { from, head })
  const delivery = await follow(arrivals, { ...included, message }, payment)
  return delivery.state === 'pending' ? delivery : keep(known, key, delivery, MOST_ENDED)
}

const paymentOf = async (
  asked: Asked,
  shared: Shared,
  { payout, ...placed }: Placed & { readonly payout: Payout | null },
  { wallets, depositAccount }: SentRules,
): Promise<SentTransaction> => {
  const { account, included } = shared
  const { payment, at } = placed
  const [delivery, currency] = await Promise.all([
    deliveryOf(asked, shared, placed),
    // A payout may be of a currency that was configured before.
    payout?.money.currency ?? currencyOf(asked, payment, wallets),
  ])
  const memo = memoOf(payment, account === depositAccount)
  const money = { currency: currency ?? 'unknown', amount: payment.amount }
  const { to } = payment
  // A withdrawal ends in the solver's wallet, whose code the network charges for receiving it.
  const charged = payout?.purpose === 'withdraw' && delivery.state === 'arrived' ? delivery.charged : 0n
  return {
    ...common(shared),
    ...{ memo, to, money, place: at, bearsPart: true, ...(charged > 0n && { currencyFee: charged }) },
    arrived: { ...money, amount: delivery.state === 'arrived' ? delivery.amount : 0n },
    block: delivery.state === 'pending' ? null : delivery.block,
    revert: delivery.state === 'failed' ? delivery.why : null,
    fee: feeOf(included.transaction, placed, delivery),
    txData: { from: account, to, data: payment.memo ?? '0x', value: payment.amount.toString() },
  }
}

/** Null for a jetton that is not configured. */
const currencyOf = async (asked: Asked, { jettons }: ReadPayment, wallets: JettonWallets): Promise<string | null> =>
  jettons === null ? NATIVE : wallets.masterOf(asked, jettons.wallet, jettons.owner)

/** A request without a payment. */
const nothingSent = (shared: Shared): SentTransaction => {
  const { account, included } = shared
  const money = { currency: NATIVE, amount: 0n }
  return {
    ...common(shared),
    ...{ memo: null, to: '', money, arrived: money, block: included.block, revert: null },
    fee: spentBy(included.transaction),
    txData: { from: account, to: account, data: '0x', value: '0' },
  }
}

const common = ({ account, taken, included }: Shared) => {
  const { transaction, block } = included
  const locator = {
    ...{ account, lt: transaction.lt.toString(), hash: transaction.hash().toString('hex') },
    block: block.height.toString(),
  }
  return { tx: { id: taken.id, locator }, sequence: taken.request.seqno, until: taken.request.until }
}

/** Nanotons that a transaction of a wallet cost: its own fees, and those of its messages. */
const spentBy = ({ totalFees, outMessages }: Transaction): bigint =>
  outMessages
    .values()
    .reduce((sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n), totalFees.coins)

/** The part of one payment; the first one bears what cannot be divided. */
export const feeOf = (
  transaction: Transaction,
  { payment, at, count }: Omit<Placed, 'message'>,
  delivery: Delivery,
): bigint => {
  if (delivery.state === 'pending') return 0n
  const spent = spentBy(transaction)
  const [share, rest] = [spent / BigInt(count), spent % BigInt(count)]
  return share + (at === 0 ? rest : 0n) + payment.attached - delivery.returned
}
