import {
  type BlockRef,
  type Json,
  type LaneReading,
  larger,
  type OutgoingTransaction,
  ServiceError,
} from '@causeway/core'
import { NATIVE } from '../address/addresses.js'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { watchedAddress } from '../balances.js'
import { coinGuard, outpointText } from '../coins/coin.js'
import type { BitcoinNetwork } from '../network/networks.js'
import { readOrderText } from '../orderText/orderText.js'
import type { BitcoinSource, WatchedScript } from '../source/bitcoinSource.js'
import type { SourcePool } from '../source/sourcePool.js'
import type { ChainTransaction } from '../transaction/chainTransaction.js'
import { decodePosition, encodePosition, type HeldPayout } from './lanePosition.js'
import { gainedBy } from './paidAmounts.js'

/** Blocks before the journal's last one that are read again: they may have been replaced. */
const MARGIN = 12n
/** Blocks looked through before the operator must decide: four weeks. */
const MAX_BLOCKS = 4032n

export interface LaneReaderDeps {
  readonly pool: SourcePool
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
}

/** What one provider shows of a lane. */
interface Sight {
  readonly tip: bigint
  /** Transactions that spend from the lane, those that wait included. */
  readonly sent: readonly ChainTransaction[]
  /** Why there may be more, else null. */
  readonly gap: string | null
}

/** Where to read on: the journal's last block and the first one to read; null at first use, when only the mempool counts. */
type Since = { readonly journal: bigint; readonly from: bigint } | null

/**
 * Looks for transactions in blocks and in the mempool that spend from the lane and that its position does not name, at every
 * trusted provider: what one leaves out another one shows. Two must answer where two are configured, and two must show all.
 * First use: nothing is unknown, but what waits holds its coins.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const readLane = async (
  address: string,
  stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  deps: LaneReaderDeps,
): Promise<LaneReading> => {
  const lane = watchedAddress(address, deps.network)
  const position = stored === null ? null : decodePosition(stored.position)
  const since: Since =
    stored === null || position === null
      ? null
      : { journal: stored.sinceHeight, from: larger(stored.sinceHeight - MARGIN, position.begin + 1n) }
  const sights = await askAll((source) => lookAt(source, lane, since), deps.pool)
  const gap = gapOf(sights, deps.pool)
  // The lowest: what one more block hides of is read again, which costs little.
  const [tip = 0n] = sights.map(({ tip }) => tip).sort((left, right) => (left < right ? -1 : 1))
  const sent = [...union(sights).values()]
  const shared = { complete: gap === null, ...(gap === null ? {} : { gap }) }
  if (position === null) {
    const payouts = sent.map((item) => holding(item, tip))
    return { position: encodePosition({ begin: tip, payouts }), unknown: [], ...shared }
  }
  const { begin, payouts } = position
  const known = new Set(payouts.map(({ txId }) => txId))
  const unknown = sent.filter(({ id }) => !known.has(id))
  // Where not all could be read, the operator accepts just this gap: the text must stay the same from block to block.
  const held = gap === null ? unknown.map((item) => holding(item, tip)) : []
  return {
    position: encodePosition({ begin, payouts: [...payouts, ...held] }),
    unknown: unknown.map((transaction) => describe(transaction, lane, deps)),
    ...shared,
  }
}

/** How many providers must answer: two, where so many are configured. */
const neededOf = ({ providerCount }: SourcePool): number => Math.min(2, providerCount)

const askAll = async <T>(question: (source: BitcoinSource) => Promise<T>, pool: SourcePool): Promise<readonly T[]> => {
  const answers = await Promise.allSettled(pool.providers.map((endpoint) => endpoint.ask(question)))
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (found.length < Math.max(1, neededOf(pool))) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this chain answer. Try again later.')
  }
  return found
}

const gapOf = (sights: readonly Sight[], pool: SourcePool): string | null => {
  const gaps = sights.flatMap(({ gap }) => gap ?? [])
  return sights.length - gaps.length >= neededOf(pool) ? null : (gaps[0] ?? null)
}

/** Each transaction once, in a block where some provider shows it in one. */
const union = (sights: readonly Sight[]): ReadonlyMap<string, ChainTransaction> => {
  const all = new Map<string, ChainTransaction>()
  for (const { sent } of sights) {
    for (const item of sent) if (item.block !== null || !all.has(item.id)) all.set(item.id, item)
  }
  return all
}

const lookAt = async (source: BitcoinSource, lane: WatchedScript, since: Since): Promise<Sight> => {
  const { height: tip } = await source.tip()
  // The mempool first: what leaves it meanwhile is in a block by then.
  const waiting = await source.waiting(lane)
  const { from, gap } = rangeOf(since, tip)
  const mined = from === null ? [] : await source.history(lane, { from, to: tip + MARGIN })
  const all = new Map([...waiting, ...mined].map((transaction) => [transaction.id, transaction]))
  const full = source.waitingLimit !== null && waiting.length >= source.waitingLimit
  return {
    tip,
    sent: [...all.values()].filter((transaction) => isSent(transaction, lane)),
    gap: full ? `a node shows only ${waiting.length} of the transactions of this key that wait` : gap,
  }
}

const rangeOf = (since: Since, tip: bigint): { readonly from: bigint | null; readonly gap: string | null } => {
  if (since === null) return { from: null, gap: null }
  const { journal, from } = since
  if (tip + MARGIN < journal) return { from, gap: 'a node is behind the last stored block' }
  if (tip - from <= MAX_BLOCKS) return { from, gap: null }
  return { from: tip - MAX_BLOCKS, gap: `the last stored block is more than ${MAX_BLOCKS} blocks ago` }
}

const isSent = ({ inputs }: ChainTransaction, { script }: WatchedScript): boolean =>
  inputs.some(({ previous }) => previous !== null && equalBytes(previous.script, script))

const holding = ({ id, inputs }: ChainTransaction, height: bigint): HeldPayout => ({
  txId: id,
  coins: inputs.flatMap(({ outpoint }) => (outpoint === null ? [] : [outpointText(outpoint)])),
  height,
})

const describe = (
  transaction: ChainTransaction,
  lane: WatchedScript,
  { network, depository }: LaneReaderDeps,
): OutgoingTransaction => {
  const { id, inputs, outputs, block } = transaction
  const withdraws = inputs.some(({ previous }) => previous !== null && equalBytes(previous.script, depository.script))
  const orderId = outputs.flatMap(({ script }) => readOrderText(script)?.orderId ?? [])[0] ?? null
  const paid = outputs.find(({ script }) => script[0] !== 0x6a && !equalBytes(script, lane.script))
  const payment =
    withdraws || paid === undefined
      ? { to: lane.address, amount: gainedBy(transaction, lane.script) }
      : { to: addressOfScript(paid.script, network) ?? lane.address, amount: paid.value }
  return {
    tx: { id },
    guards: inputs.flatMap(({ outpoint }) => (outpoint === null ? [] : [coinGuard(outpoint)])),
    orderId,
    to: payment.to,
    money: { currency: NATIVE, amount: payment.amount },
    purpose: withdraws ? 'withdraw' : null,
    status: statusOf(block),
    block,
  }
}

const statusOf = (block: BlockRef | null): OutgoingTransaction['status'] => (block === null ? 'pending' : 'success')
