import type { BroadcastResult } from '@causeway/core/chain'
import type { JsonRpcError } from '@causeway/core/chain-kit'

type Rejection = Extract<BroadcastResult, { outcome: 'rejected' }>['reason']

/** Node has these bytes already (F53). */
const KNOWN =
  /already ?known|already ?imported|transaction already finalized|already exists in (the )?(mem)?pool|known transaction|already in (the )?mempool|transaction already exists/i

/** First match decides. Texts of geth, erigon, nethermind, besu, reth, anvil, parity and op-stack nodes. */
const REJECTED: readonly (readonly [RegExp, Rejection])[] = [
  [
    /nonce[ _]?(is )?too[ _]low|oldnonce|invalid nonce.*(low|old)|nonce .*(already used|below)|nonce too small|pool\(stale/i,
    'nonce-too-low',
  ],
  [
    /replacement.*underpriced|underpriced|not_?replaced|fee too low|gas price (\w+ )?(is )?too low|gas price below|try increasing the fee|less than block base fee|feetoolow|max fee per gas less|fee cap less than|replacementnotallowed|could not replace/i,
    'underpriced',
  ],
  [
    /insufficient (funds|balance)|insufficientfunds|insufficient_balance|upfront cost exceeds|insufficient (\w+ for )?sender balance|doesn't have enough funds|not enough funds/i,
    'insufficient-funds',
  ],
  [
    /invalid (sender|signature|chain id)|intrinsic gas too low|gas is too low|exceeds (block|current) gas limit|beyond limit|gas uint64 overflow|negative value|exceeds the configured cap|fee cap exceeded|gas limit (is )?too high|oversized data|transaction type not supported|tx type not supported|rlp|only replay-protected|max initcode|priority fee per gas higher|tip above fee cap/i,
    'invalid',
  ],
]

/**
 * What a broadcast error means. Only texts in the table are refusals; every other one leaves open whether the
 * transaction will land (F53, F54).
 */
export const classifyBroadcastError = (error: JsonRpcError): BroadcastResult => {
  const text = error.message
  const message = text.replace(/https?:\/\/\S+/g, '').slice(0, 200)
  if (KNOWN.test(text)) return { outcome: 'known' }
  const hit = REJECTED.find(([pattern]) => pattern.test(text))
  return hit === undefined ? { outcome: 'unknown', message } : { outcome: 'rejected', reason: hit[1], message }
}
