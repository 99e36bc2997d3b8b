export { chainTesting } from './chainTesting.js'
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
export type { SwapPoolOptions } from './swapPools.js'
export { type SwapLie, type SwapServer, type SwapServerOptions, startSwapServer } from './swapServer.js'
