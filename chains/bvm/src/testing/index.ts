export {
  accountOf,
  accountOfWif,
  type BitcoinAccount,
  SPEND_FORMS,
  type SpendableCoin,
  type SpendForm,
} from './accounts.js'
export type { AmountStyle } from './api/coreJson.js'
export type { BitcoinApi, BitcoinFault } from './api/faults.js'
export { Refusal } from './chain/refusal.js'
export { chainTesting } from './chainTesting.js'
export type { Policy } from './mempool/policy.js'
export { LocalBitcoin, type LocalBitcoinOptions, type ReorgOptions, startLocalBitcoin } from './node/localBitcoin.js'
export { dataScript, type PaidOutput, type PayOptions } from './node/localWallet.js'
