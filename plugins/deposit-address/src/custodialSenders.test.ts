import type { ChainAdapter, ChainConfig } from '@causeway/core/chain'
import { ChainRegistry } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { custodialSenders } from './custodialSenders.js'

const adapter: Partial<ChainAdapter> = {
  validateAddress: (text) =>
    /^0x[0-9a-fA-F]{4}$/.test(text)
      ? { ok: true, canonical: text.toLowerCase() }
      : { ok: false, why: 'it is too long' },
}
const config: Partial<ChainConfig> = { id: 7 }
// CAST: nothing else of a chain is asked.
const chains = new ChainRegistry([{ config: config as ChainConfig, adapter: adapter as ChainAdapter }])

it('wire.md E.5: a configured custodian is known in any form, with any tag, on its chain alone', () => {
  const rules = custodialSenders(chains, [{ chainId: 7, addresses: ['0xABCD'] }])
  expect(rules.isCustodial(7, '0xabcd')).toBe(true)
  expect(rules.isCustodial(7, '0xabcd?tag=5')).toBe(true)
  expect(rules.isCustodial(7, '0xabce')).toBe(false)
  expect(rules.isCustodial(8, '0xabcd')).toBe(false)
})

it.each([
  { chainId: 8, address: '0xabcd', why: 'there is no such chain here' },
  { chainId: 7, address: '0xabcdef', why: 'it is too long' },
])('a list that names $address of chain $chainId stops the start', ({ chainId, address, why }) => {
  expect(() => custodialSenders(chains, [{ chainId, addresses: [address] }])).toThrow(why)
})
