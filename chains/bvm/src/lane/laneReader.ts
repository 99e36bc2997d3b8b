import { type Hex, larger, smaller } from '@causeway/core'
import type { BlockRef, LanePlace, LaneReading, OutgoingTransaction } from '@causeway/core/chain'
import { type ProviderReading, readAtProviders } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { BitcoinNetwork } from '../address/networks.js'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { readOrderId } from '../deposit/orderText.js'
import { coinGuard, outpointOfGuard, outpointText } from '../payout/coins/coin.js'
import { watchedAddress } from '../read/balances.js'
import type { BitcoinSource, WatchedScript } from '../rpc/bitcoinSource.js'
import { type ChainOutput, type ChainTransaction, feePaid, outpointsIn, spentFrom } from '../rpc/chainTransaction.js'
import type { SourcePool } from '../rpc/sourcePool.js'
import { decodePosition, encodePosition, type HeldPayout } from './lanePosition.js'
import { gainedBy } from './paidAmounts.js'

/** Blocks before the journal's last one that are read again: they may have been replaced. */
const MARGIN = 12n
/** Blocks looked through before the operator must decide: four weeks. */
const MAX_BLOCKS = 4032n

/** Blocks that a source without an index of addresses is asked for at once. */
const DAY_BLOCKS = 144n
/** `pageBlocks` of a source that has such an index. */
const INDEXED = 1_000n

export interface LaneReaderDeps {
  readonly pool: SourcePool
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
}

/** Where to read on from so that what a coin of these guards was chosen for, and all that came later, is read again. */
export const placeBefore = (stored: LanePlace, guards: readonly string[]): LanePlace => {
  const { payouts } = decodePosition(stored.position)
  const coins = new Set(guards.flatMap((guard) => outpointOfGuard(guard) ?? []).map(outpointText))
  const heights = payouts.filter((payout) => payout.coins.some((coin) => coins.has(coin))).map(({ height }) => height)
  return { ...stored, sinceHeight: heights.reduce(smaller, stored.sinceHeight) }
}

/** What one provider shows of a lane: transactions that spend from it, those that wait included. */
interface Reading extends ProviderReading<ChainTransaction> {
  readonly tip: bigint
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
  stored: LanePlace | null,
  deps: LaneReaderDeps,
): Promise<LaneReading> => {
  const lane = watchedAddress(address, deps.network)
  const position = stored === null ? null : decodePosition(stored.position)
  const since: Since =
    stored === null || position === null
      ? null
      : { journal: stored.sinceHeight, from: larger(stored.sinceHeight - MARGIN, position.begin + 1n) }
  const {
    readings,
    found: sent,
    ...shared
  } = await readAtProviders(
    deps.pool,
    (endpoint) => endpoint.ask((source) => readAtOne(source, lane, since, position?.payouts ?? [])),
    ({ id, block }: ChainTransaction) => ({ id, included: block !== null }),
  )
  // The lowest: what one more block hides of is read again, which costs little.
  const tip = readings.map(({ tip }) => tip).reduce(smaller)
  if (position === null) {
    const payouts = sent.map((item) => holding(item, tip, { ...deps, lane }))
    return { position: encodePosition({ begin: tip, payouts }), unknown: [], ...shared }
  }
  const { begin, payouts } = position
  const known = new Set(payouts.map(({ txId }) => txId))
  const unknown = sent.filter(({ id }) => !known.has(id))
  // Where not all could be read, the operator accepts just this gap: the text must stay the same from block to block.
  const held = shared.complete ? unknown.map((item) => holding(item, tip, { ...deps, lane })) : []
  return {
    position: encodePosition({ begin, payouts: [...payouts, ...held] }),
    unknown: unknown.flatMap((transaction) => describe(transaction, lane, deps)),
    ...shared,
  }
}

/**
 * Whether the lane has spent a coin, as any provider shows (`LaneAdapter.hasSent`): at all where the node has an index of addresses, else
 * within a day of blocks and in the mempool.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const hasSent = async (address: string, deps: LaneReaderDeps): Promise<boolean> => {
  const lane = watchedAddress(address, deps.network)
  const { found } = await readAtProviders(
    deps.pool,
    (endpoint) => endpoint.ask((source) => readSpending(source, lane)),
    ({ id, block }: ChainTransaction) => ({ id, included: block !== null }),
  )
  return found.length > 0
}

const readSpending = async (source: BitcoinSource, lane: WatchedScript): Promise<ProviderReading<ChainTransaction>> => {
  const { height: tip } = await source.tip()
  const waiting = await source.waiting(lane)
  const from = source.pageBlocks >= INDEXED ? 0n : larger(tip - DAY_BLOCKS, 0n)
  const mined = await source.history(lane, { from, to: tip + MARGIN })
  return { found: [...waiting, ...mined].filter((transaction) => isSent(transaction, lane)), complete: true }
}

const readAtOne = async (
  source: BitcoinSource,
  lane: WatchedScript,
  since: Since,
  held: readonly HeldPayout[],
): Promise<Reading> => {
  const { height: tip } = await source.tip()
  // The mempool first: what leaves it meanwhile is in a block by then.
  const { waiting, hidden } = await readWaiting(source, lane, held)
  const { from, gap } = rangeOf(since, tip)
  const mined = from === null ? [] : await source.history(lane, { from, to: tip + MARGIN })
  const all = new Map([...waiting, ...mined].map((transaction) => [transaction.id, transaction]))
  const found = [...all.values()].filter((transaction) => isSent(transaction, lane))
  const why = hidden ? 'a node does not show all transactions of this key that wait' : gap
  return { tip, found, complete: why === null, ...(why === null ? {} : { gap: why }) }
}

/**
 * What waits and names the lane. Anybody can send it more small payments than a node shows, so nothing is taken to be hidden while all
 * that waits and spends its coins is among what is shown, or known by its journal.
 */
