import type { TxRef } from '../chain/chainReferences.js'
import { token } from '../container/tokens.js'
import type { Hex } from '../money/hex.js'
import type { FundsAtAddress } from './fundsAtAddress.js'
import type { RequestStatus } from './requestStatus.js'

/** What the status operations answer from (wire.md 2.1): a request, or a quote nobody has paid yet (`waiting`). */
export interface RequestStatusView {
  readonly requestId: Hex
  readonly status: RequestStatus
  /** Null when there is nothing to say; on `failure` it starts with "Transaction failed" (wire.md H.3). */
  readonly details: string | null
  readonly inTxHashes: readonly string[]
  /** The user's own payment to an address, which `inTxHashes` brought in (wire.md E.5); null where there is none. */
  readonly transferTx: string | null
  /** Fill hashes, or refund hashes of a refunded request. */
  readonly txHashes: readonly string[]
  /** Unix milliseconds. */
  readonly updatedAt: number
  readonly quoteCreatedAt: number
  readonly originChainId: number
  readonly destinationChainId: number
  readonly failReason: string | null
  readonly refundFailReason: string | null
  /** Balance of its deposit address while it waits; absent if there is none, or no address. */
  readonly atAddress?: FundsAtAddress
}

/** What a transaction is to a request, and what its chain needs to find it. */
export interface RequestOfTransaction extends Pick<TxRef, 'locator'> {
  readonly requestId: Hex
  readonly kind: 'deposit' | 'fill' | 'refund' | 'other'
}

/** Reads requests for the HTTP surfaces; one statement a call. */
export interface RequestReader {
  /** For the id of a quote also what became of a deposit of its user that could not be filled, until a fit one comes (faults.md F135). */
  findStatus(requestId: Hex): Promise<RequestStatusView | null>
  /** The request a transaction belongs to, by any of its hashes: the id under which its status is told. */
  findByTransaction(chainId: number, txId: string): Promise<RequestOfTransaction | null>
}

export const REQUESTS = token<RequestReader>('core/RequestReader')

/**
 * Tells the watcher of a chain to look now: a client says it has just sent something. Needed only where the node that was read hid a
 * deposit: it is taken up when it is named.
 */
export interface DepositHints {
  /** `caller`: whom what waits is counted for, as `holderOf` names it. */
  hint(chainId: number, txId: string, caller: string): void
}

/** The caller of hints that come from a trusted key or an operator's command. */
export const TRUSTED_CALLER = 'trusted'

export const DEPOSIT_HINTS = token<DepositHints>('core/DepositHints')
