import { proto } from '@hiero-ledger/proto'
import type { HederaNetwork } from '../engine/hederaNetwork.js'
import { KINDS } from '../engine/kinds.js'
import { int64 } from '../engine/values.js'

const HOUR = 3600n
const SECOND = 1_000_000_000n

/** End of the hour in which the rates of a time hold, in unix seconds. */
export const ratesExpireAt = (nanos: bigint): bigint => (nanos / SECOND / HOUR + 1n) * HOUR

export const exchangeRates = ({ settings: { rate }, now }: HederaNetwork): proto.IExchangeRateSet => {
  const rateUntil = (seconds: bigint): proto.IExchangeRate => ({
    ...{ hbarEquiv: rate.hbar, centEquiv: rate.cents },
    expirationTime: { seconds: int64(seconds) },
  })
  const end = ratesExpireAt(now)
  return { currentRate: rateUntil(end), nextRate: rateUntil(end + HOUR) }
}

/** Units of the schedule in a hundred-millionth of a cent. */
const SCHEDULE_UNITS = 1000n

/** File 0.0.111: a constant price for each function. */
const feeSchedule = ({ now }: HederaNetwork): proto.ICurrentAndNextFeeSchedule => {
  const transactionFeeSchedule = Object.values(KINDS).map(([name, price]) => ({
    hederaFunctionality: proto.HederaFunctionality[name],
    fees: [{ servicedata: { constant: int64(price * SCHEDULE_UNITS) } }],
  }))
  const until = (seconds: bigint) => ({ transactionFeeSchedule, expiryTime: { seconds: int64(seconds) } })
  const end = ratesExpireAt(now)
  return { currentFeeSchedule: until(end), nextFeeSchedule: until(end + HOUR) }
}

/** Contents of a system file; null for another file. */
export const systemFile = (network: HederaNetwork, id: string): Uint8Array | null => {
  if (id === '0.0.111') return proto.CurrentAndNextFeeSchedule.encode(feeSchedule(network)).finish()
  return id === '0.0.112' ? proto.ExchangeRateSet.encode(exchangeRates(network)).finish() : null
}
