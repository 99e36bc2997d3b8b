import { type DepositEvent, type DirectExecution, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core'
import { type Head, headOf } from '../head/headSource.js'
import { quantity, type RpcBlock, type RpcReceipt, type RpcTransaction } from '../rpc/wire.js'
import type { Mark } from './cursor.js'
import type { Hit, Watched } from './logReader.js'
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

/**
 * Reads what stands behind hits, from one node; `last` is a block already known. Null when the node contradicts itself, so
 * that the range is read again.
 */
export const readDeposits = async (
  hits: readonly Hit[],
  last: Head | null,
  { ask, watched }: { readonly ask: Ask; readonly watched: Watched },
): Promise<(Findings & { readonly seen: readonly Mark[] }) | null> => {
  if (hits.length === 0) return { ...NOTHING, seen: [] }
  const numbers = [...new Set(hits.map((hit) => hit.number))].filter((number) => number !== last?.height)
  const calls = [
    ...numbers.map(blockCall),
    ...hits.map((hit) => ({ method: 'eth_getTransactionReceipt', params: [hit.txId] })),
    ...hits.map((hit) => ({ method: 'eth_getTransactionByHash', params: [hit.txId] })),
  ]
  const answers = await ask(calls)
  const outcomes = calls.map(({ method }, at) => resultOf<unknown>(answers[at], method))
  const blocks = new Map<bigint, Head>(last === null ? [] : [[last.height, last]])
  for (const block of outcomes.slice(0, numbers.length) as readonly (RpcBlock | null)[]) {
    if (block !== null) blocks.set(BigInt(block.number), headOf(block))
  }
  const deposits: DepositEvent[] = []
  const executions: DirectExecution[] = []
  for (const [at, hit] of hits.entries()) {
    const receipt = outcomes[numbers.length + at] as RpcReceipt | null
    const tx = outcomes[numbers.length + hits.length + at] as RpcTransaction | null
    const block = blocks.get(hit.number)
    const agreed = receipt?.blockHash.toLowerCase() === hit.blockHash && block?.hash === hit.blockHash
    if (!agreed || receipt === null || tx === null || block === undefined) return null
    const { height, hash, time } = block
    deposits.push(...recogniseDeposits(receipt, tx, watched.depository, { height, hash, time }))
    if (watched.swap === null) continue
    const found = recogniseExecutions(receipt, tx, watched.swap.router, { height, hash, time })
    executions.push(...found.map(({ execution }) => execution))
  }
  return { deposits, executions, seen: [...blocks.values()].map(({ height, hash }) => ({ number: height, hash })) }
}
