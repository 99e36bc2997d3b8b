export { chainTesting } from './chainTesting.js'
export { spotUsdcOf } from './engine/tokens.js'
export type { DepositStep } from './hyperliquidWallet.js'
export { LocalHyperliquid, startLocalHyperliquid } from './node/localHyperliquid.js'
