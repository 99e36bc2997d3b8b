import type { Hex } from '@causeway/core'
import { keccak256 } from '@causeway/core/chain'
import {
  type Caller,
  personalDigest,
  type QuoteTerms,
  type StoredQuote,
  type WalletSignatures,
} from '@causeway/core/plugin'
import { type ExecuteInput, refuse } from './executeInput.js'

/** Personal message that a wallet signs so that a call may be sent for its quote (wire.md 2.6). */
export const ownerMessage = (requestId: Hex, { chainId, call }: Pick<ExecuteInput, 'chainId' | 'call'>): string =>
  [
    'Send a call for my quote',
    `Request: ${requestId}`,
    `Chain: ${chainId}`,
    `To: ${call.to}`,
    `Data hash: 0x${Buffer.from(keccak256(Buffer.from(call.data.slice(2), 'hex'))).toString('hex')}`,
  ].join('\n')

/**
 * A quote has one call, so another caller's would block it (faults.md F153). Requires the key that asked for the quote; of a quote without a
 * key, the signature of its user over just this call. Throws HttpError, and ServiceError 503 while a contract wallet cannot be asked.
 */
export const requireOwner = async (
  signatures: WalletSignatures,
  { integratorId }: Pick<StoredQuote, 'integratorId'>,
  { terms, input, caller }: { readonly terms: QuoteTerms; readonly input: ExecuteInput; readonly caller: Caller },
): Promise<void> => {
  if (integratorId !== null) {
    if (caller.kind === 'integrator' && caller.integratorId === integratorId) return
    throw refuse('This requestId was quoted for another API key')
  }
  if (input.ownerSignature === null)
    throw refuse(
      'This requestId was quoted without an API key: quote with your key, or send ownerSignature of its user',
    )
  const verdict = await signatures.verify({
    wallet: terms.user,
    digest: personalDigest(ownerMessage(terms.requestId, input)),
    signature: input.ownerSignature,
    chainIds: [input.chainId],
  })
  if (verdict.kind === 'refused') throw refuse(`ownerSignature is not that of the quote's user: ${verdict.reason}`)
}
