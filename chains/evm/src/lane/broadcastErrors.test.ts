import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { classifyBroadcastError } from './broadcastErrors.js'

const outcomeOf = (message: string): string => {
  const result = classifyBroadcastError({ code: -32000, message })
  return result.outcome === 'rejected' ? result.reason : result.outcome
}

/** Texts of geth, erigon, nethermind, besu, reth, anvil and parity. */
const TABLE = [
  ['already known', 'known'],
  ['AlreadyKnown', 'known'],
  ['ALREADY_EXISTS: already known', 'known'],
  ['Known transaction', 'known'],
  ['transaction already imported', 'known'],
  ['Transaction with the same hash was already imported.', 'known'],
  ['nonce too low', 'nonce-too-low'],
  ['nonce too low: next nonce 5, tx nonce 4', 'nonce-too-low'],
  ['Nonce too low', 'nonce-too-low'],
  ['NONCE_TOO_LOW', 'nonce-too-low'],
  ['OldNonce, Current nonce: 7, nonce of rejected tx: 3', 'nonce-too-low'],
  ['Transaction nonce is too low. Try incrementing the nonce.', 'nonce-too-low'],
  ['replacement transaction underpriced', 'underpriced'],
  ['Replacement transaction underpriced', 'underpriced'],
  ['transaction underpriced: gas tip cap 1, minimum needed 2', 'underpriced'],
  ['transaction gas price below minimum: gas tip cap 1, minimum needed 2', 'underpriced'],
  ['insufficient MaxFeePerGas for sender balance', 'insufficient-funds'],
  ['Transaction gas price is too low. There is another transaction with same nonce in the queue.', 'underpriced'],
  ['ReplacementNotAllowed', 'underpriced'],
  ['FeeTooLow, EffectivePriorityFeePerGas too low', 'underpriced'],
  ['max fee per gas less than block base fee: address 0x, maxFeePerGas: 1 baseFee: 2', 'underpriced'],
  ['INTERNAL_ERROR: could not replace existing tx', 'underpriced'],
  ['insufficient funds for gas * price + value: balance 0, tx cost 1', 'insufficient-funds'],
  ['Insufficient funds for gas * price + value', 'insufficient-funds'],
  ['InsufficientFunds, Account balance: 0, cumulative cost: 1', 'insufficient-funds'],
  ['Upfront cost exceeds account balance (transaction up-front cost 0x1 exceeds)', 'insufficient-funds'],
  ['intrinsic gas too low', 'invalid'],
  ['invalid chain id for signer: have 1 want 2', 'invalid'],
  ['exceeds block gas limit', 'invalid'],
  ['Internal error', 'unknown'],
  ['context deadline exceeded', 'unknown'],
  ['txpool is full', 'unknown'],
  ['nonce too high', 'unknown'],
  ['execution aborted (timeout = 5s)', 'unknown'],
  ['', 'unknown'],
] as const

test.each(TABLE)('F53, F54: "%s" means %s', (message, outcome) => {
  expect(outcomeOf(message)).toBe(outcome)
})

const { broadcast } = JSON.parse(readFileSync(new URL('../rpc/fixtures/errorTexts.json', import.meta.url), 'utf8')) as {
  readonly broadcast: readonly (readonly [message: string, outcomes: string])[]
}

test.each(broadcast)('F53, F54: "%s", as recorded, means %s', (message, outcomes) => {
  expect(outcomes.split('|')).toContain(outcomeOf(message))
})

test('the message holds no URL', () => {
  const result = classifyBroadcastError({ code: -1, message: 'upstream https://node.example/key failed' })
  expect(JSON.stringify(result)).not.toContain('node.example')
})
