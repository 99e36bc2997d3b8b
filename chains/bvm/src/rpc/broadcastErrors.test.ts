import { expect, test } from 'vitest'
import { readRefusal } from './broadcastErrors.js'

/** Texts of Bitcoin Core; those of 30 and 31 last. */
test.each([
  ['txn-already-known', 'known'],
  ['txn-mempool-conflict', 'nonce-too-low'],
  ['bad-txns-inputs-missingorspent', 'nonce-too-low'],
  ['min relay fee not met, 100 < 200', 'underpriced'],
  ['too-long-mempool-chain', 'underpriced'],
  ['mandatory-script-verify-flag-failed (Signature must be zero)', 'invalid'],
  ['mempool-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)', 'invalid'],
  [
    'block-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
    'invalid',
  ],
  ['too-large-cluster', 'underpriced'],
  ['insufficient feerate: does not improve feerate diagram', 'underpriced'],
  ['replacement-failed, does not improve feerate diagram', 'underpriced'],
])('F54: "%s" means %s', (text, meaning) => {
  const answers = [text, `sendrawtransaction RPC error: {"code":-26,"message":"${text}"}`].map(readRefusal)
  for (const result of answers) {
    expect(result.outcome === 'rejected' ? result.reason : result.outcome).toBe(meaning)
  }
})
