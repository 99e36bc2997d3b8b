export type { NodeFault } from './faults.js'
export {
  accountOf,
  adoptLocalSvm,
  type LocalSvmAccount,
  LocalSvmChain,
  type LocalSvmOptions,
  type SendOptions,
  startLocalSvm,
} from './localSvm.js'
export type { TokenOptions } from './localTokens.js'
