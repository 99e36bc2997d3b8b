import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { memosOf } from '../deposit/memos.js'
import {
  deliveredOf,
  isSuccess,
  numberOf,
  readTransaction,
  recipientOf,
  senderOf,
  statedOf,
  txDataOf,
} from './transactions.js'

const HASH = 'AB'.repeat(32)
const ALICE = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const BOB = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'

const signed = {
  TransactionType: 'Payment',
  Account: ALICE,
  Destination: BOB,
  DeliverMax: '5000000',
  Fee: '12',
  Sequence: 7,
  SigningPubKey: '02',
  date: 1,
}

const entry = {
  validated: true,
  hash: HASH,
  ledger_index: 90_000_000,
  ledger_hash: 'CD'.repeat(32),
  close_time_iso: '2025-06-01T12:00:10Z',
  tx_json: signed,
  meta: { TransactionResult: 'tesSUCCESS', TransactionIndex: 3, delivered_amount: '5000000', AffectedNodes: [] },
}

describe('readTransaction', () => {
  it('reads a validated transaction with its ledger; the time is in seconds since 1970', () => {
    const { hash, validated } = readTransaction(entry)
    expect(hash).toBe(HASH)
    expect(validated?.block).toEqual({ height: 90_000_000n, hash: 'CD'.repeat(32), time: 1_748_779_210 })
  })

  it('reads what is in no validated ledger as pending, whatever else the node says of it', () => {
    for (const pending of [
      { hash: HASH, tx_json: signed },
      { ...entry, validated: false },
    ])
      expect(readTransaction(pending).validated).toBeNull()
  })

  it.each([
    ['no object', null],
    ['no hash', { ...entry, hash: undefined }],
    ['a hash in small letters', { ...entry, hash: HASH.toLowerCase() }],
    ['text for the height', { ...entry, ledger_index: '90000000' }],
    ['no ledger hash', { ...entry, ledger_hash: undefined }],
    ['no close time', { ...entry, close_time_iso: undefined }],
    ['a close time of another form', { ...entry, close_time_iso: 'yesterday' }],
    ['no meta', { ...entry, meta: undefined }],
    ['meta in bytes', { ...entry, meta: 'ABCD' }],
    ['no changes of the ledger', { ...entry, meta: { ...entry.meta, AffectedNodes: undefined } }],
    [
      'a payment that does not say what it delivered',
      { ...entry, meta: { ...entry.meta, delivered_amount: undefined } },
    ],
    ['a number for the fee', { ...entry, tx_json: { ...signed, Fee: 12 } }],
    ['text for the sequence', { ...entry, tx_json: { ...signed, Sequence: '7' } }],
    ['fields of another API version', { ...signed, hash: HASH, meta: entry.meta, validated: true }],
  ])('refuses %s', (_, json) => {
    expect(() => readTransaction(json)).toThrow(/could not be reached/)
  })
})

describe('what a payment brought', () => {
  it('is what was delivered, not what was stated (chains.md xrpvm 3)', () => {
    const partial = readTransaction({ ...entry, meta: { ...entry.meta, delivered_amount: '1' } })
    expect(deliveredOf(partial)).toEqual({ currency: NATIVE, amount: 1n })
    expect(statedOf(partial)).toEqual({ currency: NATIVE, amount: 5_000_000n })
  })

  it.each([
    ['failed', { ...entry, meta: { ...entry.meta, TransactionResult: 'tecPATH_PARTIAL' } }],
    ['is not validated', { ...entry, validated: false }],
    ['is no payment', { ...entry, tx_json: { ...signed, TransactionType: 'CheckCash' } }],
    ['cannot tell', { ...entry, meta: { ...entry.meta, delivered_amount: 'unavailable' } }],
  ])('is nothing where the transaction %s', (_, json) => {
    expect(deliveredOf(readTransaction(json))).toBeNull()
  })
})

it('tells sender and recipient with their tags, 0 being one (faults.md F24)', () => {
  const plain = readTransaction(entry)
  expect([senderOf(plain), recipientOf(plain)]).toEqual([ALICE, { address: BOB }])
  const tagged = readTransaction({ ...entry, tx_json: { ...signed, SourceTag: 0, DestinationTag: 9 } })
  expect([senderOf(tagged), recipientOf(tagged)]).toEqual([`${ALICE}?tag=0`, { address: BOB, tag: 9 }])
})

it('a transaction uses the number of its ticket up, where it has one', () => {
  expect(numberOf(readTransaction(entry))).toBe(7n)
  const ticket = { ...signed, Sequence: 0, TicketSequence: 40 }
  expect(numberOf(readTransaction({ ...entry, tx_json: ticket }))).toBe(40n)
})

it('is told for the record with its memo and what arrived', () => {
  const transaction = readTransaction({ ...entry, tx_json: { ...signed, Memos: memosOf('hello') } })
  expect(isSuccess(transaction)).toBe(true)
  expect(txDataOf(transaction)).toEqual({ from: ALICE, to: BOB, data: 'hello', value: '5000000' })
})
