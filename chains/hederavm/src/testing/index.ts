export { chainTesting } from './chainTesting.js'
export type { FrozenStep, TransferStep } from './hederaWallet.js'
export { LocalHedera, startLocalHedera } from './node/localHedera.js'
