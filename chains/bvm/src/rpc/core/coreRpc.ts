import {
  type HttpTransportDeps,
  type JsonRpcError,
  JsonRpcNode,
  type NeededCall,
  type NodeRestriction,
  type RpcCall,
  type RpcOutcome,
  resultOf,
  strangeAnswer,
  tryBatch,
  unservedCalls,
} from '@causeway/core/chain-kit'
import { parseExactJson } from '../exactJson.js'

/** Errors of Bitcoin Core by what they mean here: not found, and out of range. */
export const NOT_FOUND = -5
export const OUT_OF_RANGE = -8

/** Codes of a node that has no peers, is catching up or is starting. */
const NOT_READY: ReadonlySet<number> = new Set([-9, -10, -28])

/** Errors of Core itself have small codes; all others come from the protocol or a service before it (faults.md F162). */
const isAnswer = ({ code }: JsonRpcError): boolean => code < 0 && code > -100 && !NOT_READY.has(code)

/** JSON-RPC of Bitcoin Core. Amounts keep their decimal text; always in batches, whose errors come with status 200. */
export class CoreRpc {
  readonly #node: JsonRpcNode

  constructor(deps: HttpTransportDeps) {
    const unrepeatable = new Set(['sendrawtransaction'])
    this.#node = new JsonRpcNode({ ...deps, unrepeatable, isAnswer, parse: parseExactJson, alwaysBatched: true })
  }

  batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    return this.#node.batch(calls)
  }

  /** Calls that the node does not serve, and how many it takes in one request. */
  async limits(needed: readonly NeededCall[], some: RpcCall): Promise<readonly NodeRestriction[]> {
    const unserved = await unservedCalls(this, needed)
    await tryBatch(this, some)
    return [
      ...unserved,
      ...this.#node.restrictions.list().filter(({ says }) => !unserved.some((one) => one.says === says)),
    ]
  }

  async outcome(method: string, ...params: readonly unknown[]): Promise<RpcOutcome> {
    const [outcome] = await this.batch([{ method, params }])
    if (outcome === undefined) throw strangeAnswer('no answer')
    return outcome
  }

  /** Throws ServiceError when the node answers with an error. */
  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return resultOf(await this.outcome(method, ...params), method)
  }

  close(): void {
    this.#node.close()
  }
}
