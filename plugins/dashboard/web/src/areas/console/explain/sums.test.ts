import { expect, it } from 'vitest'
import type { LedgerTransaction } from './explanation.js'
import { wentOf } from './sums.js'

const MONEY = { chainId: 1, currency: 'usdc', symbol: 'USDC', decimals: 6 }
const deposited = { ...MONEY, amount: '100' }

let last = 0
const posting = (entries: Readonly<Record<string, string>>): LedgerTransaction => {
  last += 1
  return {
    cause: `payout:${last}`,
    event: 'included:1',
    at: '2026-11-28T00:00:00Z',
    entries: Object.entries(entries).map(([account, amount]) => ({ ...MONEY, account, holder: null, amount })),
  }
}

const came = posting({ depository: '100', owed: '-100' })
const parked = posting({ owed: '100', parked: '-100' })
const takenUp = posting({ parked: '100', owed: '-100' })
const refunded = posting({ owed: '100', fees: '-2', wallet: '-98' })
const takenBack = posting({ owed: '-100', fees: '2', wallet: '98' })
const withdrawn = posting({ wallet: '100', depository: '-100' })

it('tells once where a deposit went, whatever was booked and taken back on the way', () => {
  const went = {
    whole: deposited,
    parts: [
      { account: 'fees', amount: '2' },
      { account: 'wallet', amount: '98' },
    ],
  }
  for (const story of [
    [came, refunded],
    [came, parked, takenUp, refunded, withdrawn],
    [came, refunded, takenBack, refunded],
  ])
    expect(wentOf(story, deposited)).toMatchObject({ ...went, parts: expect.arrayContaining(went.parts) })
})

it('says what is parked, and nothing while nothing went', () => {
  expect(wentOf([came, parked], deposited)).toMatchObject({ parts: [{ account: 'parked', amount: '100' }] })
  for (const story of [[], [came], [came, parked, takenUp], [came, refunded, takenBack]])
    expect(wentOf(story, deposited)).toBeNull()
})
