import { expect, test } from 'vitest'
import { namedMinimum } from './namedMinimum.js'

/** Refusals as nodes word them, and the minimum that each names. */
const TABLE = [
  ['intrinsic gas too low', { gas: null }],
  ['intrinsic gas too low: have 21000, want 21064 (supplied gas 21000)', { gas: 21_064n }],
  ['intrinsic gas too low: gas 20000, minimum needed 21000', { gas: 21_000n }],
  ['insufficient gas for floor data gas cost: gas 21000, minimum needed 21320', { gas: 21_320n }],
  [
    'Transaction gas is too low. There is not enough gas to cover minimal cost of the transaction (minimal: 100 got: 50) Try increasing supplied gas.',
    { gas: 100n },
  ],
  [
    'fee too low: 30365610000000, use at least tx.gasLimit = 5874374 and tx.gasPrice = 15000000',
    { gas: 5_874_374n, tip: 15_000_000n },
  ],
  ['transaction underpriced: gas tip cap 1500000000, minimum needed 25000000000', { tip: 25_000_000_000n }],
  ['transaction gas price below minimum: gas tip cap 1, minimum needed 25000000000', { tip: 25_000_000_000n }],
  ['transaction underpriced: tip needed 3000000000, tip permitted 1000000000', { tip: 3_000_000_000n }],
  ['transaction underpriced: address 0x8d have gas tip cap (225) < pool gas tip cap (470)', { tip: 470n }],
  ['FeeTooLow, EffectivePriorityFeePerGas too low 1 < 2, BaseFee: 7', { tip: 2n }],
  [
    "Transaction gas price is too low. It does not satisfy your node's minimal gas price (minimal: 100 got: 50). Try increasing the gas price.",
    { tip: 100n },
  ],
  ['transaction underpriced', {}],
  ['nonce too low: next nonce 5, tx nonce 4', {}],
  ['max fee per gas less than block base fee: address 0x, maxFeePerGas: 1, baseFee: 7', {}],
  ['replacement transaction underpriced: new tx gas fee cap 1 <= 2 queued', {}],
] as const

test.each(TABLE)('F166: "%s" names a minimum', (message, minimum) => {
  expect(namedMinimum(message)).toEqual(minimum)
})
