import { eventTopics } from '@causeway/contracts-abi'
import { ServiceError } from '@causeway/core'
import type { Arrival, BlockRef, Live } from '@causeway/core/chain'
import { type RpcCall, type RpcOutcome, RpcResponseError, resultOf } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { type Ask, askInHalves, missing } from '../deposit/readDeposits.js'
import { wholeBlockCall } from '../read/watch/blocks/wholeBlocks.js'
import { type Head, headOf } from '../rpc/headSource.js'
import { hasFailed } from '../rpc/receipts.js'
import { isRangeError } from '../rpc/rpcErrors.js'
import { quantity, type RpcBlock, type RpcLog, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'

/** Receipts asked for at once: of transactions that may have many logs, and of plain payments, which have none. */
const RECEIPTS_AT_ONCE = { any: 25, plain: 200 } as const
/** `0x` and 32 bytes. */
const WORD_TEXT = 66

/**
 * Whole blocks, and the transfers of all tokens in them and `overlap` blocks before: as many calls whatever the number of addresses.
 */
export const arrivalCalls = (tokens: readonly string[], from: bigint, to: bigint, overlap = 0): readonly RpcCall[] => {
  const count = Number(to - from) + 1
  const blocks = Array.from({ length: count }, (_, at) => wholeBlockCall(from + BigInt(at)))
  return tokens.length === 0 ? blocks : [...blocks, logCall(tokens, from - BigInt(overlap), to)]
}

const logCall = (address: readonly string[], from: bigint, to: bigint): RpcCall => ({
  method: 'eth_getLogs',
  params: [{ address, topics: [[eventTopics.transfer]], fromBlock: quantity(from), toBlock: quantity(to) }],
})

/** Logs of a range; null where the node refuses so many. Throws on other errors. */
export const logsOf = (outcome: RpcOutcome | undefined): readonly RpcLog[] | null => {
  if (outcome?.ok === false && isRangeError(outcome.error)) return null
  if (outcome?.ok === false) throw new RpcResponseError('eth_getLogs', outcome.error)
  return resultOf<readonly RpcLog[]>(outcome, 'eth_getLogs')
}

/**
 * Transfers of a block that a node refuses to list at once: each token alone, and where that is still too much by the receipts of its
 * transactions (faults.md F132).
 * @throws ServiceError when the node lacks a receipt of the block
 */
export const logsInParts = async (block: RpcBlock, tokens: readonly string[], ask: Ask): Promise<readonly RpcLog[]> => {
  const number = BigInt(block.number)
  const parts = await byToken(tokens, number, ask)
  if (parts !== null) return parts
  const wanted = new Set(tokens)
  const ids = (block.transactions ?? []).map((tx) => (typeof tx === 'string' ? tx : tx.hash))
  const receipts = await receiptsOf(ids, RECEIPTS_AT_ONCE.any, ask)
  return receipts.flatMap((receipt) => {
    const { logs } = receipt?.blockHash.toLowerCase() === block.hash.toLowerCase() ? receipt : missing()
    return logs.filter(({ address }) => wanted.has(address.toLowerCase()))
  })
}

const byToken = async (tokens: readonly string[], number: bigint, ask: Ask): Promise<readonly RpcLog[] | null> => {
  const logs: RpcLog[] = []
  for (const token of tokens) {
    const [outcome] = await ask([logCall([token], number, number)]).catch((error: unknown) => {
      if (ServiceError.is(error)) return [null]
      throw error
    })
    const part = outcome === null ? null : logsOf(outcome)
    if (part === null) return null
    logs.push(...part)
  }
  return logs
}

const receiptsOf = async (
  ids: readonly string[],
  atOnce: number,
  ask: Ask,
): Promise<readonly (RpcReceipt | null)[]> => {
  const receipts: (RpcReceipt | null)[] = []
  for (let at = 0; at < ids.length; at += atOnce) {
    const calls = ids.slice(at, at + atOnce).map((id) => ({ method: 'eth_getTransactionReceipt', params: [id] }))
    receipts.push(...((await askInHalves(calls, ask)) as readonly (RpcReceipt | null)[]))
  }
  return receipts
}

/** Native payments of blocks to live addresses; null where the node lacks a receipt of these blocks. What failed brought nothing. */
export const nativeArrivals = async (
  blocks: readonly RpcBlock[],
  live: Live,
  ask: Ask,
): Promise<readonly Arrival[] | null> => {
  const hits = blocks.flatMap((block) => paymentsIn(block, live).map((tx) => ({ tx, head: headOf(block) })))
  const receipts = await receiptsOf(
    hits.map(({ tx }) => tx.hash),
    RECEIPTS_AT_ONCE.plain,
    ask,
  )
  const arrivals: Arrival[] = []
  for (const [at, { tx, head }] of hits.entries()) {
    const receipt = receipts[at] ?? null
    if (receipt === null || receipt.blockHash.toLowerCase() !== head.hash) return null
    // A payment to an account without code cannot fail: one whose receipt does not say came.
    if (hasFailed(receipt)) continue
    arrivals.push({
      state: 'included',
      tx: { id: tx.hash.toLowerCase() },
      position: 0,
      to: { address: tx.to?.toLowerCase() ?? '' },
      money: { currency: ZERO_ADDRESS, amount: BigInt(tx.value) },
      sender: tx.from.toLowerCase(),
      block: refOf(head),
    })
  }
  return arrivals
}

const paymentsIn = ({ transactions = [] }: RpcBlock, live: Live): readonly RpcTransaction[] =>
  transactions.filter(
    (tx): tx is RpcTransaction =>
      typeof tx !== 'string' && tx.to !== null && live.has(tx.to.toLowerCase()) && BigInt(tx.value) > 0n,
  )

/**
 * Transfers of tokens to live addresses; null where a log names another block than the one that was read. `position` counts those of one
 * transaction to one address in one token, in the order of their logs, which the block alone decides.
 */
export const tokenArrivals = (
  logs: readonly RpcLog[],
  heads: ReadonlyMap<bigint, Head>,
  live: Live,
): readonly Arrival[] | null => {
  const counts = new Map<string, number>()
  const arrivals: Arrival[] = []
  // Sorted are only those few that came to somebody.
  const hits = logs.flatMap((log) => {
    const to = recipientOf(log, live)
    return to === null ? [] : [{ log, to }]
  })
  for (const { log, to } of inOrder(hits)) {
    const head = heads.get(BigInt(log.blockNumber))
    if (head === undefined || head.hash !== log.blockHash.toLowerCase()) return null
    const [txId, currency] = [log.transactionHash.toLowerCase(), log.address.toLowerCase()]
    const key = `${txId} ${to} ${currency}`
    const position = counts.get(key) ?? 0
    counts.set(key, position + 1)
    arrivals.push({
      state: 'included',
      tx: { id: txId },
      position,
      to: { address: to },
      money: { currency, amount: BigInt(log.data) },
      sender: senderOf(log),
      block: refOf(head),
    })
  }
  return arrivals
}

interface Hit {
  readonly log: RpcLog
  readonly to: string
}

const inOrder = (hits: readonly Hit[]): readonly Hit[] =>
  hits.toSorted(
    ({ log: left }, { log: right }) =>
      Number(left.blockNumber) - Number(right.blockNumber) || Number(left.logIndex) - Number(right.logIndex),
  )

/** The live address that a log says something came to; null: none, nothing, or no transfer of a token with amounts. */
const recipientOf = ({ topics, data, removed }: RpcLog, live: Live): string | null => {
  const [, , target] = topics
  if (removed === true || target === undefined || topics.length !== 3 || data.length !== WORD_TEXT) return null
  const to = `0x${target.slice(-40).toLowerCase()}`
  return live.has(to) && BigInt(data) > 0n ? to : null
}

/** New tokens were nobody's. */
const senderOf = ({ topics }: RpcLog): string | null => {
  const from = `0x${(topics[1] ?? '').slice(-40).toLowerCase()}`
  return from === ZERO_ADDRESS ? null : from
}

const refOf = ({ height, hash, time }: Head): BlockRef => ({ height, hash, time })
