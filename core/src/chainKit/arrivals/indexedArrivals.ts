import type { Arrival, ArrivalPage, DepositAddresses } from '../../chain/address/depositAddresses.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import type { HeadPace } from '../endpoints/monitor/headPace.js'
import type { WakeSignal } from '../heads/wakeSignal.js'
import { type LedgerCursor, readCursor } from '../ledger/ledgerCursor.js'
import { LedgerReader } from '../ledger/ledgerReader.js'
import type { LedgerSource } from '../ledger/ledgerSource.js'
import type { OrderedNodes } from '../quorum/askInOrder.js'
import type { QuietPace } from '../watch/quietPages.js'
import { watchLoop } from '../watch/watchLoop.js'

export interface IndexedArrivalsDeps<Node, Transaction> {
  readonly source: Pick<LedgerSource<Node, Transaction>, 'head' | 'page' | 'block'>
  readonly pool: OrderedNodes<Node>
  /** The one account that every address is a part of. */
  readonly account: string
  /** What a transaction brought to parts of the account, whoever they belong to. */
  arrivalsOf(transaction: Transaction): readonly Arrival[]
  /** Makes the watcher read now. */
  readonly wake: WakeSignal
  readonly pollIntervalMs: number
  /** Heights in one range, which is read as a whole or again; 500 if absent. */
  readonly range?: bigint
  /** How heads come: a head that it does not explain is not read up to. Absent: every head is believed. */
  readonly pace?: HeadPace
  /** How rarely pages without arrivals are told; absent: each new height. */
  readonly quiet?: QuietPace
  readonly logger: ChainDeps['logger']
}

/**
 * What comes to deposit addresses that are parts of one account, told apart by a tag or a memo: the account's own transactions, so that
 * reading costs the same however many addresses there are. Serves `DepositAddresses.watch`, which is bound.
 */
export class IndexedArrivals<Node, Transaction> {
  readonly #deps: IndexedArrivalsDeps<Node, Transaction>

  constructor(deps: IndexedArrivalsDeps<Node, Transaction>) {
    this.#deps = deps
  }

  readonly watch: DepositAddresses['watch'] = (cursor, addresses, signal) => {
    const { arrivalsOf, wake, pollIntervalMs, quiet, logger } = this.#deps
    const reader = new LedgerReader<Node, Transaction, ArrivalPage>({
      ...this.#deps,
      pageOf: (place, transactions) => ({
        ...place,
        arrivals: transactions.flatMap(arrivalsOf).filter(({ to }) => addresses.has(to.address)),
      }),
    })
    return watchLoop<LedgerCursor, ArrivalPage>(signal, {
      begin: async () => (cursor === null ? reader.begin() : readCursor(cursor)),
      step: async (at) => {
        await addresses.refresh()
        return reader.step(at)
      },
      wake,
      pollIntervalMs,
      ...(quiet === undefined ? {} : { quiet }),
      logger,
    })
  }
}
