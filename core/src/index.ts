export { BoundedCache, type BoundedCacheDeps } from './cache/boundedCache.js'
export { RecentMap } from './cache/recentMap.js'
export {
  type DestinationCheck,
  destinationText,
  isPlainDestination,
  parseDestination,
  readAddressToPay,
  readDestination,
  sameDestination,
} from './chain/destination.js'
export type { Json } from './chain/json.js'
export { locatorMember, locatorOf, locatorText, storedTx } from './chain/txLocator.js'
export { KNOWN_VM_TYPES, PROTOCOL_VM_TYPES, type VmType } from './chain/vmType.js'
export { CLOCK, type Clock, systemClock } from './clock/clock.js'
export { type Environment, type EnvironmentVariables, environmentOf } from './container/environment.js'
export { type ErrorCode, errorCatalog } from './errors/errorCatalog.js'
export { ServiceError, type ServiceErrorData, type ServiceErrorOptions } from './errors/serviceError.js'
export { formatAmount, parseAmount } from './money/amount.js'
export { applyBps, BPS, splitByWeights } from './money/bps.js'
export { larger, smaller } from './money/compare.js'
export { CURRENCIES, type Currency, type CurrencyRegistry, type Money } from './money/currency/currency.js'
export type { Hex } from './money/hex.js'
export { divide, divideNearest, powerOfTen, type Rounding } from './money/rounding.js'
export { bytesToHex, hexDigits, hexToBytes, parseHexDigits } from './order/hexBytes.js'
