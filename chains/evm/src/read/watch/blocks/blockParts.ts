import { eventTopics } from '@causeway/contracts-abi'
import { ServiceError } from '@causeway/core'
import { type JsonRpcEndpoint, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import { type Ask, askInHalves, blockCall, missing } from '../../../deposit/readDeposits.js'
import { addressTopic } from '../../../deposit/recognise.js'
import { quantity, type RpcBlock, type RpcLog, type RpcReceipt } from '../../../rpc/wire.js'
import { type Hit, hitsOf, logFilters, type Watched } from '../logReader.js'

/** Receipts asked for at once where a block is read one transaction at a time. */
const RECEIPTS_AT_ONCE = 25

type Way = (number: bigint, watched: Watched, ask: Ask) => Promise<readonly RpcLog[]>

/** Each filter in a request of its own. */
const byFilters: Way = async (number, watched, ask) => {
  const logs: RpcLog[] = []
  for (const filter of logFilters(watched)) {
    const params = [{ ...filter, fromBlock: quantity(number), toBlock: quantity(number) }]
    logs.push(...(await one<readonly RpcLog[]>({ method: 'eth_getLogs', params }, ask)))
  }
  return logs
}

const byReceiptsOfBlock: Way = async (number, watched, ask) => (await receiptLogs(number, 1n, watched, ask)).logs

/**
 * Logs of `count` blocks from `from` on that the filters would find, by the receipts of whole blocks, and the last of these blocks. A
 * block that has transactions has receipts: throws ServiceError where a node shows none of them, does not have a block, or shows blocks
 * that do not follow each other.
 */
export const receiptLogs = async (
  from: bigint,
  count: bigint,
  watched: Watched,
  ask: Ask,
): Promise<{ readonly logs: readonly RpcLog[]; readonly last: RpcBlock }> => {
  const numbers = Array.from({ length: Number(count) }, (_, at) => from + BigInt(at))
  const receiptCalls = numbers.map((number) => ({ method: 'eth_getBlockReceipts', params: [quantity(number)] }))
  const calls = [...numbers.map(blockCall), ...receiptCalls]
  const outcomes = await ask(calls)
  const blocks = numbers.map((_, at) => resultOf<RpcBlock | null>(outcomes[at], 'eth_getBlockByNumber') ?? missing())
  const logs = blocks.flatMap((block, at) => {
    const before = blocks[at - 1]
    const found = resultOf<readonly RpcReceipt[] | null>(outcomes[numbers.length + at], 'eth_getBlockReceipts')
    const receipts = found ?? missing()
    const isWhole = receipts.length > 0 || (block.transactions ?? []).length === 0
    const isOne = receipts.every(({ blockHash }) => isSame(blockHash, block.hash))
    if (!isWhole || !isOne || (before !== undefined && !isSame(block.parentHash, before.hash))) missing()
    return logsOf(receipts, watched)
  })
  return { logs, last: blocks.at(-1) ?? missing() }
}

const isSame = (hash: string, other: string): boolean => hash.toLowerCase() === other.toLowerCase()

/** Any node that shows its own transactions can do this. */
const byTransactions: Way = async (number, watched, ask) => {
  const block = (await one<RpcBlock | null>(blockCall(number), ask)) ?? missing()
  const ids = (block.transactions ?? missing()).map((tx) => (typeof tx === 'string' ? tx : tx.hash))
  const logs: RpcLog[] = []
  for (let at = 0; at < ids.length; at += RECEIPTS_AT_ONCE) {
    const calls = ids
      .slice(at, at + RECEIPTS_AT_ONCE)
      .map((id) => ({ method: 'eth_getTransactionReceipt', params: [id] }))
    const receipts = (await askInHalves(calls, ask)) as readonly (RpcReceipt | null)[]
    logs.push(
      ...logsOf(
        receipts.map((receipt) => receipt ?? missing()),
        watched,
      ),
    )
  }
  return logs
}

const WAYS: readonly Way[] = [byFilters, byReceiptsOfBlock, byTransactions]

/** The way in which blocks were read last, so that those that are refused are not tried for each block. */
export interface LastWay {
  at: number
}

/**
 * Hits of one block whose events a node refuses to show in one answer: it is asked in smaller parts, in the end one transaction at a
 * time (faults.md F132), beginning with the way that `last` names. Throws what the last way failed with.
 */
export const readBlockInParts = async (
  number: bigint,
  watched: Watched,
  ask: Ask,
  last: LastWay = { at: 0 },
): Promise<readonly Hit[]> => {
  let failure: unknown
  for (const [at, way] of [...WAYS.entries()].slice(last.at)) {
    try {
      const hits = hitsOf(await way(number, watched, ask))
      last.at = at
      return hits
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      failure = error
    }
  }
  last.at = 0
  throw failure
}

/** The same of the first node that can show them. */
export const readBlockSomewhere = async (
  number: bigint,
  watched: Watched,
  nodes: readonly JsonRpcEndpoint[],
  last?: LastWay,
): Promise<{ readonly hits: readonly Hit[]; readonly ask: Ask }> => {
  let failure: unknown = new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
  for (const node of nodes) {
    const ask: Ask = (calls) => node.batch(calls)
    try {
      return { hits: await readBlockInParts(number, watched, ask, last), ask }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      failure = error
    }
  }
  throw failure
}

const one = async <T>(call: RpcCall, ask: Ask): Promise<T> => {
  const [outcome] = await ask([call])
  return resultOf<T>(outcome, call.method)
}

/** What the filters would have found. */
const logsOf = (receipts: readonly RpcReceipt[], watched: Watched): readonly RpcLog[] => {
  const [own] = logFilters(watched)
  const addresses = new Set([own.address].flat())
  const topics = new Set([own.topics[0]].flat())
  const { transfer } = eventTopics
  const to = addressTopic(watched.depository)
  return receipts.flatMap(({ logs }) =>
    logs.filter(({ address, topics: [kind = '', , target] }) => {
      if (kind === transfer) return target?.toLowerCase() === to
      return topics.has(kind) && addresses.has(address.toLowerCase())
    }),
  )
}
