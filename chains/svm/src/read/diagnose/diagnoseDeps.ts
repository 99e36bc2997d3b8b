import type { ChainConfig } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import type { SvmSettings } from '../../options.js'

/** What the checks of one chain are made with. */
export interface DiagnoseDeps {
  readonly rpc: JsonRpcClient
  readonly config: ChainConfig
  readonly settings: SvmSettings
}
