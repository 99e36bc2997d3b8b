export { chainTesting } from './chainTesting.js'
export type { UnsignedTx } from './engine/transaction.js'
export { LocalXrpLedger, startLocalXrp } from './node/localXrp.js'
export { sandboxChainOf, type XrpDeploymentOptions } from './sandboxChain.js'
