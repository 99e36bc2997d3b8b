import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { floatText, PERPS_DECIMALS, readAmount } from './amounts.js'

interface Recorded {
  readonly updates: readonly { readonly delta: { readonly usdc?: string; readonly amount?: string } }[]
}

it('amounts of updates are written as recorded', () => {
  // CAST: an answer of the public exchange.
  const { updates } = JSON.parse(readFileSync(new URL('./fixtures/updates.json', import.meta.url), 'utf8')) as Recorded
  const texts = updates.map(({ delta: { usdc, amount } }) => usdc ?? amount)
  const cents = [270_399_745n, 1200n, 1050n, 268_410_501n, 109_999_498n]
  expect(cents.map((amount) => floatText(amount, 2))).toEqual(texts)
})

it('amounts of actions are exact, and have no more places than a balance', () => {
  const perps = (text: string) => readAmount(text, 8, PERPS_DECIMALS)
  expect(perps('10.000001')).toBe(1_000_000_100n)
  expect(perps('10.00000100')).toBe(1_000_000_100n)
  expect(perps('0.1')).toBe(10_000_000n)
  for (const text of ['1.0000001', '-1']) expect(() => perps(text)).toThrow('Invalid number of decimals')
  for (const text of ['', '1.', '.5', '1e3', 'ten', '0x1']) expect(() => perps(text)).toThrow('Invalid decimal number')
  for (const text of ['0', '0.000000']) expect(() => perps(text)).toThrow('Send amount cannot be zero')
})
