import type { NodeFault } from '@causeway/core/testing'
import { nameTransaction } from '../../engine/readBlob.js'
import { accountIn } from '../../engine/state/accounts.js'
import type { Tx } from '../../engine/transaction.js'
import { EPOCH, type XrpLedger } from '../../engine/xrpLedger.js'
import type { Faults } from '../faults.js'
import type { LedgerWindow } from '../ledgerWindow.js'
import type { Streams } from '../streams.js'

/** What is applied for an account without its key. */
export type UnsignedTx = Pick<Tx, 'TransactionType' | 'Account'> & Partial<Tx>

/** What a server asks, in drops as text. */
export interface FeeSettings {
  /** Times the base fee that a transaction must pay at least. */
  readonly load?: number
  /** What pays less waits in the queue. */
  readonly openLedgerFee?: string
  readonly medianFee?: string
  /** Everything waits in the queue for the next ledger. */
  readonly queueAll?: boolean
}

interface Controlled {
  readonly window: LedgerWindow
  readonly faults: Faults
  readonly streams: Streams
}

/** Calls, beside a server's own, by which tests make things happen; each begins with `local_`. */
export const controlCommands = ({ window, faults, streams }: Controlled) => {
  const { ledger } = window
  const commands = {
    local_genesis: () => ledger.closed(1).hash,
    local_network: () => ledger.rules.networkId,
    /** Applies transactions as their accounts want them, without keys or fees, in the next ledger. Returns their hashes. */
    local_apply: (transactions: readonly UnsignedTx[]) => {
      const hashes = transactions.map((tx) => applyUnsigned(ledger, tx))
      ledger.close()
      return hashes
    },
    local_advance: (count: number) => {
      for (let made = 0; made < count; made++) ledger.close()
    },
    /** Closes a ledger at a time in milliseconds since 1970. */
    local_closeAt: (time: number) => {
      ledger.close(Math.floor(time / 1000) - EPOCH)
    },
    local_lag: (ledgers: number) => {
      window.lag = ledgers
      streams.tell()
    },
    local_cut: (ranges: string | null) => window.cut(ranges),
    local_hold: () => {
      ledger.settings.holding = true
    },
    local_release: (drop: boolean) => ledger.release({ drop }),
    local_setFee: ({ load, openLedgerFee, medianFee, queueAll }: FeeSettings) => {
      const { settings } = ledger
      settings.load = load ?? settings.load
      settings.openLedgerFee = BigInt(openLedgerFee ?? settings.openLedgerFee)
      settings.medianFee = BigInt(medianFee ?? settings.medianFee)
      settings.queueAll = queueAll ?? settings.queueAll
    },
    local_refuse: (method: string, refused: boolean) => {
      if (refused) faults.refused.add(method)
      else faults.refused.delete(method)
    },
    local_fail: (fault: NodeFault) => faults.add(fault),
    local_clearFaults: () => faults.clear(),
    local_counts: () => Object.fromEntries(faults.counts),
  }
  // CAST: whoever calls knows what a call takes; the handle in `node` is the only one.
  return commands as unknown as Readonly<Record<string, (...params: readonly unknown[]) => unknown>>
}

const applyUnsigned = (ledger: XrpLedger, given: UnsignedTx): string => {
  const { networkId } = ledger.rules
  const named = nameTransaction({
    ...{ Fee: '0', SigningPubKey: '', Sequence: accountIn(ledger.open.state, given.Account)?.Sequence ?? 0 },
    ...(networkId > 1024 ? { NetworkID: networkId } : {}),
    ...given,
  })
  const code = ledger.submit(named, { trusted: true })
  if (code === 'tesSUCCESS') return named.hash
  throw new Error(`The ledger refuses ${given.TransactionType} of ${given.Account}: ${code}`)
}
