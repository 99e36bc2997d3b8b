import type { PayoutVerdict } from '@causeway/core/chain'
import { agreeOnPayout, hearProviders, leastAnswers } from '@causeway/core/chain-kit'
import { type Outpoint, outpointOfGuard, outpointText } from '../payout/coins/coin.js'
import { judgeGeneration } from '../payout/generationState.js'
import type { BitcoinSource } from '../rpc/bitcoinSource.js'
import { outpointsIn } from '../rpc/chainTransaction.js'
import { type RawTransaction, readRawTransaction } from '../rpc/rawTransaction.js'
import type { SourceEndpoint, SourceMonitor, SourcePool } from '../rpc/sourcePool.js'

export interface FinalityDeps {
  readonly pool: SourcePool
  readonly monitor: Pick<SourceMonitor, 'report'>
  /** Depth at which a transaction is final. */
  readonly settle: bigint
}

/** Blocks within which whoever spent a coin is looked for, where a node has no index of that: two weeks. */
const SEARCHED_BLOCKS = 2015n
/** Inputs of a transaction that are looked at to prove that it can never come. */
const MAX_INPUTS = 100
/** How far up parents of parents are looked at. */
const MAX_GENERATIONS = 3

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
    deps,
  )

const judgeOn = async (
  source: BitcoinSource,
  guards: readonly string[],
  txIds: readonly string[],
  deps: FinalityDeps,
): Promise<PayoutVerdict> => {
  const { height } = await source.tip()
  const since = height - SEARCHED_BLOCKS
  const outpoints = guards.flatMap((guard) => outpointOfGuard(guard) ?? [])
  const spends = await Promise.all(outpoints.map((outpoint) => source.spend(outpoint, since)))
  const verdict = judgeGeneration(spends, new Set(txIds), deps.settle)
  if (verdict !== 'alive') return verdict
  for (const [at, outpoint] of outpoints.entries()) {
    if (spends[at] !== null || (await source.holds(outpoint))) continue
    if (await isImpossible(outpoint.txId, { ...deps, source, since, generations: 0 })) return 'dead'
  }
  return 'alive'
}

interface Search extends FinalityDeps {
  readonly source: BitcoinSource
  readonly since: bigint
  /** How far up the question has come: what made what made it. */
  readonly generations: number
}

/**
 * Whether a transaction can never be in a block again: a final transaction that is another one spends what it spends, or what
 * it spends can never be made itself. Its bytes, which its id proves, may come from any node; without them nothing is proven.
 */
const isImpossible = async (txId: string, search: Search): Promise<boolean> => {
  const { source, since, settle, generations } = search
  const raw = await bytesOf(txId, search.pool)
  if (raw === null) return false
  const outpoints = outpointsIn(raw).slice(0, MAX_INPUTS)
  for (const outpoint of outpoints) {
    const spend = await source.spend(outpoint, since)
    if (spend !== null) {
      if (spend.txId !== txId && spend.confirmations > settle) return true
      continue
    }
    if (generations >= MAX_GENERATIONS || (await source.holds(outpoint))) continue
    if (await isImpossible(outpoint.txId, { ...search, generations: generations + 1 })) return true
  }
  return false
}

const bytesOf = async (txId: string, pool: SourcePool): Promise<RawTransaction | null> => {
  for (const endpoint of pool.ordered()) {
    const bytes = await endpoint.ask((source) => source.rawTransaction(txId)).catch(() => null)
    if (bytes !== null) return readRawTransaction(bytes, txId)
  }
  return null
}

/**
 * Whether final transactions, whichever they are, spend all of these. Every trusted provider that answers must say so, two where
 * two are configured.
 */
export const areSpentFinally = async (
  outpoints: readonly Outpoint[],
  { pool, settle }: Pick<FinalityDeps, 'pool' | 'settle'>,
): Promise<boolean> => {
  const votes = await hearProviders(pool, (endpoint) => endpoint.ask((source) => areSpent(source, outpoints, settle)))
  return votes.length >= Math.max(1, leastAnswers(pool)) && votes.every((spent) => spent)
}

const areSpent = async (source: BitcoinSource, outpoints: readonly Outpoint[], settle: bigint): Promise<boolean> => {
  const { height } = await source.tip()
  const open = new Map(outpoints.map((outpoint) => [outpointText(outpoint), outpoint]))
  for (const [text, outpoint] of open) {
    const spend = await source.spend(outpoint, height - SEARCHED_BLOCKS)
    if (spend === null || spend.confirmations <= settle) return false
    open.delete(text)
    // Most often it spends the others too: a node without an index would look for it again.
    const bytes = await source.rawTransaction(spend.txId)
    for (const { outpoint: taken } of bytes === null ? [] : readRawTransaction(bytes, spend.txId).inputs) {
      if (taken !== null) open.delete(outpointText(taken))
    }
  }
  return true
}
