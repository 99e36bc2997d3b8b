/** Real local chains for tests and demos, and nodes that misbehave. */
export { allowRouters } from './allowRouters.js'
export { chainTesting } from './chainTesting.js'
export { type FaultError, type FaultProxy, type FaultRule, startFaultProxy } from './faultProxy.js'
export { freezeNode } from './frozenNode.js'
export {
  adoptLocalChain,
  type LocalAccount,
  type LocalChainOptions,
  type LocalEvmChain,
  type SentTransaction,
  startLocalChain,
  type TestTokenKind,
} from './localChain.js'
export { privateKeySigner } from './localSigner.js'
export { inventDeposit, omitLogs } from './lyingNode.js'
export { type LocalReceipt, sendMined } from './sendMined.js'
export { deployUniswap, type LocalUniswap } from './uniswap.js'
export type { PoolSeed, RangedPoolSeed } from './uniswapPools.js'
