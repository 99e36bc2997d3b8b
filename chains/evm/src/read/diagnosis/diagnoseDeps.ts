import type { ChainConfig } from '@causeway/core/chain'
import type { JsonRpcClient, RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import type { EvmSettings } from '../../options.js'

/** What the checks of one chain are made with. */
export interface DiagnoseDeps {
  readonly rpc: JsonRpcClient
  readonly config: ChainConfig
  readonly settings: EvmSettings
}

/** Answers several calls by one node. */
export interface Batching {
  batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]>
}
