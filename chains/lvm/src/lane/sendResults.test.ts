import { expect, it } from 'vitest'
import { broadcastResultOf, failureText, isNonceRefusal } from './sendResults.js'

it.each([
  ['21103', 'transaction expired', 'expired'],
  ['21112', 'invalid transfer fee', 'underpriced'],
  ['21130', 'not enough balance to transfer', 'insufficient-funds'],
  ['21120', 'invalid signature', 'invalid'],
  ['21121', 'invalid L1 signature', 'invalid'],
  ['21102', 'account not found', 'invalid'],
  ['21109', 'api key not found', 'invalid'],
  ['21111', 'invalid memo length', 'invalid'],
  ['23000', 'too many requests', 'unknown'],
  ['29500', 'internal server error', 'unknown'],
  ['1', '', 'unknown'],
])('%s %s means %s', (code, message, expected) => {
  const result = broadcastResultOf({ code, message })
  expect(result.outcome === 'rejected' ? result.reason : result.outcome).toBe(expected)
})

it('a refusal about the number is looked into', () => {
  expect(isNonceRefusal({ code: '21104', message: 'invalid nonce' })).toBe(true)
  expect(isNonceRefusal({ code: '21112', message: 'invalid transfer fee' })).toBe(false)
})

it('says in words how a transaction ended', () => {
  expect([failureText('4'), failureText('5')]).toEqual([
    'The exchange did not execute it: it failed when it was executed.',
    'The exchange did not execute it: it was rejected.',
  ])
})
