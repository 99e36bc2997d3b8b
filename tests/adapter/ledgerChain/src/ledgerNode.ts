import type { BalanceQuery, ChainDeps } from '@causeway/core'
import {
  JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcProtocol,
  type RpcCall,
  resultOf,
} from '@causeway/core/chain-kit'
import type { LedgerSettings } from './options.js'
import type { LedgerBlock, LedgerRecord } from './transaction.js'

export const protocolOf = (network: string): JsonRpcProtocol => ({
  identify: { method: 'ledger_network', params: [], matches: (result) => result === network },
  unrepeatable: new Set(['ledger_submit']),
})

/** Whom a question goes to: the client, or one endpoint of it. */
type Asked = Pick<JsonRpcEndpoint, 'batch'>

/** Every question to the nodes of a ledger. Throws ServiceError only. */
export class LedgerNode {
  readonly rpc: JsonRpcClient

  constructor({ network, rpcTimeoutMs }: LedgerSettings, { config, logger }: ChainDeps) {
    const protocol = protocolOf(network)
    this.rpc = new JsonRpcClient({ protocol, endpoints: config.rpc, timeoutMs: rpcTimeoutMs, logger })
  }

  head(asked: Asked = this.rpc): Promise<LedgerBlock> {
    return one(asked, 'ledger_head', [])
  }

  block(height: number, asked: Asked): Promise<LedgerBlock | null> {
    return one(asked, 'ledger_block', [height])
  }

  /** Transfers by or to an account, in order. */
  transfers(account: string, from: number, to: number, asked: Asked): Promise<readonly LedgerRecord[]> {
    return one(asked, 'ledger_records', [account, from, to])
  }

  /** The head and several records. */
  async records(ids: readonly string[], asked: Asked) {
    const calls = ids.map((id) => ({ method: 'ledger_record', params: [id] }))
    const [head, ...records] = await many(asked, [{ method: 'ledger_head', params: [] }, ...calls])
    // CAST: what these methods answer.
    return { head, records } as { readonly head: LedgerBlock; readonly records: readonly (LedgerRecord | null)[] }
  }

  async balances(queries: readonly BalanceQuery[]) {
    const calls = queries.map(({ address, currency }) => ({ method: 'ledger_balance', params: [address, currency] }))
    const [head, ...amounts] = await many(this.rpc, [{ method: 'ledger_head', params: [] }, ...calls])
    // CAST: what this method answers.
    return { amounts: amounts.map((amount) => BigInt(String(amount))), height: BigInt((head as LedgerBlock).height) }
  }

  /** Why a transfer would fail now; null when it would not. */
  check(transfer: object): Promise<string | null> {
    return one(this.rpc, 'ledger_check', [transfer])
  }
}

const one = async <T>(asked: Asked, method: string, params: readonly unknown[]): Promise<T> => {
  const [outcome] = await asked.batch([{ method, params }])
  return resultOf<T>(outcome, method)
}

const many = async (asked: Asked, calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
  const outcomes = await asked.batch(calls)
  return calls.map(({ method }, at) => resultOf<unknown>(outcomes[at], method))
}