const readWaiting = async (source: BitcoinSource, lane: WatchedScript, held: readonly HeldPayout[]) => {
  // Counted first: what comes meanwhile is shown beyond the count.
  const spends = source.waitingLimit === null ? null : await source.waitingSpends(lane)
  const shown = await source.waiting(lane)
  if (source.waitingLimit === null || shown.length < source.waitingLimit) return { waiting: shown, hidden: false }
  const ids = new Set(shown.map(({ id }) => id))
  const known = await Promise.all(held.flatMap(({ txId }) => (ids.has(txId) ? [] : [source.transaction(txId)])))
  const waiting = [...shown, ...known.flatMap((item) => (item === null || item.block !== null ? [] : [item]))]
  const found = waiting.reduce((sum, item) => sum + spentFrom(item, lane.script).length, 0)
  return { waiting, hidden: spends === null || found < spends }
}

const rangeOf = (since: Since, tip: bigint): { readonly from: bigint | null; readonly gap: string | null } => {
  if (since === null) return { from: null, gap: null }
  const { journal, from } = since
  if (tip + MARGIN < journal) return { from, gap: 'a node is behind the last stored block' }
  if (tip - from <= MAX_BLOCKS) return { from, gap: null }
  return { from: tip - MAX_BLOCKS, gap: `the last stored block is more than ${MAX_BLOCKS} blocks ago` }
}

const isSent = (transaction: ChainTransaction, lane: WatchedScript): boolean =>
  spentFrom(transaction, lane.script).length > 0

const holding = (
  transaction: ChainTransaction,
  height: bigint,
  { lane, depository }: { readonly lane: WatchedScript; readonly depository: WatchedScript },
): HeldPayout => {
  const sweeps =
    spentFrom(transaction, depository.script).length === 0 &&
    transaction.outputs.some(({ script }) => equalBytes(script, depository.script))
  const own = new Set(spentFrom(transaction, lane.script).map(outpointText))
  const coins = outpointsIn(transaction).map(outpointText)
  return { txId: transaction.id, coins, height, ...(sweeps && { swept: coins.filter((coin) => !own.has(coin)) }) }
}

/** What a transaction of the lane pays, by each order id that it carries; one without any is told of as it is. */
const describe = (
  transaction: ChainTransaction,
  lane: WatchedScript,
  { network, depository }: LaneReaderDeps,
): readonly OutgoingTransaction[] => {
  const { id, block } = transaction
  const withdraws = spentFrom(transaction, depository.script).length > 0
  const fee = feePaid(transaction)
  return paymentsOf(transaction, lane).map(({ orderId, paid }, at) => {
    const payment =
      withdraws || paid === null
        ? { to: lane.address, amount: gainedBy(transaction, lane.script) }
        : { to: addressOfScript(paid.script, network) ?? lane.address, amount: paid.value }
    return {
      tx: { id },
      guards: outpointsIn(transaction).map(coinGuard),
      orderId,
      to: payment.to,
      money: { currency: NATIVE, amount: payment.amount },
      // Nothing but a sweep pays the depository and spends none of its coins.
      purpose: withdraws ? 'withdraw' : payment.to === depository.address ? 'sweep' : null,
      status: statusOf(block),
      ...(fee === null || at > 0 ? {} : { fee }),
      block,
    }
  })
}

interface PaymentOutput {
  readonly orderId: Hex | null
  readonly paid: ChainOutput | null
}

/** Outputs to others with the order id that stands behind each, as `buildPayout` writes them; a lone id may stand anywhere. */
const paymentsOf = ({ outputs }: ChainTransaction, lane: WatchedScript): readonly PaymentOutput[] => {
  const parts = outputs.map((output) => ({ output, orderId: readOrderId(output.script) }))
  const isPaid = ({ script }: ChainOutput) => script[0] !== OP_RETURN && !equalBytes(script, lane.script)
  const ids = parts.flatMap(({ orderId }) => orderId ?? [])
  if (ids.length < 2) return [{ orderId: ids[0] ?? null, paid: outputs.find(isPaid) ?? null }]
  return parts.flatMap(({ orderId }, at) => {
    if (orderId === null) return []
    const before = outputs[at - 1]
    return [{ orderId, paid: before !== undefined && isPaid(before) ? before : null }]
  })
}

const OP_RETURN = 0x6a

const statusOf = (block: BlockRef | null): OutgoingTransaction['status'] => (block === null ? 'pending' : 'success')
