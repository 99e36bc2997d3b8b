import { describe, expect, it } from 'vitest'
import { messageText } from '../rpc/tronNode.js'
import { broadcastResultOf } from './broadcast.js'

const outcomeOf = (code: string, message = '') => {
  const result = broadcastResultOf(code, message)
  return result.outcome === 'rejected' ? result.reason : result.outcome
}

describe('the answer of a node to a broadcast', () => {
  it.each([
    ['SUCCESS', '', 'known'],
    ['DUP_TRANSACTION_ERROR', '', 'known'],
    ['TRANSACTION_EXPIRATION_ERROR', '', 'expired'],
    ['CONTRACT_VALIDATE_ERROR', 'Validate TransferContract error, balance is not sufficient.', 'insufficient-funds'],
    ['CONTRACT_VALIDATE_ERROR', 'Validate TransferContract error, no OwnerAccount.', 'insufficient-funds'],
    ['CONTRACT_VALIDATE_ERROR', 'Cannot transfer TRX to a smartContract.', 'invalid'],
    ['BANDWITH_ERROR', '', 'insufficient-funds'],
    ['SIGERROR', '', 'invalid'],
    ['TAPOS_ERROR', '', 'unknown'],
    ['SERVER_BUSY', '', 'unknown'],
    ['NOT_ENOUGH_EFFECTIVE_CONNECTION', '', 'unknown'],
    ['BLOCK_UNSOLIDIFIED', '', 'unknown'],
  ])('%s %s is %s', (code, message, outcome) => expect(outcomeOf(code, message)).toBe(outcome))
})

it('messages of nodes are hex, and are shown as text without control characters', () => {
  expect(messageText(Buffer.from('REVERT opcode executed').toString('hex'))).toBe('REVERT opcode executed')
  expect(messageText('no hex: 12')).toBe('no hex: 12')
  expect(messageText('0a0b41')).toBe('A')
})
