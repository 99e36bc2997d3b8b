import { expect } from 'vitest'
import { textAt, valueAt } from '../harness/apiCall.js'

/** Dollars of one whole unit, as the test host's price file says. */
const PRICES: Readonly<Record<string, bigint>> = { ETH: 2_000n, USDC: 1n, BUSD: 1n }

/** The names of an object, sorted. */
export const namesAt = (value: unknown, path = ''): readonly string[] =>
  Object.keys(Object(path === '' ? value : valueAt(value, path))).sort()

export const amountAt = (value: unknown, path: string): bigint => {
  const text = textAt(value, path)
  expect(text).toMatch(/^-?(0|[1-9][0-9]*)$/)
  return BigInt(text)
}

/** A dollar text in millionths; every one has six decimals and no negative zero (wire.md H.2). */
export const microUsdAt = (value: unknown, path: string): bigint => {
  const text = textAt(value, path)
  expect([path, text]).toEqual([path, expect.stringMatching(/^-?(0|[1-9][0-9]*)\.[0-9]{6}$/)])
  expect(text).not.toBe('-0.000000')
  return BigInt(text.replace('.', ''))
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** Amount over 10^decimals with at least one fraction digit and no exponent (wire.md 0.3). */
const formatted = (amount: bigint, decimals: number): string => {
  const digits = magnitude(amount)
    .toString()
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${whole}.${fraction === '' ? '0' : fraction}`
}

/** Two decimals of part over whole, as the nearest text (wire.md D.4). */
export const percentText = (part: bigint, whole: bigint): string => {
  const scaled = magnitude(part) * 10_000n
  const rounded = whole === 0n ? 0n : (scaled + whole / 2n) / whole
  const digits = rounded.toString().padStart(3, '0')
  return `${part < 0n && rounded !== 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const CURRENCY = ['address', 'chainId', 'decimals', 'metadata', 'name', 'symbol', 'vmType']
const AMOUNT = ['amount', 'amountFormatted', 'amountUsd', 'currency', 'minimumAmount']

/** Checks an AMOUNT to its leaves (wire.md 0.2, 0.3, K.1 11) and returns it. */
export const expectAmount = (
  answer: unknown,
  path: string,
  currency: { readonly chainId: number; readonly address: string; readonly symbol: string; readonly decimals: number },
): { readonly amount: bigint; readonly usd: bigint; readonly minimum: bigint } => {
  expect([path, namesAt(answer, path)]).toEqual([path, AMOUNT])
  expect([path, namesAt(answer, `${path}.currency`)]).toEqual([path, CURRENCY])
  const isNative = /^0x0{40}$/.test(currency.address)
  expect(valueAt(answer, `${path}.currency`)).toMatchObject({
    ...currency,
    vmType: 'evm',
    metadata: { logoURI: '', verified: true, isNative },
  })
  const amount = amountAt(answer, `${path}.amount`)
  const usd = microUsdAt(answer, `${path}.amountUsd`)
  expect(textAt(answer, `${path}.amountFormatted`)).toBe(formatted(amount, currency.decimals))
  const worth = (amount * (PRICES[currency.symbol] ?? 0n) * 1_000_000n) / 10n ** BigInt(currency.decimals)
  // The nearest millionth; a sum of values that are shown may be one off.
  expect(magnitude(usd - worth)).toBeLessThanOrEqual(2n)
  return { amount, usd, minimum: amountAt(answer, `${path}.minimumAmount`) }
}
