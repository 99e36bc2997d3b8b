import type { Hex } from '@causeway/core'
import type { JsonRpcClient, RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import type { Logger } from 'pino'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { ChainRead, ReadPlan } from './readPlan.js'

const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Answer { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Answer[] answers)',
])

/** One eth_call should stay far below what nodes allow; a heavy read counts as several light ones. */
const MAX_WEIGHT = 400
const HEAVY = 6

/** Answers read plans in one HTTP request to one node: by Multicall3 where there is one, else one eth_call each. */
export class ChainReader {
  readonly #rpc: JsonRpcClient
  readonly #multicall: string | null
  readonly #logger: Logger

  constructor(deps: { readonly rpc: JsonRpcClient; readonly multicall: string | null; readonly logger: Logger }) {
    this.#rpc = deps.rpc
    this.#multicall = deps.multicall
    this.#logger = deps.logger
  }

  /** Equal reads are asked once. Throws ServiceError when no node answers. */
  async run<Result>(plan: ReadPlan<Result>): Promise<Result> {
    const distinct = new Map(plan.reads.map((read) => [keyOf(read), read]))
    const reads = [...distinct.values()].sort((left, right) => weightOf(left) - weightOf(right))
    const answers = reads.length === 0 ? [] : await this.#ask(reads)
    const byKey = new Map(reads.map((read, at) => [keyOf(read), answers[at] ?? null]))
    return plan.finish(plan.reads.map((read) => byKey.get(keyOf(read)) ?? null))
  }

  async #ask(reads: readonly ChainRead[]): Promise<readonly (Hex | null)[]> {
    const multicall = this.#multicall
    if (multicall === null) return (await this.#rpc.gather(reads.map(singleCall))).map(answerOf)
    const parts = inParts(reads)
    const outcomes = await this.#rpc.gather(parts.map((part) => multicallOf(multicall, part)))
    return parts.flatMap((part, at) => this.#unpack(outcomes[at], part.length))
  }

  #unpack(outcome: RpcOutcome | undefined, count: number): readonly (Hex | null)[] {
    try {
      const data = answerOf(outcome) ?? '0x'
      const answers = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data })
      return answers.map(({ success, returnData }) => (success ? returnData : null))
    } catch (error) {
      this.#logger.warn({ err: error }, 'The multicall contract of this chain did not answer')
      return Array.from({ length: count }, () => null)
    }
  }
}

const keyOf = ({ to, data }: ChainRead): string => `${to}${data}`

const weightOf = ({ heavy }: ChainRead): number => (heavy === true ? HEAVY : 1)

const singleCall = ({ to, data }: ChainRead): RpcCall => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })

const multicallOf = (to: string, reads: readonly ChainRead[]): RpcCall => {
  const calls = reads.map((read) => ({ target: read.to as Hex, allowFailure: true, callData: read.data }))
  return singleCall({ to, data: encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [calls] }) })
}

const inParts = (reads: readonly ChainRead[]): readonly (readonly ChainRead[])[] => {
  const parts: ChainRead[][] = []
  let weight = 0
  for (const read of reads) {
    weight += weightOf(read)
    if (parts.length === 0 || weight > MAX_WEIGHT) {
      parts.push([])
      weight = weightOf(read)
    }
    parts.at(-1)?.push(read)
  }
  return parts
}

const answerOf = (outcome: RpcOutcome | undefined): Hex | null =>
  outcome?.ok && typeof outcome.result === 'string' && /^0x([0-9a-f]{2})*$/i.test(outcome.result)
    ? (outcome.result as Hex)
    : null
