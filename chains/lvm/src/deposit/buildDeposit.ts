import { type Hex, type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, StepItemDraft } from '@causeway/core/chain'
import { depositStep } from '@causeway/core/chain-kit'
import { indexOf } from '../address/addresses.js'
import { MAX_AMOUNT, routeOf } from '../address/assets.js'
import { orderIdIn } from '../address/memos.js'

/** A deposit of a user. */
export interface DepositTerms {
  readonly from: string
  readonly to: string
  readonly money: ChainMoney
  readonly orderId: Hex
  /** Fee of the transfer, in millionths of a USDC. */
  readonly fee: bigint
}

/**
 * The one step of a deposit: a transfer whose memo is the order id (chains.md lvm 3).
 * @throws ServiceError INVALID_REQUEST for a transfer that the depository could not credit
 */
export const buildTransferStep = ({ from, to, money, orderId, fee }: DepositTerms): readonly StepItemDraft[] => {
  if (from === to)
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself. Name another account as user.')
  if (money.amount > MAX_AMOUNT || fee > MAX_AMOUNT)
    throw new ServiceError('INVALID_REQUEST', 'The amount is larger than one transfer of Lighter can carry.')
  const memo = orderId.toLowerCase()
  if (orderIdIn(Buffer.from(memo.slice(2), 'hex')) === null)
    throw new ServiceError('INVALID_REQUEST', 'The order id ends with zeros, which Lighter transfers cannot name.')
  const { asset: assetIndex, route } = routeOf(money.currency)
  const parameters = {
    ...{ toAccountIndex: indexOf(to), assetIndex, fromRouteType: route, toRouteType: route },
    ...{ amount: Number(money.amount), usdcFee: Number(fee), memo },
  }
  // CAST: plain data, all of it JSON; interfaces have no index signature.
  const data = { action: { type: 'transfer', parameters } } as unknown as Json
  return [depositStep(data)]
}
