import {
  type ClaimedDeposit,
  confirmByProviders,
  type DepositTestimony,
  type DepositTestimonyDeps,
  isClaimed,
  type JsonRpcEndpoint,
  type RpcCall,
  type RpcOutcome,
  resultOf,
} from '@causeway/core'
import { headOf } from '../head/headSource.js'
import type { RpcBlock } from '../rpc/wire.js'
import { look, UNSEEN } from './depositLookup.js'

/** Blocks on a deposit after which a node that does not show it denies it, and is not just late. */
const DENIAL_DEPTH = 5

export interface ConfirmDeps extends DepositTestimonyDeps {
  readonly depository: string
  readonly settle: number
}

/**
 * Asks every trusted provider; true when `agreeing` of them show the same deposit, each `confirmations` blocks deep by its own
 * head. Throws when fewer than that answer. Those that show what most others deny are not trusted any more.
 */
export const confirmDeposit = (
  claim: ClaimedDeposit,
  { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  deps: ConfirmDeps,
): Promise<boolean> =>
  confirmByProviders(claim, agreeing, (endpoint) => testify(endpoint, claim, confirmations, deps), deps)

const testify = async (
  endpoint: JsonRpcEndpoint,
  claim: ClaimedDeposit,
  confirmations: number,
  { depository, settle }: ConfirmDeps,
): Promise<DepositTestimony> => {
  const ask = (calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> => endpoint.batch(calls)
  const [[latest], sights] = await Promise.all([
    ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]),
    look([claim.tx.id], ask, depository),
  ])
  const { deposits, block } = sights.get(claim.tx.id) ?? UNSEEN
  const tip = headOf(resultOf<RpcBlock>(latest, 'eth_getBlockByNumber')).height
  const height = isClaimed(deposits[claim.position], claim) ? (block?.height ?? null) : null
  const confirms = height !== null && tip - height + 1n >= BigInt(confirmations)
  return { height, confirms, complete: tip - BigInt(Math.min(settle, DENIAL_DEPTH)) }
}
