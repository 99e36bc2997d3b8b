export {
  accountOf,
  accountOfWif,
  type BitcoinAccount,
  SPEND_FORMS,
  type SpendableCoin,
  type SpendForm,
} from './accounts.js'
export { RpcFailure } from './broadcast.js'
export { chainTesting } from './chainTesting.js'
export type { AmountStyle } from './coreJson.js'
export {
  adoptLocalBitcoin,
  type DetachedBitcoinOptions,
  RunningBitcoin,
  startDetachedBitcoin,
} from './detachedBitcoin.js'
export type { BitcoinApi, BitcoinFault } from './faults.js'
export { LocalBitcoin, type LocalBitcoinOptions, type ReorgOptions, startLocalBitcoin } from './localBitcoin.js'
export { dataScript, type PaidOutput, type PayOptions } from './localWallet.js'
export type { Policy } from './policy.js'
export { Refusal } from './refusal.js'
