import type { ChainDeps } from '@causeway/core/chain'
import type { AccountChainParts, AccountQuestions, JsonRpcEndpoint, JsonRpcNode } from '@causeway/core/chain-kit'
import type { LedgerNode } from './ledgerNode.js'
import { LedgerPayments } from './ledgerPayments.js'
import { ledgerProbe } from './ledgerProbe.js'
import { LedgerDeposits } from './ledgerSource.js'
import type { LedgerSettings } from './options.js'
import type { LedgerRecord } from './transaction.js'

/** Usual time between blocks. */
const BLOCK_MS = 1000

type Questions = Pick<AccountQuestions<JsonRpcEndpoint, LedgerRecord>, 'balances'>

/** The parts of a ledger that the kit connects. */
export type LedgerParts = AccountChainParts<JsonRpcNode, JsonRpcEndpoint, LedgerRecord, Questions>

export const ledgerParts = (
  node: LedgerNode,
  settings: LedgerSettings,
  { config, logger }: Pick<ChainDeps, 'config' | 'logger'>,
): LedgerParts => {
  const { depository, expiryBlocks, network, pollIntervalMs, rangeBlocks } = settings
  const { settle } = config.confirmations
  return {
    config,
    logger,
    pool: node.rpc,
    probe: ledgerProbe(network, settle),
    blockMs: BLOCK_MS,
    settings: { pollIntervalMs, endpointCheckMs: pollIntervalMs },
    depository,
    source: new LedgerDeposits(node, depository),
    range: BigInt(rangeBlocks),
    questions: { balances: (asked, queries) => node.balances(queries, asked) },
    payments: { chain: new LedgerPayments(node, settle), order: { kind: 'free' }, lifetime: BigInt(expiryBlocks) },
  }
}
