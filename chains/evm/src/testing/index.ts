/** Real local chains for tests and demos, and nodes that misbehave. */
export { allowRouters } from './allowRouters.js'
export { chainTesting } from './chainTesting.js'
export { privateKeySigner } from './localSigner.js'
export { type FaultError, type FaultProxy, type FaultRule, startFaultProxy } from './node/faultProxy.js'
export { freezeNode } from './node/frozenNode.js'
export {
  adoptLocalChain,
  type LocalAccount,
  type LocalChainOptions,
  type LocalEvmChain,
  type SentTransaction,
  startLocalChain,
  type TestTokenKind,
} from './node/localChain.js'
export { inventDeposit, omitLogs } from './node/lyingNode.js'
export { type PreparedChain, startPreparedChain } from './node/preparedChain.js'
export { type LocalReceipt, sendMined } from './node/sendMined.js'
export { placePermit2 } from './permit2.js'
export {
  deployScriptedWallets,
  type ForeseenWallet,
  type ScriptedWallets,
  WALLET_MOODS,
  type WalletMood,
} from './scriptedWallets.js'
export { deployUniswap, type LocalUniswap } from './uniswap/uniswap.js'
export type { PoolSeed, RangedPoolSeed } from './uniswap/uniswapPools.js'
