import type { ChainAdapter, ChainConfig } from '@causeway/core/chain'
import { ChainRegistry } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { MappedChains } from './mappedChains.js'

type Binding = ChainAdapter['capabilities']['depositBinding']

const chain = (id: number, slug: string, depositBinding: Binding, enabled = true) => ({
  // CAST: what is looked at of a chain.
  config: { id, slug, enabled } as ChainConfig,
  adapter: { capabilities: { depositBinding } } as ChainAdapter,
})

const options = {
  chains: [
    { walletChainId: 1337, slug: 'hyperliquid' },
    { walletChainId: 8453, slug: 'not-so' },
  ],
}

it.each([
  { why: 'a chain of the options', id: 1337, chains: [], slug: 'hyperliquid' },
  {
    why: 'a configured one whose deposits nonces link, by its own name',
    id: 1337,
    chains: [chain(1337, 'core', 'nonce-map')],
    slug: 'core',
  },
  { why: 'one that the options do not name', id: 9, chains: [chain(9, 'other', 'nonce-map')], slug: 'other' },
  {
    why: 'a configured one whose transfers carry their order, whatever the options say',
    id: 8453,
    chains: [chain(8453, 'base', 'contract-arg')],
    slug: null,
  },
  { why: 'another with a memo', id: 8, chains: [chain(8, 'x', 'memo')], slug: null },
  { why: 'one that is switched off', id: 9, chains: [chain(9, 'off', 'nonce-map', false)], slug: null },
  { why: 'one that nobody knows', id: 7, chains: [], slug: null },
])('nonces of transfers are registered for chains that need it (wire.md 2.8): $why', ({ id, chains, slug }) => {
  expect(new MappedChains({ chains: new ChainRegistry(chains), options }).slugOf(id)).toBe(slug)
})
