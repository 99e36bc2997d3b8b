import { describe, expect, it } from 'vitest'
import { broadcastResultOf } from './exchangeAnswers.js'

const SENDER = `0x${'11'.repeat(20)}`
const STRANGER = `0x${'22'.repeat(20)}`
const meaning = (response: unknown) => broadcastResultOf({ status: 'err', response }, SENDER)

describe('answers of the exchange, all with HTTP status 200', () => {
  it('ok was taken', () => {
    expect(broadcastResultOf({ status: 'ok', response: { type: 'default' } }, SENDER)).toEqual({ outcome: 'known' })
  })

  it.each([
    ['Invalid nonce: duplicate nonce 1796000000000', { outcome: 'known' }],
    ['Invalid nonce: nonce too low 1 < 2', { outcome: 'expired' }],
    ['Insufficient balance for token transfer', { outcome: 'rejected', reason: 'insufficient-funds' }],
    ['Insufficient USDC balance for token transfer gas.', { outcome: 'rejected', reason: 'insufficient-funds' }],
    ['Unknown token ABC', { outcome: 'rejected', reason: 'invalid' }],
    ['Mainnet and testnet require different signature.', { outcome: 'rejected', reason: 'invalid' }],
    ['Too many cumulative requests sent', { outcome: 'unknown' }],
    [null, { outcome: 'unknown' }],
  ])('%s', (response, result) => {
    expect(meaning(response)).toMatchObject(result)
  })

  it('an action that recovers to a stranger was altered; an account without money has none', () => {
    const text = (user: string) => `Must deposit before performing actions. User: ${user}`
    expect(meaning(text(STRANGER))).toMatchObject({ outcome: 'rejected', reason: 'invalid' })
    expect(meaning(text(SENDER))).toMatchObject({ outcome: 'rejected', reason: 'insufficient-funds' })
  })
})
