import { type Json, ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { paymentMemo } from '@causeway/core/chain-kit'
import { Address, Cell, internal, type MessageRelaxed } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { JETTON_TRANSFER_VALUE } from '../deposit/buildDeposit.js'
import { commentBody } from '../deposit/comments.js'
import { jettonTransferBody } from '../deposit/jettonBodies.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { TonPool } from '../rpc/tonApi.js'

/** A message that a wallet sends, as plain data. */
export interface MessageForm {
  /** Raw address. */
  readonly to: string
  /** Nanotons in decimal text. */
  readonly value: string
  readonly isBounceable: boolean
  /** Base64. */
  readonly body: string
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
export interface Wanted {
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: bigint
  readonly memo: string
  /** Receives the nanotons that a transfer of jettons leaves. */
  readonly responseTo: string
  /** False: the recipient of jettons is not told of them; absent: it is. */
  readonly isNotified?: boolean
}

/** Nanotons of the notification, with which a transfer names its order. */
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
export const formOf = async (wanted: Wanted, { pool, wallets }: PaymentFormDeps): Promise<PaymentForm> => {
  const { from, to, currency, amount, memo, responseTo, isNotified = true } = wanted
  if (amount <= 0n) throw new ServiceError('INVALID_REQUEST', 'TON cannot pay this amount.')
  const form = { from, memo }
  if (currency === NATIVE) {
    const message = { to, value: amount.toString(), isBounceable: false, body: textOf(commentBody(memo)) }
    return { ...form, message, attached: 0n }
  }
  const wallet = await wallets.walletOf(pool, currency, from)
  if (wallet === null) throw new ServiceError('UNSUPPORTED_CURRENCY', 'The currency is no jetton of this network.')
  const body = jettonTransferBody({
    ...{ queryId: 0n, amount, recipient: Address.parseRaw(to), responseTo: Address.parseRaw(responseTo) },
    ...{ forwardValue: isNotified ? NOTIFICATION_VALUE : 0n, forwardPayload: commentBody(memo) },
  })
  const message = { to: wallet, value: JETTON_TRANSFER_VALUE.toString(), isBounceable: true, body: textOf(body) }
  return { ...form, message, attached: JETTON_TRANSFER_VALUE }
}

const textOf = (cell: Cell): string => cell.toBoc().toString('base64')

/** The message as `@ton/core` knows it. */
export const relaxedMessage = ({ to, value, isBounceable, body }: MessageForm): MessageRelaxed =>
  internal({ to: Address.parseRaw(to), value: BigInt(value), bounce: isBounceable, body: Cell.fromBase64(body) })

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
