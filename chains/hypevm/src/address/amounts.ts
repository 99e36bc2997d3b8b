import { strangeAnswer } from '@causeway/core/chain-kit'

const DECIMAL = /^(\d{1,40})(?:\.(\d{1,40}))?$/

/**
 * An amount of the exchange in units of `10^-places`, rounded half up: answers carry noise of floating point numbers behind the places of
 * the ledger ("2703997.4500000002").
 * @throws ServiceError RPC_HTTP_ERROR for text that is no decimal number
 */
export const readAmount = (text: string, places: number): bigint => {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) throw strangeAnswer('an amount')
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  return (fraction[places] ?? '0') >= '5' ? kept + 1n : kept
}

/** An amount in other units. Rounds down where the new unit is larger. */
export const inPlaces = (amount: bigint, from: number, to: number): bigint =>
  from <= to ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)

/** Decimal text of an amount, without zeros at the end: the one spelling of an amount in an action. */
export const amountText = (amount: bigint, places: number): string => {
  const digits = amount.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
