import { type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { taggedAccount } from './taggedAccount.js'

export const ACCOUNT = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
export const USER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
export const DEPOSITORY = 'rrrrrrrrrrrrrrrrrrrrBZbvji'
export const ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'
export const TOKEN = `USD.${ISSUER}`
export const tagged = taggedAccount({ account: ACCOUNT, networkId: 0 })

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(64, '0')

interface EntryParts {
  readonly tx?: object
  readonly meta?: object
  readonly validated?: boolean
}

let count = 0

/** A payment as nodes show it, of 5 XRP from the user to tag 7 of the account unless told. */
export const entryOf = ({ tx, meta, validated = true }: EntryParts = {}, height = 100): LedgerTransaction => {
  count += 1
  return readTransaction({
    validated,
    hash: hex(count),
    ledger_index: height,
    ledger_hash: hex(height),
    close_time_iso: '2025-06-01T12:00:10Z',
    tx_json: {
      TransactionType: 'Payment',
      Account: USER,
      Destination: ACCOUNT,
      DestinationTag: 7,
      DeliverMax: '5000000',
      Fee: '12',
      Sequence: count,
      ...tx,
    },
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '5000000', AffectedNodes: [], ...meta },
  })
}

/** A trust line of the account that changed; `value` is told from the side of the account that the ledger calls low. */
export const lineOf = (before: string, now: string, low = ACCOUNT, high = ISSUER, currency = 'USD') => ({
  ModifiedNode: {
    LedgerEntryType: 'RippleState',
    FinalFields: {
      Balance: { currency, issuer: DEPOSITORY, value: now },
      LowLimit: { currency, issuer: low, value: '0' },
      HighLimit: { currency, issuer: high, value: '0' },
    },
    PreviousFields: { Balance: { currency, issuer: DEPOSITORY, value: before } },
  },
})
