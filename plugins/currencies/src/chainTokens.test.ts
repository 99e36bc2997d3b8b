import type { ChainAdapter, ChainConfig, TokenFacts } from '@causeway/core/chain'
import { ChainRegistry } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { ChainTokens } from './chainTokens.js'

const FACTS: TokenFacts = { symbol: 'REEF', name: 'Reef', decimals: 9 }
let asked: string[] = []
let now = 0

const chain = (id: number, read: ((address: string) => Promise<TokenFacts | null>) | undefined, enabled = true) => ({
  // CAST: what is read of a chain.
  config: { id, enabled } as ChainConfig,
  adapter: {
    vmType: 'evm',
    ...(read === undefined
      ? {}
      : {
          readToken: (address: string) => {
            asked.push(`${id}:${address}`)
            return read(address)
          },
        }),
  } as ChainAdapter,
})

const tokens = new ChainTokens({
  clock: { now: () => now },
  chains: new ChainRegistry([
    chain(1, async (address) => (address === 'reef' ? FACTS : null)),
    chain(2, () => Promise.reject(new Error('no node answers'))),
    chain(3, undefined),
    chain(4, async () => FACTS, false),
  ]),
})
const search = (address: string, ...chainIds: number[]) =>
  tokens.search({ chainIds, addresses: chainIds.map((chainId) => ({ chainId, address })), limit: 20 })

it('finds a token by its address on its own chain, unverified, and asks once in a while (wire.md 4.1, K.5 1)', async () => {
  const found = await search('reef', 1, 2, 3, 4, 9)
  expect(found).toEqual([
    {
      ...{ chainId: 1, address: 'reef', ...FACTS, vmType: 'evm', groupId: '1:reef' },
      metadata: { logoURI: '', verified: false, isNative: false },
    },
  ])
  asked = []
  expect(await search('reef', 1)).toEqual(found)
  expect(asked).toEqual([])
  now = 600_001
  await search('reef', 1)
  expect(asked).toEqual(['1:reef'])
})

it('asks of no token soon again what no chain has, and of no more than ten places', async () => {
  asked = []
  expect(await search('nothing', 1)).toEqual([])
  expect(await search('nothing', 1)).toEqual([])
  now += 30_001
  await search('nothing', 1)
  expect(asked).toEqual(['1:nothing', '1:nothing'])
  asked = []
  await search('other', ...Array.from({ length: 30 }, () => 1))
  expect(asked.length).toBeLessThanOrEqual(10)
})
