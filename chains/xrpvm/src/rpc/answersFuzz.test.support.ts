import { readMutated } from '@causeway/core/testing'
import fc from 'fast-check'
import { dropsChange, lineChanges } from '../read/balanceChanges.js'
import { deliveredOf, readTransaction } from '../read/transactions.js'
import { readAccount, readLines } from './accountState.js'
import { readClosed, readHead } from './ledgerHead.js'
import { readServerInfo } from './serverInfo.js'
import { xrpDialect, xrpSocketDialect } from './xrpDialect.js'
import { readAnswer } from './xrpProtocol.js'

const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const HASH = 'AB'.repeat(32)

const transaction = {
  validated: true,
  hash: HASH,
  ledger_index: 9,
  ledger_hash: HASH,
  close_time_iso: '2026-01-02T03:04:05Z',
  tx_json: {
    TransactionType: 'Payment',
    Account: ACCOUNT,
    Destination: ACCOUNT,
    Fee: '12',
    Sequence: 7,
    Flags: 0,
    DeliverMax: '5',
    Memos: [{ Memo: { MemoData: 'ABCD' } }],
  },
  meta: {
    TransactionResult: 'tesSUCCESS',
    TransactionIndex: 1,
    delivered_amount: '5',
    AffectedNodes: [
      {
        ModifiedNode: {
          LedgerEntryType: 'AccountRoot',
          FinalFields: { Account: ACCOUNT, Balance: '12' },
          PreviousFields: { Balance: '7' },
        },
      },
    ],
  },
}

const serverInfo = {
  info: {
    complete_ledgers: '1-9',
    load_factor: 1,
    network_id: 0,
    validated_ledger: { seq: 9, hash: HASH, base_fee_xrp: 0.00001, reserve_base_xrp: 1, reserve_inc_xrp: 0.2 },
  },
}

const account = {
  account_data: { Account: ACCOUNT, Balance: '7', Flags: 0, OwnerCount: 0, Sequence: 7 },
  ledger_index: 9,
  validated: true,
}

const lines = {
  lines: [{ account: ACCOUNT, currency: 'USD', balance: '-1.5', limit: '0' }],
  ledger_index: 9,
  validated: true,
}

const drops = { base_fee: '10', median_fee: '5000', minimum_fee: '10', open_ledger_fee: '10' }

interface Sample {
  /** Null: it is no answer to a call. */
  readonly method: string | null
  readonly answer: unknown
  read(answer: unknown): unknown
}

const answered = (method: string, answer: unknown, use: (read: unknown) => unknown = (read) => read): Sample => ({
  method,
  answer,
  read: (value) => use(readAnswer(value, { method, params: [] })),
})

const useTransaction = (read: unknown) => {
  const found = readTransaction(read)
  deliveredOf(found)
  if (found.validated === null) return
  dropsChange(found.validated.meta, ACCOUNT)
  lineChanges(found.validated.meta, ACCOUNT)
}

/** Answers and messages as servers give them, and what is made of them. */
export const samples: readonly Sample[] = [
  answered('account_info', account, readAccount),
  answered('account_lines', lines, readLines),
  answered('account_objects', { account_objects: [], ledger_index: 9, validated: true }),
  answered('account_tx', { account: ACCOUNT, ledger_index_min: 1, ledger_index_max: 9, transactions: [transaction] }),
  answered('deposit_authorized', { deposit_authorized: true }),
  answered('fee', { drops }),
  answered('ledger', { ledger_hash: HASH, ledger_index: 9, validated: true, ledger: { close_time: 5 } }, readHead),
  answered('server_info', serverInfo, readServerInfo),
  answered('simulate', { engine_result: 'tesSUCCESS' }),
  answered('submit', { engine_result: 'terQUEUED' }),
  answered('tx', transaction, useTransaction),
  { method: null, answer: { result: { status: 'error', error: 'noNetwork' } }, read: xrpDialect.read },
  {
    method: null,
    answer: { type: 'ledgerClosed', ledger_index: 7 },
    read: (value) => xrpSocketDialect().read(Object(value)),
  },
  { method: null, answer: { ledger_hash: HASH, ledger_index: 9, ledger_time: 5 }, read: readClosed },
]

/** Requires that each answer and push of a server is read, or is the server's failure. */
export const checkReaders = (numRuns: number): void => {
  const property = fc.property(fc.gen(), fc.nat({ max: samples.length - 1 }), (gen, at) => {
    const chance = { below: (count: number) => gen(fc.nat, { max: count - 1 }), anything: () => gen(fc.jsonValue) }
    readMutated(samples[at] as Sample, chance)
  })
  fc.assert(property, { numRuns })
}
