import type { Hex } from '@causeway/core'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../kernel/random.js'
import { SimLedger } from '../simLedger.js'
import { SimUser } from '../simUser.js'
import type { SimPermit } from './simPermit.js'

const NOW = 1_700_000_000
const ORDER: Hex = `0x${'7'.repeat(64)}`
const PLENTY = 1_000_000n

/** A ledger with an owner that signs for money, and a stranger that brings it in. */
const open = (more: Partial<SimPermit> = {}) => {
  const clock = { now: NOW }
  const ledger = new SimLedger({
    chainId: 9,
    slug: 'sim',
    kind: 'reorging',
    settle: 4,
    now: () => clock.now * 1_000,
    random: seeded('permits'),
  })
  const [owner, stranger] = [new SimUser('owner'), new SimUser('stranger')]
  ledger.fund(owner.address, ledger.token, 100n)
  ledger.fund(stranger.address, ledger.coin, PLENTY)
  const terms = { orderId: ORDER, owner: owner.address, currency: ledger.token, amount: '70', expiresAt: NOW + 60 }
  const permit = { ...owner.permit(ledger, terms), ...more }
  const bringIn = (): void => void ledger.submit(stranger.bringIn(ledger, permit).raw)
  const reasons = () => ledger.records().map(({ reason }) => reason)
  return { clock, ledger, owner, stranger, permit, bringIn, reasons }
}

describe('what an owner signed for', () => {
  it('is brought in by anybody, at their cost, and once', () => {
    const { ledger, owner, stranger, bringIn, reasons } = open()
    bringIn()
    bringIn()
    ledger.mine()
    expect(reasons()).toEqual([null, 'PERMIT_USED'])
    expect(ledger.balance(owner.address, ledger.token)).toBe(30n)
    expect(ledger.balance(ledger.depository, ledger.token)).toBe(70n)
    expect(ledger.balance(stranger.address, ledger.coin)).toBe(PLENTY - 4n * ledger.fee)
  })

  it('can be brought in again when its block leaves', () => {
    const { ledger, bringIn, reasons } = open()
    bringIn()
    ledger.mine()
    ledger.reorg(1, 'lost')
    expect(ledger.balance(ledger.depository, ledger.token)).toBe(0n)
    bringIn()
    ledger.mine()
    expect(reasons()).toEqual([null])
  })

  it('fails after its time, where the owner has too little, and where the token bars it', () => {
    const late = open()
    late.bringIn()
    late.clock.now += 61
    late.ledger.mine()
    expect(late.reasons()).toEqual(['PERMIT_EXPIRED'])
    const poor = open()
    poor.ledger.fund(poor.owner.address, poor.ledger.token, -31n)
    poor.bringIn()
    poor.ledger.mine()
    expect(poor.reasons()).toEqual(['OWNER_INSUFFICIENT'])
    const barred = open()
    barred.ledger.close(barred.owner.address)
    barred.bringIn()
    barred.ledger.mine()
    expect(barred.reasons()).toEqual(['PERMIT_REFUSED'])
  })

  it('is void once its owner revoked it, and nobody else can', () => {
    const { ledger, owner, stranger, permit, bringIn, reasons } = open()
    ledger.fund(owner.address, ledger.coin, PLENTY)
    ledger.submit(stranger.revoke(ledger, permit).raw)
    ledger.mine()
    bringIn()
    ledger.mine()
    expect(reasons()).toEqual([null, null])
    const revoked = open()
    revoked.ledger.fund(revoked.owner.address, revoked.ledger.coin, PLENTY)
    revoked.ledger.submit(revoked.owner.revoke(revoked.ledger, revoked.permit).raw)
    revoked.ledger.mine()
    revoked.bringIn()
    revoked.ledger.mine()
    expect(revoked.reasons()).toEqual([null, 'PERMIT_REVOKED'])
  })

  it.each<[string, Partial<SimPermit>]>([
    ['another amount', { amount: '71' }],
    ['another order', { orderId: `0x${'8'.repeat(64)}` }],
    ['a later end', { expiresAt: NOW + 61 }],
    ['another owner', { owner: new SimUser('victim').address }],
  ])('is nothing with %s', (_what, more) => {
    expect(open(more).bringIn).toThrow('BAD_SIGNATURE')
  })
})
