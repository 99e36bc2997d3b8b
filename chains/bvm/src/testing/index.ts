export {
  accountOf,
  accountOfWif,
  type BitcoinAccount,
  SPEND_FORMS,
  type SpendableCoin,
  type SpendForm,
} from './accounts.js'
export { RpcFailure } from './broadcast.js'
export type { AmountStyle } from './coreJson.js'
export {
  adoptLocalBitcoin,
  DetachedBitcoin,
  type DetachedBitcoinOptions,
  startDetachedBitcoin,
} from './detachedBitcoin.js'
export type { BitcoinApi, BitcoinFault } from './faults.js'
export { LocalBitcoin, type LocalBitcoinOptions, type ReorgOptions, startLocalBitcoin } from './localBitcoin.js'
export { dataScript, type PaidOutput, type PayOptions } from './localWallet.js'
export type { Policy } from './policy.js'
export { Refusal } from './refusal.js'
