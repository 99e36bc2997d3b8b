import type { Hex } from '@causeway/core'
import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { readTransaction } from '../read/transactions.js'
import { memosOf } from './memos.js'
import { readDeposits } from './readDeposits.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`
const USER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const DEPOSITORY = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'
const OTHER = 'rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq'
const HASH = 'AB'.repeat(32)

const usd = (value: string, issuer = ISSUER) => ({ currency: 'USD', issuer, value })

const payment = (
  fields: object = {},
  meta: object = {},
  { type = 'Payment', delivered = '5000000' }: { type?: string; delivered?: unknown } = {},
) =>
  readTransaction({
    validated: true,
    hash: HASH,
    ledger_index: 90,
    ledger_hash: 'CD'.repeat(32),
    close_time_iso: '2025-06-01T12:00:10Z',
    tx_json: {
      TransactionType: type,
      Account: USER,
      Destination: DEPOSITORY,
      DeliverMax: '5000000',
      Fee: '12',
      Sequence: 7,
      Memos: memosOf(ORDER),
      ...fields,
    },
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: delivered, AffectedNodes: [], ...meta },
  })

const read = (...made: Parameters<typeof payment>) => readDeposits(payment(...made), DEPOSITORY)

describe('a deposit', () => {
  it('is a payment of somebody else, of what was delivered, for the order of its memo (chains.md xrpvm 3)', () => {
    expect(read()).toEqual([
      {
        state: 'included',
        tx: { id: HASH, locator: { ledger: '90' } },
        position: 0,
        index: 0,
        orderId: ORDER,
        depositor: USER,
        source: USER,
        depository: DEPOSITORY,
        money: { currency: NATIVE, amount: 5_000_000n },
        block: { height: 90n, hash: 'CD'.repeat(32), time: 1_748_779_210 },
        txData: { from: USER, to: DEPOSITORY, data: ORDER, value: '5000000' },
        fee: 12n,
      },
    ])
  })

  it('of a partial payment is what arrived, whatever it says (chains.md xrpvm 4)', () => {
    expect(read({ Flags: 0x0002_0000 }, {}, { delivered: '1' })).toMatchObject([{ money: { amount: 1n } }])
  })

  it('without a memo has no order; with a tag it is of the owner within the account (faults.md F24)', () => {
    expect(read({ Memos: undefined, SourceTag: 0 })).toMatchObject([{ orderId: null, depositor: `${USER}?tag=0` }])
  })

  it('may be of an issued currency, cut down to our scale', () => {
    const delivered = usd('1234567.8901234567e-6')
    expect(read({}, {}, { delivered })).toMatchObject([
      { money: { currency: `USD.${ISSUER}`, amount: 1_234_567_890_123_456n } },
    ])
  })
})

describe('no deposit is', () => {
  it.each([
    ['a payment to somebody else', { Destination: OTHER }, {}, {}],
    ['one of the depository to itself', { Account: DEPOSITORY }, {}, {}],
    ['one that failed', {}, { TransactionResult: 'tecUNFUNDED_PAYMENT' }, {}],
    ['one that delivered nothing', {}, {}, { delivered: '0' }],
    ['one that delivered less than the smallest unit', {}, {}, { delivered: usd('1e-30') }],
    ['one of which nobody knows what it delivered', {}, {}, { delivered: 'unavailable' }],
    ['one of a token without trust lines', {}, {}, { delivered: { mpt_issuance_id: '0'.repeat(48), value: '5' } }],
    ['an escrow that ends', {}, {}, { type: 'EscrowFinish' }],
    ['a check that is cashed', {}, {}, { type: 'CheckCash' }],
    ['an account that is deleted', {}, {}, { type: 'AccountDelete' }],
  ])('%s', (_, fields, meta, made) => {
    expect(read(fields, meta, made)).toEqual([])
  })

  it('a payment that no validated ledger holds', () => {
    const pending = readTransaction({ hash: HASH, tx_json: payment().signed })
    expect(readDeposits(pending, DEPOSITORY)).toEqual([])
  })
})

describe('a payment that leaves the issuer to the recipient', () => {
  const line = (issuer: string, before: string, after: string) => {
    // The balance is told as the lower account has it, whichever that is here.
    const fields = { Balance: usd(after), LowLimit: usd('100', DEPOSITORY), HighLimit: usd('0', issuer) }
    const previous = { Balance: usd(before) }
    return { ModifiedNode: { LedgerEntryType: 'RippleState', FinalFields: fields, PreviousFields: previous } }
  }

  it('is of whomever the balance went up at', () => {
    const meta = { AffectedNodes: [line(OTHER, '5', '5'), line(ISSUER, '1', '3.5')] }
    expect(read({}, meta, { delivered: usd('2.5', DEPOSITORY) })).toMatchObject([
      { position: 0, index: 0, money: { currency: `USD.${ISSUER}`, amount: 2_500_000_000_000_000n } },
    ])
  })

  it('is several deposits where several balances went up, and none where nobody shows whose', () => {
    const meta = { AffectedNodes: [line(OTHER, '5', '6'), line(ISSUER, '1', '3')] }
    expect(read({}, meta, { delivered: usd('3', DEPOSITORY) })).toMatchObject([
      { position: 0, money: { currency: `USD.${OTHER}` } },
      { position: 1, index: 1, money: { currency: `USD.${ISSUER}` } },
    ])
    expect(read({}, {}, { delivered: usd('3', DEPOSITORY) })).toEqual([])
  })
})
