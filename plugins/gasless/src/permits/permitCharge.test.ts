import type { Currency } from '@causeway/core'
import { parseUsd } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { permitFeeLimit } from './permitCharge.js'

const native: Currency = {
  chainId: 1,
  address: '0x00',
  symbol: 'ETH',
  name: 'Ether',
  decimals: 18,
  vmType: 'evm',
  groupId: 'eth',
  metadata: { logoURI: '', verified: true, isNative: true },
}
const price = parseUsd('2000') ?? 0n
const TOLERANCE = { bps: 10_000n, usd: parseUsd('0.05') ?? 0n }
/** Worth five cents. */
const CENTS = 25_000_000_000_000n

it.each([
  { what: 'the share', charged: 10n ** 15n, fee: 10n ** 15n, limit: 2n * 10n ** 15n },
  { what: 'just all of it', charged: 10n ** 15n, fee: 2n * 10n ** 15n, limit: 2n * 10n ** 15n },
  { what: 'five cents of a small charge', charged: 1_000n, fee: CENTS, limit: CENTS + 1_000n },
])('F145: the transaction of a permit may take its charge and a tolerance: $what', ({ charged, fee, limit }) => {
  expect(permitFeeLimit({ native, price, fee }, charged, TOLERANCE)).toBe(limit)
})

it('F145: a permit that costs more is refused with both amounts', () => {
  const dear = { native, price, fee: 4_600_000n * 10n ** 9n }
  expect(() => permitFeeLimit(dear, 205_000n * 10n ** 9n, TOLERANCE)).toThrow(
    /would cost 0\.0046 ETH of network fee, and its quote pays for 0\.00041 ETH at most/,
  )
})
