import type { BroadcastResult } from '@causeway/core/chain'

const KNOWN = /already in (block ?chain|mempool|utxo)|txn-already-known|txn-already-in-mempool|txn-same-nonwitness/i
const REPLACED = /missing-?inputs|bad-txns-inputs-(missingorspent|spent)|txn-mempool-conflict/i
const CHEAP =
  /insufficient fee|min relay fee|mempool min fee|fee (is )?too low|too-long-mempool-chain|too-large-cluster|feerate diagram|mempool full/i
const CONSENSUS =
  /^(bad-|mandatory-script|non-mandatory-script|(mempool|block)-script-verify|scriptsig-|dust|scriptpubkey|tx-size|version|non-final|non-bip68|tx decode|multi-op-return|datacarrier|max-fee|max(imum)? ?fee|absurdly)/i

/**
 * What a node's refusal of a transaction means. `nonce-too-low` here: a coin is spent already, or a parent is missing. A text
 * that is not known proves nothing.
 */
export const readRefusal = (text: string): BroadcastResult => {
  const reason = /"message"\s*:\s*"([^"]{0,300})/.exec(text)?.[1] ?? text
  const message = reason.replace(/^.*RPC error:?\s*/i, '').slice(0, 200)
  if (KNOWN.test(message)) return { outcome: 'known' }
  if (REPLACED.test(message)) return { outcome: 'rejected', reason: 'nonce-too-low', message }
  if (CHEAP.test(message)) return { outcome: 'rejected', reason: 'underpriced', message }
  if (CONSENSUS.test(message.trim())) return { outcome: 'rejected', reason: 'invalid', message }
  return { outcome: 'unknown', message }
}
