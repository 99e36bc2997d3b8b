import { type BlockRef, type Json, type LaneReading, larger, type OutgoingTransaction } from '@causeway/core'
import { NATIVE } from '../address/addresses.js'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { watchedAddress } from '../balances.js'
import { coinGuard, outpointText } from '../coins/coin.js'
import type { BitcoinNetwork } from '../network/networks.js'
import { readOrderText } from '../orderText/orderText.js'
import type { BitcoinSource, HeightRange, WatchedScript } from '../source/bitcoinSource.js'
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

/**
 * Looks for transactions in blocks and in the mempool that spend from the lane and that its position does not name. First use:
 * nothing is unknown, but what waits holds its coins.
 */
export const readLane = async (
  address: string,
  stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  deps: LaneReaderDeps,
): Promise<LaneReading> => {
  const lane = watchedAddress(address, deps.network)
  const { height: tip } = await deps.pool.ask((source) => source.tip())
  if (stored === null) {
    const waiting = await deps.pool.ask((source) => source.waiting(lane))
    const payouts = waiting.filter((transaction) => isSent(transaction, lane)).map((sent) => holding(sent, tip))
    return { position: encodePosition({ begin: tip, payouts }), unknown: [], complete: true }
  }
  const { begin, payouts } = decodePosition(stored.position)
  const known = new Set(payouts.map(({ txId }) => txId))
  const since = larger(stored.sinceHeight - MARGIN, begin + 1n)
  const complete = tip - since <= MAX_BLOCKS
  const range = { from: complete ? since : tip - MAX_BLOCKS, to: tip + MARGIN }
  const sent = await deps.pool.ask((source) => readSent(source, lane, range))
  const unknown = sent.filter(({ id }) => !known.has(id))
  // Where not all could be read, the operator accepts just this gap: the text must stay the same from block to block.
  const held = complete ? unknown.map((item) => holding(item, tip)) : []
  return {
    position: encodePosition({ begin, payouts: [...payouts, ...held] }),
    unknown: unknown.map((transaction) => describe(transaction, lane, deps)),
    complete,
  }
}

const isSent = ({ inputs }: ChainTransaction, { script }: WatchedScript): boolean =>
  inputs.some(({ previous }) => previous !== null && equalBytes(previous.script, script))

const holding = ({ id, inputs }: ChainTransaction, height: bigint): HeldPayout => ({
  txId: id,
  coins: inputs.flatMap(({ outpoint }) => (outpoint === null ? [] : [outpointText(outpoint)])),
  height,
})

const readSent = async (
  source: BitcoinSource,
  lane: WatchedScript,
  range: HeightRange,
): Promise<readonly ChainTransaction[]> => {
  // The mempool first: what leaves it meanwhile is in a block by then.
  const waiting = await source.waiting(lane)
  const mined = await source.history(lane, range)
  const all = new Map([...waiting, ...mined].map((transaction) => [transaction.id, transaction]))
  return [...all.values()].filter((transaction) => isSent(transaction, lane))
}

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
