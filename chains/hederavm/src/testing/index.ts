export { chainTesting } from './chainTesting.js'
export type { TransferStep } from './hederaWallet.js'
export { LocalHedera, startLocalHedera } from './node/localHedera.js'
