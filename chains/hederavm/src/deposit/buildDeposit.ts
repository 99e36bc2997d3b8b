import { type Hex, type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, StepItemDraft } from '@causeway/core/chain'
import { addressPaymentStep, depositStep } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { MAX_AMOUNT } from '../address/amounts.js'
import { type TransferJson, transferBytes } from './transferBytes.js'

/** A payment of a wallet to an account; without an order id it is a plain payment. */
export interface PaymentRequest {
  readonly from: string
  readonly to: string
  readonly money: ChainMoney
  readonly orderId: Hex | null
  /** Most that the network may take for it, in tinybars. */
  readonly maxTransactionFee: bigint
  readonly chainId: number
}

/**
 * The one step of a deposit (chains.md hederavm 3): the fields of a transfer, which are normative, and the same transfer as bytes without
 * id and nodes, which wallets fill in.
 * @throws ServiceError INVALID_REQUEST where the depository would pay itself
 */
export const buildPaymentStep = async (request: PaymentRequest): Promise<readonly StepItemDraft[]> => {
  const { from, to, money, orderId, maxTransactionFee, chainId } = request
  if (from === to)
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself: name another account as user.')
  if (money.amount > MAX_AMOUNT)
    throw new ServiceError('INVALID_REQUEST', 'The amount is larger than one transfer of Hedera can carry.')
  const memo = orderId?.toLowerCase() ?? ''
  const transfers = transfersOf(request)
  const transaction = await transferBytes({ transfers, memo, maxTransactionFee })
  const fields = { transfers, memo, chainId, maxTransactionFee: maxTransactionFee.toString() }
  // CAST: plain data, all of it JSON; interfaces have no index signature.
  const data = { ...fields, transaction: Buffer.from(transaction).toString('base64') } as unknown as Json
  return [orderId === null ? addressPaymentStep(data) : depositStep(data)]
}

const transfersOf = ({ from, to, money: { currency, amount } }: PaymentRequest): readonly TransferJson[] => {
  const token = currency === NATIVE ? {} : { tokenId: currency }
  return [
    { accountId: from, amount: `-${amount}`, ...token },
    { accountId: to, amount: `${amount}`, ...token },
  ]
}
