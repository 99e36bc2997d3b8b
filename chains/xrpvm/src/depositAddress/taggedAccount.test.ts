import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { ACCOUNT, DEPOSITORY, entryOf, ISSUER, lineOf, TOKEN, tagged, USER } from './ledgerEntry.test.support.js'

const issued = (value: string) => ({ currency: 'USD', issuer: ISSUER, value })

describe('an arrival', () => {
  it('is what a payment delivered to a tag, with its sender', () => {
    const entry = entryOf({ tx: { SourceTag: 9 } }, 321)
    expect(tagged.movesOf(entry)).toEqual([{ part: '7', currency: NATIVE, amount: 5_000_000n }])
    const block = entry.validated?.block
    expect(tagged.placeOf(entry)).toEqual({ tx: { id: entry.hash }, block, sender: `${USER}?tag=9`, number: null })
  })

  it('of a partial payment is the delivered amount, not the stated one (chains.md xrpvm 4)', () => {
    const entry = entryOf({ tx: { Flags: 0x20000, DeliverMax: '999000000' }, meta: { delivered_amount: '3' } })
    expect(tagged.movesOf(entry)[0]?.amount).toBe(3n)
  })

  it('of an issued currency is in units of 10^-15', () => {
    const moves = tagged.movesOf(entryOf({ meta: { delivered_amount: issued('1.5') } }))
    expect(moves).toEqual([{ part: '7', currency: TOKEN, amount: 1_500_000_000_000_000n }])
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
    expect(tagged.movesOf(entryOf(parts))).toEqual([])
  })
})

describe('a sweep', () => {
  const from = { Account: ACCOUNT, Destination: DEPOSITORY, DestinationTag: undefined, SourceTag: 7 }

  it('takes what it delivered from the tag that it names as its source', () => {
    expect(tagged.movesOf(entryOf({ tx: from }))).toEqual([{ part: '7', currency: NATIVE, amount: -5_000_000n }])
    expect(tagged.placeOf(entryOf({ tx: from }))).toMatchObject({ number: expect.any(BigInt) })
  })

  it.each([
    ['as the low side', lineOf('100', '97.9')],
    ['as the high side', lineOf('-100', '-97.9', ISSUER, ACCOUNT)],
  ])('takes with it what the issuer charged, by the trust line of the account %s', (_, line) => {
    const others = [lineOf('5', '7', DEPOSITORY), lineOf('50', '1', ACCOUNT, ISSUER, 'EUR')]
    const meta = { delivered_amount: issued('2'), AffectedNodes: [...others, line] }
    expect(tagged.movesOf(entryOf({ tx: from, meta }))).toEqual([
      { part: '7', currency: TOKEN, amount: -2_100_000_000_000_000n },
    ])
  })

  it('that failed took nothing but a number, as the operator’s own payments do without a source tag', () => {
    const failed = entryOf({ tx: from, meta: { TransactionResult: 'tecPATH_DRY', delivered_amount: undefined } })
    expect(tagged.movesOf(failed)).toEqual([])
    expect(tagged.placeOf(failed)).toMatchObject({ number: expect.any(BigInt) })
    expect(tagged.movesOf(entryOf({ tx: { ...from, SourceTag: undefined } }))).toEqual([])
  })
})

it('the account came about by the transaction that created its root', () => {
  const root = { LedgerEntryType: 'AccountRoot', NewFields: { Account: ACCOUNT } }
  expect(tagged.isFirst(entryOf({ meta: { AffectedNodes: [{ CreatedNode: root }] } }))).toBe(true)
  expect(tagged.isFirst(entryOf({ meta: { AffectedNodes: [{ ModifiedNode: root }] } }))).toBe(false)
  const other = { ...root, NewFields: { Account: USER } }
  expect(tagged.isFirst(entryOf({ meta: { AffectedNodes: [{ CreatedNode: other }] } }))).toBe(false)
})
