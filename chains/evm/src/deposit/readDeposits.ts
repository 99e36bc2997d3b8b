import { ServiceError } from '@causeway/core'
import type { DepositEvent, DirectExecution } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import type { Mark } from '../read/watch/cursor.js'
import type { Hit, Watched } from '../read/watch/logReader.js'
import { type Head, headOf } from '../rpc/headSource.js'
import { quantity, type RpcBlock, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'
import { recogniseDeposits } from './recognise.js'
import { recogniseExecutions } from './recogniseExecutions.js'

export type Ask = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>

/** What transactions did with this service. */
export interface Findings {
  readonly deposits: readonly DepositEvent[]
  readonly executions: readonly DirectExecution[]
}

export const NOTHING: Findings = { deposits: [], executions: [] }

export const blockCall = (number: bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [quantity(number), false],
})

/** Transactions whose receipts are asked for at once, and how many logs of theirs: one with more is asked for alone. */
const HITS_AT_ONCE = 25
const LOGS_AT_ONCE = 1_000

const groupsOf = (hits: readonly Hit[]): readonly (readonly Hit[])[] => {
  const groups: Hit[][] = []
  let logs = 0
  for (const hit of hits) {
    const group = groups.at(-1)
    logs += hit.logs
    if (group !== undefined && group.length < HITS_AT_ONCE && logs <= LOGS_AT_ONCE) {
      group.push(hit)
      continue
    }
    groups.push([hit])
    logs = hit.logs
  }
  return groups
}

/**
 * Results of calls none of which may fail; where the node does not answer them together, of ever fewer at once. Throws when a single
 * one fails.
 */
export const askInHalves = async (calls: readonly RpcCall[], ask: Ask): Promise<readonly unknown[]> => {
  try {
    const answers = await ask(calls)
    return calls.map(({ method }, at) => resultOf<unknown>(answers[at], method))
  } catch (error) {
    if (calls.length < 2 || !ServiceError.is(error)) throw error
    const half = calls.length >> 1
    return [...(await askInHalves(calls.slice(0, half), ask)), ...(await askInHalves(calls.slice(half), ask))]
  }
}

/** Thrown where a node lacks a block or a receipt of a block that it announced: its silence is no proof that the block holds no log. */
export const missing = (): never => {
  throw new ServiceError(
    'RPC_HTTP_ERROR',
    'A node of this chain does not have a block that it has announced. Try again.',
  )
}

/** The answer of the preferred node, or, where that is null, of the first other node whose answer is not. Throws what the preferred one does. */
export const askUntilShown = async <T>(
  rpc: Pick<JsonRpcClient, 'batch' | 'ordered'>,
  question: (ask: Ask) => Promise<T | null>,
): Promise<T | null> => {
  const shown = await question((calls) => rpc.batch(calls))
  if (shown !== null) return shown
  for (const node of rpc.ordered().slice(1)) {
    const found = await question((calls) => node.batch(calls)).catch((error: unknown) => {
      if (ServiceError.is(error)) return null
      throw error
    })
    if (found !== null) return found
  }
  return null
}

interface Read {
  readonly deposits: DepositEvent[]
  readonly executions: DirectExecution[]
  readonly blocks: Map<bigint, Head>
}

/**
 * Reads what stands behind hits, from one node and a few transactions at a time; `last` is a block already known. Null when the node
 * contradicts itself, so that the range is read again.
 */
export const readDeposits = async (
  hits: readonly Hit[],
  last: Head | null,
  { ask, watched }: { readonly ask: Ask; readonly watched: Watched },
): Promise<(Findings & { readonly seen: readonly Mark[] }) | null> => {
  const blocks = new Map<bigint, Head>(last === null || hits.length === 0 ? [] : [[last.height, last]])
  const read: Read = { deposits: [], executions: [], blocks }
  for (const group of groupsOf(hits)) if (!(await readSome(group, read, { ask, watched }))) return null
  const { deposits, executions } = read
  return { deposits, executions, seen: [...blocks.values()].map(({ height, hash }) => ({ number: height, hash })) }
}

/** Adds what some hits are to what was read; false when the node contradicts itself. */
const readSome = async (
  hits: readonly Hit[],
  { deposits, executions, blocks }: Read,
  { ask, watched }: { readonly ask: Ask; readonly watched: Watched },
): Promise<boolean> => {
  const numbers = [...new Set(hits.map((hit) => hit.number))].filter((number) => !blocks.has(number))
  const calls = [
    ...numbers.map(blockCall),
    ...hits.flatMap(({ txId }) => [
      { method: 'eth_getTransactionReceipt', params: [txId] },
      { method: 'eth_getTransactionByHash', params: [txId] },
    ]),
  ]
  const results = await askInHalves(calls, ask)
  for (const block of results.slice(0, numbers.length) as readonly (RpcBlock | null)[]) {
    if (block !== null) blocks.set(BigInt(block.number), headOf(block))
  }
  for (const [at, hit] of hits.entries()) {
    const receipt = results[numbers.length + 2 * at] as RpcReceipt | null
    const tx = results[numbers.length + 2 * at + 1] as RpcTransaction | null
    const block = blocks.get(hit.number)
    const agreed = receipt?.blockHash.toLowerCase() === hit.blockHash && block?.hash === hit.blockHash
    if (!agreed || receipt === null || tx === null || block === undefined) return false
    const { height, hash, time } = block
    deposits.push(...recogniseDeposits(receipt, tx, watched.depository, { height, hash, time }))
    if (watched.swap === null) continue
    const found = recogniseExecutions(receipt, tx, watched.swap.router, { height, hash, time })
    executions.push(...found.map(({ execution }) => execution))
  }
  return true
}
