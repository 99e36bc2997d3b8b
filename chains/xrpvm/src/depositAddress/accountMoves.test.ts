import { describe, expect, it } from 'vitest'
import { NATIVE, xAddressOf } from '../address/addresses.js'
import { arrivalsOf, isSentBy, movesOf, opensAccount } from './accountMoves.js'
import { ACCOUNT, DEPOSITORY, entryOf, ISSUER, lineOf, TOKEN, tagged, USER } from './ledgerEntry.test.support.js'

const currencies = new Set([NATIVE, TOKEN])
const issued = (value: string) => ({ currency: 'USD', issuer: ISSUER, value })
const shown = (entry: ReturnType<typeof entryOf>) => arrivalsOf(tagged, entry, currencies)

describe('an arrival', () => {
  it('is what a payment delivered to a tag, with its sender', () => {
    const entry = entryOf({ tx: { SourceTag: 9 } }, 321)
    expect(shown(entry)).toEqual([
      {
        state: 'included',
        tx: { id: entry.hash },
        position: 0,
        to: { address: xAddressOf(ACCOUNT, 7, 0) },
        money: { currency: NATIVE, amount: 5_000_000n },
        sender: `${USER}?tag=9`,
        block: entry.validated?.block,
      },
    ])
  })

  it('of a partial payment is the delivered amount, not the stated one (chains.md xrpvm 4)', () => {
    const entry = entryOf({ tx: { Flags: 0x20000, DeliverMax: '999000000' }, meta: { delivered_amount: '3' } })
    expect(shown(entry)[0]?.money.amount).toBe(3n)
  })

  it('of an issued currency is in units of 10^-15', () => {
    const [arrival] = shown(entryOf({ meta: { delivered_amount: issued('1.5') } }))
    expect(arrival?.money).toEqual({ currency: TOKEN, amount: 1_500_000_000_000_000n })
  })

  it.each([
    ['without a tag', { tx: { DestinationTag: undefined } }],
    ['to another account', { tx: { Destination: DEPOSITORY } }],
    ['of the account to itself', { tx: { Account: ACCOUNT } }],
    ['that failed in a ledger', { meta: { TransactionResult: 'tecPATH_DRY', delivered_amount: undefined } }],
    ['that is in no validated ledger', { validated: false }],
    ['of nothing', { meta: { delivered_amount: '0' } }],
    ['whose delivered amount the node does not say', { meta: { delivered_amount: 'unavailable' } }],
    ['that is no payment but a check', { tx: { TransactionType: 'CheckCash' } }],
    ['that is no payment but an escrow', { tx: { TransactionType: 'EscrowFinish' } }],
    ['that is no payment but a deleted account', { tx: { TransactionType: 'AccountDelete' } }],
  ])('is none %s', (_, parts) => {
    const entry = entryOf(parts)
    expect(shown(entry)).toEqual([])
    expect(movesOf(tagged, entry)).toEqual([])
  })

  it('in a currency that is not configured is not shown, and yet lies there', () => {
    const entry = entryOf({ meta: { delivered_amount: { ...issued('2'), currency: 'EUR' } } })
    expect(shown(entry)).toEqual([])
    expect(movesOf(tagged, entry)).toEqual([{ part: '7', currency: `EUR.${ISSUER}`, amount: 2n * 10n ** 15n }])
  })
})

describe('a sweep', () => {
  const from = { Account: ACCOUNT, Destination: DEPOSITORY, DestinationTag: undefined, SourceTag: 7 }

  it('takes what it delivered from the tag that it names as its source', () => {
    expect(movesOf(tagged, entryOf({ tx: from }))).toEqual([{ part: '7', currency: NATIVE, amount: -5_000_000n }])
    expect(shown(entryOf({ tx: from }))).toEqual([])
  })

  it.each([
    ['as the low side', lineOf('100', '97.9')],
    ['as the high side', lineOf('-100', '-97.9', ISSUER, ACCOUNT)],
  ])('takes with it what the issuer charged, by the trust line of the account %s', (_, line) => {
    const others = [lineOf('5', '7', DEPOSITORY), lineOf('50', '1', ACCOUNT, ISSUER, 'EUR')]
    const meta = { delivered_amount: issued('2'), AffectedNodes: [...others, line] }
    expect(movesOf(tagged, entryOf({ tx: from, meta }))).toEqual([
      { part: '7', currency: TOKEN, amount: -2_100_000_000_000_000n },
    ])
  })

  it('that failed took nothing but a number, as the operator’s own payments do without a source tag', () => {
    const failed = entryOf({ tx: from, meta: { TransactionResult: 'tecPATH_DRY', delivered_amount: undefined } })
    expect(movesOf(tagged, failed)).toEqual([])
    expect(isSentBy(tagged, failed)).toBe(true)
    expect(movesOf(tagged, entryOf({ tx: { ...from, SourceTag: undefined } }))).toEqual([])
    expect(isSentBy(tagged, entryOf())).toBe(false)
  })
})

it('the account came about by the transaction that created its root', () => {
  const root = { LedgerEntryType: 'AccountRoot', NewFields: { Account: ACCOUNT } }
  expect(opensAccount(tagged, entryOf({ meta: { AffectedNodes: [{ CreatedNode: root }] } }))).toBe(true)
  expect(opensAccount(tagged, entryOf({ meta: { AffectedNodes: [{ ModifiedNode: root }] } }))).toBe(false)
  const other = { ...root, NewFields: { Account: USER } }
  expect(opensAccount(tagged, entryOf({ meta: { AffectedNodes: [{ CreatedNode: other }] } }))).toBe(false)
})
