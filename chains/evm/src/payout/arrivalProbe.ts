import { transferProbeRuntimeBytecode } from '@causeway/contracts-abi'
import type { Payout } from '@causeway/core/chain'
import type { RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import { firstWord } from '../read/balances.js'
import { staticCall } from './contracts/staticCall.js'

const encodeArriving = staticCall('arriving(address,address,uint256)')

/** Runs the transfer with code in the payer's place that compares what the recipient holds before and after. */
export const arrivalCall = ({ from, to, money }: Payout): RpcCall => {
  const data = encodeArriving(money.currency, to.address, money.amount)
  return {
    method: 'eth_call',
    params: [{ to: from, data }, 'latest', { [from]: { code: transferProbeRuntimeBytecode } }],
  }
}

/** Why a fill of the token would bring too little; null where nothing is missing, or the node runs no code in another's place. */
export const shortfall = ({ money }: Payout, outcome: RpcOutcome | undefined): string | null => {
  if (outcome?.ok !== true) return null
  const arriving = firstWord(String(outcome.result))
  if (arriving >= money.amount) return null
  return `The token takes a fee: of ${money.amount} only ${arriving} would arrive.`
}
