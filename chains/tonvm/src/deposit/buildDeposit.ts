import { type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, StepItemDraft } from '@causeway/core/chain'
import { depositStep } from '@causeway/core/chain-kit'
import { Address, type Cell } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import type { JettonWallets } from '../read/jettonWallets.js'
import type { TonPool } from '../rpc/tonApi.js'
import { commentBody } from './comments.js'
import { jettonTransferBody } from './jettonBodies.js'

/** A deposit of a wallet; all addresses are raw. */
export interface DepositPayment {
  readonly from: string
  readonly depository: string
  readonly money: ChainMoney
  /** The order id; of a payment to a deposit address its comment. */
  readonly orderId: string
}

/** Nanotons that go with a transfer of jettons; what is left comes back (chains.md tonvm 5). */
export const JETTON_TRANSFER_VALUE = 50_000_000n
/** Nanotons of the notification: the least with which there is one. */
const NOTIFICATION_VALUE = 1n

interface StepMessage {
  readonly to: string
  readonly value: bigint
  readonly body: Cell
  readonly isBounceable: boolean
}

/**
 * The one step of a deposit of TON: a message that does not bounce, with the order id as its comment (chains.md tonvm 3).
 * @throws ServiceError INVALID_REQUEST if the user is the depository
 */
export const nativeDepositStep = (payment: DepositPayment): readonly StepItemDraft[] => {
  const { depository, money, orderId } = payment
  if (money.currency !== NATIVE) throw new Error('A deposit of jettons goes through a jetton wallet')
  const body = commentBody(orderId.toLowerCase())
  return stepOf(payment, { to: depository, value: money.amount, body, isBounceable: false })
}

/**
 * The same of jettons: a transfer by the jetton wallet of the user, which notifies the depository with the order id.
 * @param jettonWallet raw address, as the master names it for `from`
 * @throws ServiceError INVALID_REQUEST if the user is the depository
 */
export const jettonDepositStep = (payment: DepositPayment, jettonWallet: string): readonly StepItemDraft[] => {
  const { from, depository, money, orderId } = payment
  const body = jettonTransferBody({
    queryId: 0n,
    amount: money.amount,
    recipient: Address.parse(depository),
    responseTo: Address.parse(from),
    forwardValue: NOTIFICATION_VALUE,
    forwardPayload: commentBody(orderId.toLowerCase()),
  })
  // The jetton wallet exists, and returns the value of a transfer that it refuses.
  return stepOf(payment, { to: jettonWallet, value: JETTON_TRANSFER_VALUE, body, isBounceable: true })
}

/**
 * The step of a deposit of TON or of jettons.
 * @throws ServiceError UNSUPPORTED_CURRENCY where the currency is no jetton; those of the steps
 */
export const buildDepositStep = async (
  payment: DepositPayment,
  { pool, wallets }: { readonly pool: TonPool; readonly wallets: JettonWallets },
): Promise<readonly StepItemDraft[]> => {
  const { from, money } = payment
  if (money.currency === NATIVE) return nativeDepositStep(payment)
  const wallet = await wallets.walletOf(pool, money.currency, from)
  if (wallet === null) throw new ServiceError('UNSUPPORTED_CURRENCY', 'The currency is no jetton of this network.')
  return jettonDepositStep(payment, wallet)
}

const stepOf = ({ from, depository }: DepositPayment, message: StepMessage): readonly StepItemDraft[] => {
  if (from === depository) {
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself. Name another account as user.')
  }
  const { to, value, body, isBounceable } = message
  const data: Json = {
    messages: [{ to, value: `${value}`, body: body.toBoc().toString('base64'), bounce: isBounceable, from }],
  }
  return [depositStep(data)]
}
