import { expect, it } from 'vitest'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import { type OrderRules, orderRefusal } from './orderRules.js'
import type { WalletOrder } from './walletOrder.js'
import type { WalletPolicy } from './walletPolicy.js'

const NOW = 1_000_000
const order = (amount: bigint): WalletOrder => ({
  network: 'testnet',
  database: 'one',
  action: 'send',
  chainId: 7,
  wallet: 'wallet',
  currency: 'coin',
  amount,
  recipient: 'treasury',
  expires: NOW / 1_000 + 60,
  nonce: 'aa',
})

/** Wallet whose chain pays whole tens only. */
const rules = {
  network: 'testnet',
  database: 'one',
  chainId: 7,
  wallet: 'wallet',
  // CAST: what the rules read of an adapter.
  adapter: {
    payable: ({ amount }) => amount - (amount % 10n),
    validateAddress: (text) => ({ ok: true, canonical: text }),
    sameAddress: (left, right) => left === right,
    normalizeCurrency: (text) => text,
    capabilities: { destinationTag: false } as OrderRules['adapter']['capabilities'],
  } as Partial<OrderRules['adapter']> as OrderRules['adapter'],
  // CAST: what is read of the currencies and the policy.
  currencies: { find: () => undefined } as unknown as CurrencyRegistry,
  policy: { allowed: [{ chainId: 7, address: 'treasury' }] } as unknown as WalletPolicy,
  now: NOW,
} satisfies OrderRules

it('an order for an amount that no payment of the chain carries is never signed (chains.md xrpvm 10)', () => {
  expect(orderRefusal(order(120n), rules)).toBeNull()
  expect(orderRefusal(order(123n), rules)).toBe(
    'No payment of this chain carries just 123 units; the next below is 120.',
  )
})
