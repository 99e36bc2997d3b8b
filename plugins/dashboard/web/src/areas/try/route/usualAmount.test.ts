import { expect, it } from 'vitest'
import { readAmount } from './amountInput.js'
import { usualAmount } from './usualAmount.js'

it.each([
  ['USDC', '25'],
  ['TIDE', '25'],
  ['XRP', '25'],
  ['ETH', '0.1'],
  ['BTC', '0.1'],
  ['SOL', '0.1'],
  ['HBAR', '250'],
  ['TON', '25'],
  ['TRX', '250'],
])('begins with an amount of %s that shows a sensible picture: %s', (symbol, amount) => {
  expect(usualAmount({ symbol })).toBe(amount)
  expect(typeof readAmount(amount, 6)).toBe('bigint')
})
