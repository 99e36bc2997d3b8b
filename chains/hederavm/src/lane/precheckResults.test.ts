import { expect, it } from 'vitest'
import { broadcastResultOf, resultText } from './precheckResults.js'

it.each([
  ['OK', 'known'],
  ['DUPLICATE_TRANSACTION', 'known'],
  ['TRANSACTION_EXPIRED', 'expired'],
  ['BUSY', 'unknown'],
  ['PLATFORM_NOT_ACTIVE', 'unknown'],
  ['INVALID_NODE_ACCOUNT', 'unknown'],
  // The clock of this process is ahead: the transaction becomes valid.
  ['INVALID_TRANSACTION_START', 'unknown'],
  ['A_STATUS_OF_LATER_VERSIONS', 'unknown'],
  ['INSUFFICIENT_TX_FEE', 'underpriced'],
  ['INSUFFICIENT_PAYER_BALANCE', 'insufficient-funds'],
  ['INVALID_SIGNATURE', 'invalid'],
])('%s is "%s"', (status, meaning) => {
  const result = broadcastResultOf(status)
  expect(result.outcome === 'rejected' ? result.reason : result.outcome).toBe(meaning)
})

it('a result at consensus is described in words, with its code', () => {
  expect(resultText('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')).toMatch(/not associated.*TOKEN_NOT_ASSOCIATED_TO_ACCOUNT/)
  expect(resultText('SOMETHING_NEW')).toMatch(/SOMETHING_NEW/)
})
