import { type Json, larger, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositAddress, Payout } from '@causeway/core/chain'
import { askInOrder, paymentMemo } from '@causeway/core/chain-kit'
import { Address, Cell, comment, internal, type MessageRelaxed, type StateInit } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { readSeqno } from '../address/wallets.js'
import { jettonTransferBody } from '../deposit/jettonBodies.js'
import { askAccountNow } from '../read/accounts.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { TonPool } from '../rpc/tonApi.js'
import type { TonFees } from './payoutFees.js'

/** A message that a wallet sends, as plain data. */
export interface MessageForm {
  /** Raw address. */
  readonly to: string
  /** Nanotons in decimal text. */
  readonly value: string
  readonly isBounceable: boolean
  /** Base64; empty where `carried` has the body. */
  readonly body: string
  /** A request of the wallet of a deposit address, which the message brings with its nanotons; its key signs it last. */
  readonly carried?: CarriedRequest
}

export interface CarriedRequest {
  readonly address: DepositAddress
  /** Decimal text. */
  readonly seqno: string
  readonly message: MessageForm
}

/** A payment of ours without its number. */
export interface PaymentForm {
  /** The wallet whose money is paid. */
  readonly from: string
  readonly message: MessageForm
  readonly memo: string
  /** Nanotons that leave beyond the amount, of which the rest comes back. */
  readonly attached: bigint
}

export interface PaymentFormDeps {
  readonly pool: TonPool
  readonly wallets: JettonWallets
}

/** A payment that a wallet is to make. */
interface Wanted {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly memo: string
  /** Receives the nanotons that a transfer of jettons leaves. */
  readonly responseTo: string
  /** False: the recipient of jettons is not told of them; absent: it is. */
  readonly isNotified?: boolean
}

/** Nanotons that go with a transfer of jettons; what is left comes back (chains.md tonvm 5). */
const JETTON_TRANSFER_VALUE = 50_000_000n
/** Nanotons of the notification: the least with which there is one. */
const NOTIFICATION_VALUE = 1n

/**
 * The payment of a payout that is no sweep.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_CURRENCY for a payout that no message can be
 */
export const paymentForm = async (payout: Payout, from: string, deps: PaymentFormDeps): Promise<PaymentForm> => {
  const { to, money, calls, swap, topup = 0n } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n || to.tag !== undefined || to.memo !== undefined)
    throw new ServiceError('INVALID_REQUEST', 'A payment on TON carries no calls, no swap, no top-up and no tag.')
  // Our own wallet needs no notification, which costs it rent that no book has.
  const isNotified = payout.purpose !== 'withdraw'
  return formOf({ ...money, from, to: to.address, memo: paymentMemo(payout), responseTo: from, isNotified }, deps)
}

/** The payment of an amount. @throws ServiceError UNSUPPORTED_CURRENCY where the currency is no jetton */
export const formOf = async (
  { currency, ...wanted }: Wanted & { readonly currency: string },
  deps: PaymentFormDeps,
): Promise<PaymentForm> => {
  const { from, memo, amount } = wanted
  if (amount <= 0n) throw new ServiceError('INVALID_REQUEST', 'TON cannot pay this amount.')
  const wallet = await jettonWalletOf(currency, from, deps)
  return { from, memo, message: messageOf(wanted, wallet), attached: wallet === null ? 0n : JETTON_TRANSFER_VALUE }
}

/** The wallet of an owner's jettons; null for TON. @throws ServiceError UNSUPPORTED_CURRENCY where the currency is no jetton */
export const jettonWalletOf = async (
  currency: string,
  owner: string,
  { pool, wallets }: PaymentFormDeps,
): Promise<string | null> => {
  if (currency === NATIVE) return null
  const wallet = await wallets.walletOf(pool, currency, owner)
  if (wallet !== null) return wallet
  throw new ServiceError('UNSUPPORTED_CURRENCY', 'The currency is no jetton of this network.')
}

/** The message of a payment: to the recipient, or to the payer's jetton wallet, which returns the value of a transfer that it refuses. */
export const messageOf = (
  { to, amount, memo, responseTo, isNotified = true }: Wanted,
  jettonWallet: string | null,
): MessageForm => {
  const text = comment(memo)
  if (jettonWallet === null) return { to, value: amount.toString(), isBounceable: false, body: textOf(text) }
  const body = jettonTransferBody({
    ...{ queryId: 0n, amount, recipient: Address.parseRaw(to), responseTo: Address.parseRaw(responseTo) },
    ...{ forwardValue: isNotified ? NOTIFICATION_VALUE : 0n, forwardPayload: text },
  })
  return { to: jettonWallet, value: JETTON_TRANSFER_VALUE.toString(), isBounceable: true, body: textOf(body) }
}

/** A sweep of an address with a key of its own: its wallet pays the depository under the order id, as a user would. */
export const sweepForm = async (
  { from, orderId, sweep }: Payout,
  money: ChainMoney | undefined,
  { depository: to, fees, ...deps }: PaymentFormDeps & { readonly depository: string; readonly fees: TonFees },
): Promise<PaymentForm> => {
  if (sweep === undefined || money === undefined) throw new Error('A sweep names its address and its money')
  const { address } = sweep
  const owner = address.destination.address
  const [carriedFee, state, paid] = await Promise.all([
    fees.carriedFee(),
    askInOrder(deps.pool, (node) => askAccountNow(node, owner)),
    formOf({ ...money, from: owner, to, memo: orderId, responseTo: from }, deps),
  ])
  if (state.status === 'frozen') throw new ServiceError('SERVICE_UNAVAILABLE', 'The deposit address is frozen.')
  const seqno = state.data === null ? 0n : readSeqno(state.data)
  // Rent reduced the balance since the user paid.
  const missing = money.currency === NATIVE ? larger(money.amount - state.balance, 0n) : paid.attached
  const attached = carriedFee + missing
  const carried = { address, seqno: seqno.toString(), message: paid.message }
  return {
    ...{ from, memo: orderId, attached },
    message: { to: owner, value: attached.toString(), isBounceable: true, body: '', carried },
  }
}

const textOf = (cell: Cell): string => cell.toBoc().toString('base64')

/** The message as `@ton/core` knows it. @param carried body and code of the wallet of a deposit address */
export const relaxedMessage = (
  { to, value, isBounceable, body }: MessageForm,
  carried: { readonly body?: Cell; readonly init?: StateInit } = {},
): MessageRelaxed =>
  internal({
    ...{ to: Address.parseRaw(to), value: BigInt(value), bounce: isBounceable },
    ...{ body: carried.body ?? Cell.fromBase64(body), init: carried.init },
  })

/** A request of a wallet as `PreparedAttempt.transaction` holds it. */
export interface PreparedRequest {
  /** The wallet that takes the number and pays the fee. */
  readonly account: string
  /** Decimal text. */
  readonly seqno: string
  readonly until: string
  readonly messages: readonly MessageForm[]
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const preparedJson = (request: PreparedRequest): Json => request as unknown as Json

// CAST: only preparedJson makes such transactions.
export const readPrepared = (json: Json): PreparedRequest => json as unknown as PreparedRequest
