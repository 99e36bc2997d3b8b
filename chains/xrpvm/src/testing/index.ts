export { chainTesting } from './chainTesting.js'
export type { AccountSettings } from './node/accountSettings.js'
export {
  adoptLocalXrp,
  type LocalFees,
  LocalXrpLedger,
  type LocalXrpOptions,
  startLocalXrp,
} from './node/localXrp.js'
export { sandboxChainOf, type XrpDeploymentOptions } from './sandboxChain.js'
export type { UnsignedTx } from './server/commands/controlCommands.js'
