import type { Payout } from '@causeway/core/chain'
import type { RpcCall } from '@causeway/core/chain-kit'
import type { EvmSettings } from '../../options.js'
import { quantity } from '../../rpc/wire.js'
import { delegationParams } from '../delegations.js'
import { isPlain, type PayoutForm } from '../payoutForm.js'
import { failureOf, type Run } from '../simulationFailure.js'
import { reservedGas } from './gasTable.js'

/** Asks a node to run the payment and tell its gas; `eth_estimateGas` stops it above its limit. */
export const estimateCall = (payout: Payout, { to, data, value }: PayoutForm, settings: EvmSettings): RpcCall => {
  const gas = quantity(limitOf(payout, settings) + 100_000n)
  const call = { from: payout.from, to, data, value: quantity(value), gas, ...delegationParams(payout) }
  return { method: 'eth_estimateGas', params: [call] }
}

/** Most that a payment may take by the chain's options. */
export const limitOf = (payout: Payout, { callsGasLimit, recipientGasLimit }: EvmSettings): bigint =>
  isPlain(payout) ? recipientGasLimit : callsGasLimit

/** The estimate, unless it is more than such a payment may take. */
export const withinLimit = (payout: Payout, form: PayoutForm, gas: bigint, settings: EvmSettings): Run => {
  const reserved = reservedGas(payout) ?? gas
  if (gas <= limitOf(payout, settings) && gas <= reserved) return { ok: true, gas }
  return isPlain(payout)
    ? failureOf(payout, form, 'recipient-cannot-receive', 'The recipient uses too much gas to be paid')
    : failureOf(payout, form, 'revert', 'The payment uses more gas than is set aside for it')
}
