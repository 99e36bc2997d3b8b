import { ServiceError } from '@causeway/core'
import type { TransactionIdCheck } from '@causeway/core/chain'
import {
  type Caller,
  type Chain,
  type ChainRegistry,
  holderOf,
  type RequestContext,
  TRUSTED_CALLER,
} from '@causeway/core/plugin'

export interface ReportedTransaction {
  readonly chain: Chain
  /** Canonical text. */
  readonly txId: string
}

/** Caller that the transactions of a call are counted for. */
export const hinterOf = (caller: Caller, { ip }: RequestContext): string => holderOf(caller, ip) ?? TRUSTED_CALLER

/** Of a chain that declares no form: it judges when it is asked for the transaction. */
const anyVisibleId = (text: string): TransactionIdCheck =>
  /^[!-~]{1,256}$/.test(text)
    ? { ok: true, canonical: text }
    : { ok: false, form: 'a text of 1 to 256 visible characters' }

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
  const check = (chain.adapter.checkTransactionId ?? anyVisibleId)(named.txHash)
  if (!check.ok) {
    throw new ServiceError('INVALID_REQUEST', `The transaction hash must be ${check.form} on this chain`)
  }
  return { chain, txId: check.canonical }
}
