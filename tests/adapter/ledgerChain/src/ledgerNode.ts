import type { BalanceQuery, ChainDeps } from '@causeway/core/chain'
import {
  JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcProtocol,
  type OpenTransport,
  type RpcCall,
  resultOf,
} from '@causeway/core/chain-kit'
import { readAnswer } from './ledgerAnswers.js'
import type { LedgerSettings } from './options.js'
import type { LedgerBlock, LedgerRecord } from './transaction.js'

export const protocolOf = (network: string): JsonRpcProtocol => ({
  identify: { method: 'ledger_network', params: [], matches: (result) => result === network },
  unrepeatable: new Set(['ledger_submit']),
  read: readAnswer,
})

const HEAD: RpcCall = { method: 'ledger_head', params: [] }
const HISTORY: RpcCall = { method: 'ledger_history', params: [] }

/** Whom a question goes to: the client, or one endpoint of it. */
export type Asked = Pick<JsonRpcEndpoint, 'batch'>

/** Every question to the nodes of a ledger. Throws ServiceError only. */
export class LedgerNode {
  readonly rpc: JsonRpcClient

  /** `transport`: how nodes are reached; over HTTP unless told. */
  constructor({ network, rpcTimeoutMs }: LedgerSettings, { config, logger }: ChainDeps, transport?: OpenTransport) {
    const protocol = protocolOf(network)
    this.rpc = new JsonRpcClient({ protocol, endpoints: config.rpc, timeoutMs: rpcTimeoutMs, logger, transport })
  }

  head(asked: Asked = this.rpc): Promise<LedgerBlock> {
    return askOne(asked, 'ledger_head', [])
  }

  block(height: number, asked: Asked): Promise<LedgerBlock | null> {
    return askOne(asked, 'ledger_block', [height])
  }

  /** Transfers by or to an account, in order; `history`: the node has none of blocks below this height. */
  async transfers(account: string, from: number, to: number, asked: Asked) {
    const calls = [{ method: 'ledger_records', params: [account, from, to] }, HISTORY]
    const [records, history] = await askAll(asked, calls)
    // CAST: what these methods answer.
    return { records, history } as { readonly records: readonly LedgerRecord[]; readonly history: number }
  }

  /** The head, several records, and `history` as of `transfers`; a node answers a batch by one state. */
  async records(ids: readonly string[], asked: Asked) {
    const calls = ids.map((id) => ({ method: 'ledger_record', params: [id] }))
    const [head, history, ...records] = await askAll(asked, [HEAD, HISTORY, ...calls])
    // CAST: what these methods answer.
    return { head, history, records } as {
      readonly head: LedgerBlock
      readonly history: number
      readonly records: readonly (LedgerRecord | null)[]
    }
  }

  async balances(queries: readonly BalanceQuery[], asked: Asked) {
    const calls = queries.map(({ address, currency }) => ({ method: 'ledger_balance', params: [address, currency] }))
    const [head, ...amounts] = await askAll(asked, [HEAD, ...calls])
    // CAST: what this method answers.
    return { amounts: amounts.map((amount) => BigInt(String(amount))), height: BigInt((head as LedgerBlock).height) }
  }

  /** Why a transfer would fail now; null when it would not. */
  check(transfer: object): Promise<string | null> {
    return askOne(this.rpc, 'ledger_check', [transfer])
  }
}

/** The result of one call. */
export const askOne = async <T>(asked: Asked, method: string, params: readonly unknown[]): Promise<T> => {
  const [outcome] = await asked.batch([{ method, params }])
  return resultOf<T>(outcome, method)
}

/** Results of several calls, which one node answers. */
export const askAll = async (asked: Asked, calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
  const outcomes = await asked.batch(calls)
  return calls.map(({ method }, at) => resultOf<unknown>(outcomes[at], method))
}
