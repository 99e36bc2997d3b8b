import { type Hex, type Json, parseDestination, ServiceError } from '@causeway/core'
import type { ChainMoney, StepItemDraft } from '@causeway/core/chain'
import { amountJson } from '../address/amounts.js'
import { askTransferRate, spentFor } from '../payout/transferRates.js'
import { networkField } from '../rpc/networkField.js'
import type { Asked } from '../rpc/xrpNode.js'
import { memosOf } from './memos.js'

export interface DepositBuilderDeps {
  readonly rpc: Asked
  readonly chainId: number
  readonly networkId: number
}

/** A payment of a wallet to an account; without an order id it is a plain payment. */
export interface PaymentRequest {
  /** Account of the user, which may have a tag behind it (`destinationText`). */
  readonly from: string
  readonly to: { readonly address: string; readonly tag?: number }
  readonly money: ChainMoney
  readonly orderId: Hex | null
}

/**
 * The one step of a deposit: a payment without number, fee and last ledger, which the wallet fills in and signs (chains.md xrpvm 3).
 * Where the issuer takes something of transfers, the most that is spent stands beside what must arrive.
 * @throws ServiceError INVALID_REQUEST for an amount that the ledger cannot write, UNSUPPORTED_CURRENCY
 */
export const buildPaymentStep = async (
  request: PaymentRequest,
  deps: DepositBuilderDeps,
): Promise<readonly StepItemDraft[]> => {
  const { money, orderId } = request
  const rate = await askTransferRate(deps.rpc, money.currency)
  const transaction = paymentOf(request, rate, deps.networkId)
  return [
    {
      stepId: 'deposit',
      kind: 'transaction',
      action: 'Confirm transaction in your wallet',
      description:
        orderId === null
          ? 'Sends the funds to the deposit address'
          : 'Deposits the funds so that the transfer can be filled',
      data: { transaction, chainId: deps.chainId },
    },
  ]
}

const paymentOf = ({ from, to, money, orderId }: PaymentRequest, rate: bigint, networkId: number): Json => {
  const { currency, amount } = money
  const sender = parseDestination(from)
  if (sender.address === to.address) {
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself: name another account as user.')
  }
  const spent = spentFor({ from: sender.address, to: to.address, currency, amount }, rate)
  return {
    TransactionType: 'Payment',
    Account: sender.address,
    ...(sender.tag === undefined ? {} : { SourceTag: sender.tag }),
    Destination: to.address,
    ...(to.tag === undefined ? {} : { DestinationTag: to.tag }),
    Amount: amountJson(currency, amount),
    ...(spent === amount ? {} : { SendMax: amountJson(currency, spent) }),
    ...(orderId === null ? {} : { Memos: memosOf(orderId.toLowerCase()).map(({ Memo }) => ({ Memo: { ...Memo } })) }),
    ...networkField(networkId),
  }
}
