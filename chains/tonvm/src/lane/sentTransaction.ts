import type { Payout } from '@causeway/core/chain'
import { paymentMemo, type SentTransaction } from '@causeway/core/chain-kit'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { findArrival, type Included } from '../read/arrival.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { Asked } from '../rpc/tonApi.js'
import { type Delivery, follow } from './delivery.js'
import { externalHash } from './externalMessage.js'
import { memoOf, type ReadPayment, readPayment } from './readPayment.js'
import { readRequest, type WalletRequest } from './walletRequest.js'

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

/** What all payments of a transaction share. */
interface Shared {
  readonly account: string
  readonly taken: TakenRequest
  readonly included: Included
  readonly head: bigint
}

/**
 * The payments of a wallet's transaction as the lane knows them, each with its part of the fee.
 * @param payout the one that is asked about; null: all of them, and one entry for a request that pays no account
 */
export const sentOf = async (
  asked: Asked,
  shared: Shared,
  payout: Payout | null,
  rules: SentRules,
): Promise<readonly SentTransaction[]> => {
  const { account, taken } = shared
  const all = taken.request.messages.map((message) => readPayment(message, account))
  const isDepositAccount = account === rules.depositAccount
  const wanted = all.flatMap((payment, at) =>
    payment !== null && (payout === null || all.length === 1 || isOf(payment, payout, isDepositAccount))
      ? [{ payment, at }]
      : [],
  )
  if (wanted.length === 0) return [nothingSent(shared)]
  return Promise.all(
    wanted.map(({ payment, at }) => paymentOf(asked, shared, { payment, at, count: all.length }, rules)),
  )
}

const isOf = (payment: ReadPayment, payout: Payout, isDepositAccount: boolean): boolean =>
  payment.to === payout.to.address && memoOf(payment, isDepositAccount) === paymentMemo(payout)

interface Placed {
  readonly payment: ReadPayment
  readonly at: number
  readonly count: number
}

const paymentOf = async (
  asked: Asked,
  shared: Shared,
  { payment, at, count }: Placed,
  { wallets, depositAccount }: SentRules,
): Promise<SentTransaction> => {
  const { account, included, head } = shared
  const [delivery, currency] = await Promise.all([
    follow((message, from) => findArrival(asked, message, { from, head }), included, payment),
    payment.jettons === null ? NATIVE : wallets.masterOf(asked, payment.jettons.wallet, payment.jettons.owner),
  ])
  const memo = memoOf(payment, account === depositAccount)
  const money = { currency: currency ?? 'unknown', amount: payment.amount }
  const { to } = payment
  return {
    ...common(shared),
    ...{ memo, to, money },
    arrived: { ...money, amount: delivery.state === 'arrived' ? delivery.amount : 0n },
    block: delivery.state === 'pending' ? null : delivery.block,
    revert: delivery.state === 'failed' ? delivery.why : null,
    fee: feeOf(included.transaction, { payment, at, count }, delivery),
    txData: { from: account, to, data: payment.memo ?? '0x', value: payment.amount.toString() },
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
export const feeOf = (transaction: Transaction, { payment, at, count }: Placed, delivery: Delivery): bigint => {
  if (delivery.state === 'pending') return 0n
  const spent = spentBy(transaction)
  const [share, rest] = [spent / BigInt(count), spent % BigInt(count)]
  return share + (at === 0 ? rest : 0n) + payment.attached - delivery.returned
}
