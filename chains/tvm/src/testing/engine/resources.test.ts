import { StateView, VersionedState } from '@causeway/core/testing'
import { describe, expect, it } from 'vitest'
import { unsignedTransaction } from '../wire/transactions.js'
import { DEFAULT_PARAMETERS } from './parameters.js'
import { chargeBandwidth, energyLimitOf, leftOf, type Moment, payEnergy, usedAt } from './resources.js'
import { type AccountEntry, accountIn, type Entry, newAccount, type View } from './state.js'

const PAYER = `41${'11'.repeat(20)}`
const ORIGIN = `41${'22'.repeat(20)}`
const moment: Moment = { time: 1_000_000, height: 5, parameters: DEFAULT_PARAMETERS, energyFactorOf: () => 0 }
const tx = unsignedTransaction({
  ...{ refBlockBytes: '0000', refBlockHash: '00'.repeat(8), expiration: 2, timestamp: 1, feeLimit: 0, data: '' },
  call: { kind: 'TransferContract', value: { owner_address: PAYER, to_address: ORIGIN, amount: 1 }, permission: 0 },
})
const memo = unsignedTransaction({ ...tx.raw, data: 'ab' })

const viewWith = (...accounts: readonly AccountEntry[]): View => {
  const view: View = new StateView<Entry>(new VersionedState<Entry>().at(0))
  for (const account of accounts) view.put(account)
  return view
}

describe('bandwidth', () => {
  const account = newAccount(PAYER, 0, 10_000_000n)

  it('is free until the limit of a day, and costs TRX above it', () => {
    const view = viewWith(account)
    const bytes = chargeBandwidth(view, tx, account, moment, false).netUsage
    expect(bytes).toBeGreaterThan(64)
    expect(accountIn(view, PAYER)).toMatchObject({ balance: 10_000_000n, freeNet: { used: bytes } })
    const used = { ...account, freeNet: { used: 600 - bytes + 1, at: moment.time } }
    expect(chargeBandwidth(viewWith(used), tx, used, moment, false)).toEqual({
      ...{ netUsage: 0, netFee: BigInt(bytes) * 1000n, otherFees: 0n },
    })
  })

  it('is taken from staked TRX first', () => {
    const staked = { ...account, staked: { net: 5000, energy: 0 } }
    const view = viewWith(staked)
    chargeBandwidth(view, tx, staked, moment, false)
    expect(accountIn(view, PAYER)).toMatchObject({ freeNet: { used: 0 }, net: { at: moment.time } })
  })

  it('of an activation is never free, and a memo has its price', () => {
    const view = viewWith(account)
    expect(chargeBandwidth(view, tx, account, moment, true)).toMatchObject({ netFee: 100_000n, otherFees: 1_000_000n })
    expect(accountIn(view, PAYER)?.balance).toBe(9_900_000n)
    const other = viewWith(account)
    expect(chargeBandwidth(other, memo, account, moment, false)).toMatchObject({ netFee: 0n, otherFees: 1_000_000n })
    expect(accountIn(other, PAYER)?.balance).toBe(9_000_000n)
  })

  it('that an account cannot pay refuses the transaction', () => {
    const poor = { ...newAccount(PAYER, 0), freeNet: { used: 600, at: moment.time } }
    expect(() => chargeBandwidth(viewWith(poor), tx, poor, moment, false)).toThrow('resource insufficient')
    const noMemo = newAccount(PAYER, 0, 999_999n)
    expect(() => chargeBandwidth(viewWith(noMemo), memo, noMemo, moment, false)).toThrow('resource insufficient')
  })

  it('comes back within a day', () => {
    const usage = { used: 864, at: 1000 }
    expect([1000, 1000 + 43_200, 1000 + 86_400].map((time) => usedAt(usage, time))).toEqual([864, 432, 0])
    expect(leftOf(600, usage, 1000)).toBe(0)
  })
})

describe('energy', () => {
  const account = { ...newAccount(PAYER, 0, 1_000_000n), staked: { net: 0, energy: 500 } }
  const origin = { ...newAccount(ORIGIN, 0), staked: { net: 0, energy: 300 } }

  it('is limited by the fee limit, and by what the caller can pay', () => {
    expect(energyLimitOf(account, 0n, 100_000, moment)).toBe(1000)
    expect(energyLimitOf(account, 0n, 30_000_000, moment)).toBe(10_500)
    expect(energyLimitOf(account, 600_000n, 30_000_000, moment)).toBe(4500)
  })

  it('is taken from staked TRX, then from the balance', () => {
    const view = viewWith(account)
    expect(payEnergy(view, PAYER, 700, moment, null)).toEqual({ usage: 500, originUsage: 0, fee: 20_000n })
    expect(accountIn(view, PAYER)).toMatchObject({ balance: 980_000n, energy: { used: 500 } })
  })

  it('is shared with the owner of the contract as far as its staked TRX and its limit go', () => {
    const shared = (limit: number, callerPercent = 30) =>
      payEnergy(viewWith(account, origin), PAYER, 400, moment, { address: ORIGIN, callerPercent, limit })
    expect(shared(10_000)).toEqual({ usage: 120, originUsage: 280, fee: 0n })
    expect(shared(50)).toEqual({ usage: 350, originUsage: 50, fee: 0n })
    expect(shared(10_000, 0)).toEqual({ usage: 100, originUsage: 300, fee: 0n })
    expect(shared(10_000, 100)).toEqual({ usage: 400, originUsage: 0, fee: 0n })
  })
})
