export { transferChecked } from '../read/token/program/tokenInstructions.js'
export { associatedAddress } from '../read/token/program/tokenPrograms.js'
export { chainTesting } from './chainTesting.js'
export {
  accountOf,
  adoptLocalSvm,
  type LocalSvmAccount,
  LocalSvmChain,
  type LocalSvmOptions,
  type SendOptions,
  startLocalSvm,
} from './node/localSvm.js'
export type { TokenOptions } from './node/localTokens.js'
export type { SwapPoolOptions } from './swap/swapPools.js'
export { type SwapLie, type SwapServer, type SwapServerOptions, startSwapServer } from './swap/swapServer.js'
