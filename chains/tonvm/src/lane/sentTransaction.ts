import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { paymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { keptByNode } from '../read/accounts.js'
import { findArrival, type Included } from '../read/arrival.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { Asked } from '../rpc/tonApi.js'
import { type Arrivals, type Delivery, follow } from './delivery.js'
import { memoOf, paymentsIn, type RequestedPayment } from './readPayment.js'
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
  const placed = paymentsIn(included.transaction, taken.request.messages, account)
  const wanted = payout === null ? placed : await matching(asked, placed, { payout, account }, rules)
  if (wanted.length === 0) return [nothingSent(shared)]
  return Promise.all(wanted.map((one) => paymentOf(asked, shared, { ...one, payout }, rules)))
}

/** The payment of a payout among those of its transaction. A sweep may move less than its payout names. */
const matching = async (
  asked: Asked,
  placed: readonly RequestedPayment[],
  { payout: { to, money, purpose, ...payout }, account }: { readonly payout: Payout; readonly account: string },
  { wallets, depositAccount }: SentRules,
): Promise<readonly RequestedPayment[]> => {
  const memo = paymentMemo({ ...payout, purpose })
  const isOf = async ({ payment }: RequestedPayment): Promise<boolean> => {
    const { jettons, amount } = payment
    if (payment.to !== to.address || memoOf(payment, account === depositAccount) !== memo) return false
    const owner = jettons?.owner ?? account
    const genuine = money.currency === NATIVE ? null : await wallets.walletOf(asked, money.currency, owner)
    return (jettons?.wallet ?? null) === genuine && (purpose === 'sweep' || amount === money.amount)
  }
  const are = await Promise.all(placed.map(isOf))
  const found = placed.filter((_, at) => are[at])
  if (found.length > 1)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A transaction has two equal payments of one order.')
  return found
}

/** Payments that are over: blocks are final, so they stay as they are. */
const keptDelivery = keptByNode<Exclude<Delivery, { readonly state: 'pending' }>>(10_000)

const deliveryOf = async (
  asked: Asked,
  { included, head }: Shared,
  { payment, at, message, count }: RequestedPayment,
) => {
  const arrivals: Arrivals = (sent, from) => findArrival(asked, sent, { from, head, count })
  const ended = await keptDelivery(asked, `${included.transaction.hash().toString('hex')} ${at}`, async () => {
    const delivery = await follow(arrivals, { ...included, message }, payment)
    return delivery.state === 'pending' ? null : delivery
  })
  // An earlier question may have been of a higher block.
  return ended === null || ended.block.height > head ? ({ state: 'pending' } as const) : ended
}

const paymentOf = async (
  asked: Asked,
  shared: Shared,
  { payout, ...placed }: RequestedPayment & { readonly payout: Payout | null },
  { wallets, depositAccount }: SentRules,
): Promise<SentTransaction> => {
  const { account, included } = shared
  const { payment, at } = placed
  const { to, jettons, amount } = payment
  const [delivery, currency] = await Promise.all([
    deliveryOf(asked, shared, placed),
    // A payout may be of a currency that was configured before.
    payout?.money.currency ?? (jettons === null ? NATIVE : wallets.masterOf(asked, jettons.wallet, jettons.owner)),
  ])
  const money = { currency: currency ?? 'unknown', amount }
  // A withdrawal ends in the solver's wallet, whose code the network charges for receiving it.
  const charged = payout?.purpose === 'withdraw' && delivery.state === 'arrived' ? delivery.charged : 0n
  return {
    ...common(shared),
    ...{ to, money, place: at, bearsPart: true, ...(charged > 0n && { currencyFee: charged }) },
    memo: memoOf(payment, account === depositAccount),
    arrived: { ...money, amount: delivery.state === 'arrived' ? delivery.amount : 0n },
    block: delivery.state === 'pending' ? null : delivery.block,
    revert: delivery.state === 'failed' ? delivery.why : null,
    fee: feeOf(included.transaction, placed, delivery),
    txData: { from: account, to, data: payment.memo ?? '0x', value: amount.toString() },
  }
}

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

const common = ({ account, taken: { id, request }, included: { transaction, block } }: Shared) => {
  const hash = transaction.hash().toString('hex')
  const locator = { account, lt: transaction.lt.toString(), hash, block: block.height.toString() }
  return { tx: { id, locator }, sequence: request.seqno, until: request.until }
}

/** Nanotons that a transaction of a wallet cost: its own fees, and those of its messages. */
const spentBy = ({ totalFees, outMessages }: Transaction): bigint =>
  outMessages
    .values()
    .reduce((sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n), totalFees.coins)

/** The part of one payment; the first one bears what cannot be divided. */
export const feeOf = (
  transaction: Transaction,
  { payment, at, count }: Omit<RequestedPayment, 'message'>,
  delivery: Delivery,
): bigint => {
  if (delivery.state === 'pending') return 0n
  const spent = spentBy(transaction)
  const [share, rest] = [spent / BigInt(count), spent % BigInt(count)]
  return share + (at === 0 ? rest : 0n) + payment.attached - delivery.returned
}
