import type { ChainDeps } from '@causeway/core/chain'
import {
  AdapterShell,
  EndpointMonitor,
  HeadPace,
  IndexedLedger,
  type JsonRpcEndpoint,
  SequenceLane,
} from '@causeway/core/chain-kit'
import type { LedgerNode } from './ledgerNode.js'
import { LedgerPayments } from './ledgerPayments.js'
import { ledgerProbe } from './ledgerProbe.js'
import { LedgerDeposits } from './ledgerSource.js'
import type { LedgerSettings } from './options.js'
import type { LedgerRecord } from './transaction.js'

/** Usual time between blocks. */
const BLOCK_MS = 1000

/** Parts of core's kit over the nodes of one ledger. */
export interface LedgerParts {
  readonly node: LedgerNode
  readonly shell: AdapterShell
  readonly ledger: IndexedLedger<JsonRpcEndpoint, LedgerRecord>
  readonly lane: SequenceLane<JsonRpcEndpoint>
}

export const ledgerParts = (
  node: LedgerNode,
  settings: LedgerSettings,
  { config, logger }: Pick<ChainDeps, 'config' | 'logger'>,
): LedgerParts => {
  const { rpc } = node
  const { depository, expiryBlocks, network, pollIntervalMs, rangeBlocks } = settings
  const { settle } = config.confirmations
  const pace = new HeadPace(BLOCK_MS)
  const monitor: EndpointMonitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: ledgerProbe(network, settle),
    intervalMs: pollIntervalMs,
    pace,
    headTime: () => ledger.heads.latest?.time ?? null,
    logger,
  })
  const shared = { pool: rpc, monitor, settle }
  const ledger: IndexedLedger<JsonRpcEndpoint, LedgerRecord> = new IndexedLedger({
    ...shared,
    source: new LedgerDeposits(node, depository),
    account: depository,
    range: BigInt(rangeBlocks),
    pace,
    pollIntervalMs,
    logger,
  })
  const chain = new LedgerPayments(node, settle)
  const lane = new SequenceLane({ ...shared, chain, order: { kind: 'free' }, lifetime: BigInt(expiryBlocks) })
  const shell = new AdapterShell({
    config,
    logger,
    pool: rpc,
    monitor,
    heads: ledger.heads,
    ask: (endpoint) => node.head(endpoint),
    follow: () => ledger.heads.start(),
    wake: () => ledger.wake.hint(),
  })
  return { node, shell, ledger, lane }
}
