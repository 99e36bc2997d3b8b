import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DepositEvent } from '../chain/chainAdapter.js'
import { balanceMarker, isBalanceMarker, walletOfMarker } from './balanceMarker.js'
import { classifyDeposit, type DepositContext } from './classifyDeposit.js'

const WALLET = `0x${'ab'.repeat(20)}`
const wallets = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

describe('the marker of a top-up (wire.md 4.12)', () => {
  it('is an order id of 32 bytes, and names its wallet', () => {
    fc.assert(
      fc.property(wallets, (wallet) => {
        fc.pre(!/^0x0{40}$/.test(wallet))
        const marker = balanceMarker(wallet)
        expect(marker).toHaveLength(66)
        expect(isBalanceMarker(marker)).toBe(true)
        expect(walletOfMarker(marker, 'anybody')).toBe(wallet)
      }),
    )
  })

  it('of zeros names the sender, where that is a wallet, in lower case', () => {
    expect(walletOfMarker(balanceMarker(null), WALLET.toUpperCase().replace('0X', '0x'))).toBe(WALLET)
    expect(walletOfMarker(balanceMarker(null), 'rEXAMPLE')).toBeNull()
  })

  it.each([`0x${'12'.repeat(32)}`, `0x012345abcdef${'ab'.repeat(20)}012345abcdee`, '0x012345abcdef012345abcdef'])(
    'is nothing else: %s',
    (id) => expect(isBalanceMarker(id)).toBe(false),
  )
})

describe('a deposit with a marker', () => {
  // CAST: only the fields the rules read.
  const event = {
    orderId: balanceMarker(null),
    depositor: WALLET,
    money: { currency: 'usdc', amount: 1n },
  } as DepositEvent
  const context: DepositContext = {
    ...{ chainId: 1, terms: null, consumed: false, refundable: true, droppedAfterDays: null, now: 0 },
    keepsBalances: true,
  }

  it('becomes balance', () => {
    expect(classifyDeposit(event, context)).toEqual({ kind: 'balance', wallet: WALLET })
  })

  it.each([
    { name: 'no balances are kept', change: { keepsBalances: false }, reason: 'keeps none' },
    { name: 'the solver does not hold it', change: { refundable: false }, reason: 'not held by the solver' },
  ])('is parked where $name', ({ change, reason }) => {
    const fate = classifyDeposit(event, { ...context, ...change })
    expect(fate).toEqual({ kind: 'parked', reason: expect.stringContaining(reason) })
  })
})
