import { type Hex, type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, StepItemDraft } from '@causeway/core/chain'
import { addressPaymentStep, depositStep } from '@causeway/core/chain-kit'
import { MAX_AMOUNT } from '../address/addresses.js'
import { loadSdk } from '../lane/sdk.js'
import { addTransfers, entriesOf } from '../lane/transfers.js'

/** A payment of a wallet: a deposit with its order id, or a plain payment to a deposit address with the address's memo. */
export type PaymentRequest = Payment & ({ readonly orderId: Hex } | { readonly label: string })

interface Payment {
  readonly from: string
  readonly to: string
  readonly money: ChainMoney
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
  const { from, to, money, maxTransactionFee, chainId } = request
  const isDeposit = 'orderId' in request
  if (from === to)
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself: name another account as user.')
  if (money.amount > MAX_AMOUNT)
    throw new ServiceError('INVALID_REQUEST', 'The amount is larger than one transfer of Hedera can carry.')
  const memo = isDeposit ? request.orderId.toLowerCase() : request.label
  const entries = entriesOf(from, to, money)
  const sdk = await loadSdk()
  const transaction = addTransfers(sdk, new sdk.TransferTransaction(), entries)
    .setTransactionMemo(memo)
    .setMaxTransactionFee(sdk.Hbar.fromTinybars(maxTransactionFee.toString()))
    .toBytes()
  const transfers = entries.map(({ account: accountId, amount, token: tokenId }) =>
    tokenId === null ? { accountId, amount } : { accountId, amount, tokenId },
  )
  const fields = { transfers, memo, chainId, maxTransactionFee: maxTransactionFee.toString() }
  // CAST: plain data, all of it JSON; interfaces have no index signature.
  const data = { ...fields, transaction: Buffer.from(transaction).toString('base64') } as unknown as Json
  return [isDeposit ? depositStep(data) : addressPaymentStep(data)]
}
