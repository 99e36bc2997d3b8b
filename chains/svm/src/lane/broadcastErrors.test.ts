import { describe, expect, test } from 'vitest'
import { classifyBroadcastError } from './broadcastErrors.js'

const failed = (err: unknown, message = 'Transaction simulation failed') => ({ code: -32002, message, data: { err } })

describe('what the answer to a broadcast means (F53, F54)', () => {
  test.each([
    [failed('AlreadyProcessed'), 'known'],
    [failed(null, 'Transaction simulation failed: This transaction has already been processed'), 'known'],
    [failed('BlockhashNotFound', 'Transaction simulation failed: Blockhash not found'), 'unknown'],
    [{ code: -32005, message: 'Node is behind by 120 slots' }, 'unknown'],
    [{ code: -32603, message: 'Internal error' }, 'unknown'],
    [{ code: 429, message: 'Too many requests' }, 'unknown'],
    [{ code: 0, message: '' }, 'unknown'],
  ])('%j', (error, outcome) => {
    expect(classifyBroadcastError(error).outcome).toBe(outcome)
  })

  test.each([
    [failed('InsufficientFundsForFee'), 'insufficient-funds'],
    [failed({ InsufficientFundsForRent: { account_index: 0 } }), 'insufficient-funds'],
    [{ code: -32003, message: 'Transaction signature verification failure' }, 'invalid'],
    [{ code: -32602, message: 'base64 encoded solana_transaction::Transaction too large: 1720 bytes' }, 'invalid'],
    [{ code: -32602, message: 'failed to deserialize solana_transaction' }, 'invalid'],
  ])('refused: %j', (error, reason) => {
    expect(classifyBroadcastError(error)).toMatchObject({ outcome: 'rejected', reason })
  })

  test('no URL reaches the message (F96)', () => {
    const answer = classifyBroadcastError({ code: 1, message: 'see https://node.example/key123 for help' })
    expect(JSON.stringify(answer)).not.toContain('key123')
  })
})
