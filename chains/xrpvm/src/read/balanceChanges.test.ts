import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { parseIssuedValue } from '../address/amounts.js'
import { dropsChange, gainOf, lineChanges } from './balanceChanges.js'
import { readTransaction, type TransactionMeta } from './transactions.js'

const ALICE = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const BOB = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'
const USD = `USD.${ISSUER}`
const UNIT = 10n ** 15n

const usd = (value: string, issuer = ISSUER) => ({ currency: 'USD', issuer, value })

const nodes = [
  {
    ModifiedNode: {
      LedgerEntryType: 'AccountRoot',
      FinalFields: { Account: ALICE, Balance: '88' },
      PreviousFields: { Balance: '100', Sequence: 6 },
    },
  },
  { CreatedNode: { LedgerEntryType: 'AccountRoot', NewFields: { Account: BOB, Balance: '7' } } },
  {
    ModifiedNode: {
      LedgerEntryType: 'RippleState',
      FinalFields: { Balance: usd('-3'), LowLimit: usd('0', ISSUER), HighLimit: usd('9', ALICE) },
      PreviousFields: { Balance: usd('-5') },
    },
  },
  {
    CreatedNode: {
      LedgerEntryType: 'RippleState',
      NewFields: { Balance: usd('2'), LowLimit: usd('9', BOB), HighLimit: usd('0', ISSUER) },
    },
  },
  { ModifiedNode: { LedgerEntryType: 'DirectoryNode' } },
  { ModifiedNode: null },
  null,
]
const meta = { TransactionResult: 'tesSUCCESS', delivered_amount: '7', AffectedNodes: nodes }

const transaction = (fields: object = {}) =>
  readTransaction({
    validated: true,
    hash: 'AB'.repeat(32),
    ledger_index: 90,
    ledger_hash: 'CD'.repeat(32),
    close_time_iso: '2025-06-01T12:00:10Z',
    tx_json: { TransactionType: 'Payment', Account: ALICE, Fee: '12', Sequence: 7 },
    meta: { ...meta, ...fields },
  })

it('a balance at an issuer is told as its holder has it, whichever side of the line it is on', () => {
  expect(lineChanges(meta, ALICE)).toEqual([{ currency: USD, amount: -2n * UNIT }])
  expect(lineChanges(meta, BOB)).toEqual([{ currency: USD, amount: 2n * UNIT }])
})

it('an account that a payment opens had nothing before', () => {
  expect([dropsChange(meta, ALICE), dropsChange(meta, BOB), dropsChange(meta, ISSUER)]).toEqual([-12n, 7n, 0n])
})

it('what a transaction brought leaves out the fee of the network, and is nothing that is known where it failed', () => {
  const gain = (address: string, currency: string) => gainOf(transaction(), { address, currency })
  expect([gain(ALICE, NATIVE), gain(BOB, NATIVE), gain(ALICE, USD), gain(BOB, USD)]).toEqual([
    0n,
    7n,
    -2n * UNIT,
    2n * UNIT,
  ])
  const failed = transaction({ TransactionResult: 'tecPATH_DRY' })
  expect(gainOf(failed, { address: BOB, currency: NATIVE })).toBeNull()
})

interface Recorded {
  readonly name: string
  readonly meta: TransactionMeta
  readonly changes: readonly {
    readonly account: string
    readonly balances: readonly { readonly currency: string; readonly issuer?: string; readonly value: string }[]
  }[]
}

/** Metadata of the main network, and the balance changes that xrpl-py reads of it. */
const { transactions }: { readonly transactions: readonly Recorded[] } = JSON.parse(
  readFileSync(new URL('./fixtures/balanceChanges.json', import.meta.url), 'utf8'),
)

describe('recorded metadata', () => {
  const byCurrency = (changes: readonly { readonly currency: string }[]) =>
    changes.toSorted((left, right) => left.currency.localeCompare(right.currency))

  it.each(transactions)('of $name changes the balances that another library reads', ({ meta: recorded, changes }) => {
    for (const { account, balances } of changes) {
      const expected = balances.map(({ currency, issuer, value }) => ({
        currency: issuer === undefined ? NATIVE : `${currency}.${issuer}`,
        // Units of issued currencies have 15 decimal places, drops six.
        amount: (parseIssuedValue(value) ?? 0n) / (issuer === undefined ? 10n ** 9n : 1n),
      }))
      const drops = { currency: NATIVE, amount: dropsChange(recorded, account) }
      const found = [...lineChanges(recorded, account), ...(drops.amount === 0n ? [] : [drops])]
      expect(byCurrency(found), account).toEqual(byCurrency(expected))
    }
  })
})
