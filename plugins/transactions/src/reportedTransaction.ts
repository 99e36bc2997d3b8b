import { type Chain, type ChainRegistry, ServiceError } from '@causeway/core'
import { checkTransactionId } from './transactionIdForm.js'

export interface ReportedTransaction {
  readonly chain: Chain
  /** Canonical text. */
  readonly txId: string
}

/**
 * Finds the chain and the canonical id of a transaction that a client names. `chainId` is a number or its decimal text.
 * Throws `UNSUPPORTED_CHAIN` for a chain this deployment does not have and `INVALID_REQUEST` for an id of another form.
 */
export const readTransaction = (
  chains: ChainRegistry,
  named: { readonly chainId: number | string; readonly txHash: string },
): ReportedTransaction => {
  const chain = chains.find(Number(named.chainId))
  if (chain === undefined) throw new ServiceError('UNSUPPORTED_CHAIN', 'This chain is not supported here')
  const check = checkTransactionId(chain.adapter.vmType, named.txHash)
  if (!check.ok) {
    throw new ServiceError('INVALID_REQUEST', `The transaction hash must be ${check.rule} on this chain`)
  }
  return { chain, txId: check.id }
}
