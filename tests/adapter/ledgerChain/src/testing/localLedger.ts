import { randomUUID } from 'node:crypto'
import {
  jsonRpc,
  type LedgerNode,
  localLedger,
  type NodeDialect,
  type OpenLedgerOptions,
  type ServedLedger,
} from '@causeway/core/testing'
import type { LedgerTransfer } from '../transaction.js'
import { blockOf, type Included, LedgerEngine, type LedgerNodeBlock, recordOf } from './ledgerEngine.js'

/** A ledger behind an HTTP server on a free port. */
export type LocalLedger = ServedLedger<LedgerEngine>

/** Starts a local ledger. */
export const startLocalLedger = ({ network = 'local', chainId = 770_001 } = {}): Promise<LocalLedger> =>
  localLedger({ chainId, engine: new LedgerEngine(network), dialect })

/** Opens a ledger of a network of its own. */
export const open = (options: OpenLedgerOptions): Promise<LocalLedger> =>
  localLedger({ ...options, engine: new LedgerEngine(`local-${randomUUID()}`), dialect })

/** The methods of a node. It drops old transfers and keeps the headers of their blocks. */
const dialect = ({ engine, view, run }: LedgerNode<Included, LedgerNodeBlock, LedgerEngine>): NodeDialect =>
  jsonRpc(
    {
      ledger_network: () => engine.network,
      ledger_head: () => blockOf(view.head),
      ledger_block: (height: number) => {
        const block = view.header(height)
        return block && blockOf(block)
      },
      ledger_history: () => view.since,
      ledger_record: (id: string) => {
        const found = view.find(id)
        return found === null ? engine.pending(id) : recordOf(found)
      },
      ledger_records: (account: string, from: number, to: number) => view.history(account, from, to).map(recordOf),
      ledger_balance: (account: string, currency: string) => `${engine.balance(account, currency, view.head.height)}`,
      ledger_check: (transfer: LedgerTransfer) => engine.check(transfer, view.head.height),
      ledger_submit: (raw: string) => engine.submit(raw),
    },
    run,
  )
