import {
  type ClaimedDeposit,
  confirmByProviders,
  type DepositTestimony,
  type DepositTestimonyDeps,
  isClaimed,
  type JsonRpcEndpoint,
} from '@causeway/core'
import { bindTo } from './boundNode.js'
import { look, UNSEEN } from './depositLookup.js'
import type { DepositForm } from './readDeposits.js'

export interface ConfirmDeps extends DepositForm, DepositTestimonyDeps {
  /** Confirmations that only a finalized transaction has. */
  readonly settle: number
}

/**
 * Asks every trusted provider; true when `agreeing` of them show the same deposit, each `confirmations` slots deep by its own
 * head, and finalized from `settle` on. Throws when fewer than that answer. Those that show what most others deny are not
 * trusted any more.
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
  deps: ConfirmDeps,
): Promise<DepositTestimony> => {
  const { confirmed, finalized, sights } = await look([claim.tx.id], bindTo(endpoint).ask, deps)
  const { deposits, block } = sights.get(claim.tx.id) ?? UNSEEN
  const slot = isClaimed(deposits[claim.position], claim) ? (block?.height ?? null) : null
  const isDeep = (at: bigint) =>
    confirmations >= deps.settle ? at <= finalized : confirmed - at + 1n >= BigInt(confirmations)
  // Below its final slot a node has everything.
  return { height: slot, confirms: slot !== null && isDeep(slot), complete: finalized }
}
