import { agreeOnPayout, type PayoutVerdict } from '@causeway/core'
import { outpointOfGuard } from '../coins/coin.js'
import { judgeGeneration } from '../payout/generationState.js'
import type { BitcoinSource } from '../source/bitcoinSource.js'
import type { SourceEndpoint } from '../source/sourceEndpoint.js'
import type { SourceMonitor } from '../source/sourceMonitor.js'
import type { SourcePool } from '../source/sourcePool.js'

export interface FinalityDeps {
  readonly pool: SourcePool
  readonly monitor: Pick<SourceMonitor, 'report'>
  /** Depth at which a transaction is final. */
  readonly settle: bigint
}

/** Blocks within which whoever spent a coin is looked for, where a node has no index of that: two weeks. */
const SEARCHED_BLOCKS = 2015n

/** Whether a generation can still land, by as many providers as `agreeOnPayout` asks for. */
export const judge = (
  guards: readonly string[],
  txIds: readonly string[],
  agreeing: number,
  deps: FinalityDeps,
): Promise<PayoutVerdict> =>
  agreeOnPayout(
    { txIds, agreeing },
    (endpoint: SourceEndpoint) => endpoint.ask((source) => judgeOn(source, guards, txIds, deps)),
    { rpc: deps.pool, monitor: deps.monitor },
  )

const judgeOn = async (
  source: BitcoinSource,
  guards: readonly string[],
  txIds: readonly string[],
  { settle }: FinalityDeps,
): Promise<PayoutVerdict> => {
  const { height } = await source.tip()
  const outpoints = guards.flatMap((guard) => outpointOfGuard(guard) ?? [])
  const spends = await Promise.all(outpoints.map((outpoint) => source.spend(outpoint, height - SEARCHED_BLOCKS)))
  return judgeGeneration(spends, new Set(txIds), settle)
}
