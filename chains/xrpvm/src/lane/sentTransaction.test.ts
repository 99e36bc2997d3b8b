import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { memosOf } from '../deposit/memos.js'
import type { LedgerTransaction } from '../read/transactions.js'
import { sentOf } from './sentTransaction.js'

const SOLVER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const BOB = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const ORDER = `0x${'ab'.repeat(32)}` as const
const block = { height: 90n, hash: 'CD'.repeat(32), time: 1_748_779_210 }

const payment = (
  changes: object = {},
  meta: Partial<NonNullable<LedgerTransaction['validated']>['meta']> = {},
): LedgerTransaction => ({
  hash: 'AB'.repeat(32),
  signed: {
    TransactionType: 'Payment',
    Account: SOLVER,
    Destination: BOB,
    DeliverMax: '25',
    Fee: '12',
    Sequence: 9,
    LastLedgerSequence: 100,
    Memos: memosOf(ORDER),
    ...changes,
  },
  validated: { block, meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '25', AffectedNodes: [], ...meta } },
})

describe('a transaction of the lane', () => {
  it('tells its number, its last ledger, its order, and what arrived', () => {
    expect(sentOf(payment(), 'solver')).toMatchObject({
      sequence: 9n,
      until: 100n,
      memo: ORDER,
      to: BOB,
      money: { currency: NATIVE, amount: 25n },
      block,
      fee: 12n,
      arrived: { currency: NATIVE, amount: 25n },
      revert: null,
    })
    expect(sentOf(payment({ Sequence: 0, TicketSequence: 4 }), 'solver')).toMatchObject({ sequence: 4n, aside: true })
  })

  it.each([
    [
      'less than was said',
      payment({ Flags: 0x0002_0000 }, { delivered_amount: '3' }),
      { currency: NATIVE, amount: 3n },
    ],
    [
      'another currency',
      payment({}, { delivered_amount: { currency: 'USD', issuer: BOB, value: '25' } }),
      { currency: `USD.${BOB}`, amount: 25n * 10n ** 15n },
    ],
    ['an amount that the server does not know', payment({}, { delivered_amount: 'unavailable' }), null],
    ['nothing, being no payment', payment({ TransactionType: 'AccountSet' }), { currency: NATIVE, amount: 0n }],
  ])('that brought %s shows it (faults.md F123)', (_, transaction, arrived) => {
    expect(sentOf(transaction, 'solver')).toMatchObject({ revert: null, arrived })
  })

  it('in no validated ledger is pending and has cost nothing', () => {
    expect(sentOf({ ...payment(), validated: null }, 'solver')).toMatchObject({
      revert: null,
      block: null,
      fee: 0n,
    })
  })

  it('names its order and purpose; a sweep names the order alone', () => {
    expect(sentOf(payment({ Memos: memosOf(`${ORDER} withdraw`) }), 'depository').memo).toBe(`${ORDER} withdraw`)
    expect(sentOf(payment(), 'deposits').memo).toBe(`${ORDER} sweep`)
  })

  it('that others made is nobody’s payment, and may land in any ledger where it names none', () => {
    const foreign = payment({ TransactionType: 'TicketCreate', Memos: undefined, LastLedgerSequence: undefined })
    expect(sentOf(foreign, 'solver')).toMatchObject({
      memo: null,
      until: 4_294_967_295n,
      money: { currency: NATIVE, amount: 0n },
    })
    expect(sentOf(payment({ Memos: [...memosOf(ORDER), ...memosOf('x')] }), 'solver').memo).toBeNull()
  })
})
