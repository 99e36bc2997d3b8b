import { SeedAddressPool } from '@causeway/core/chain-kit'
import { expect, it } from 'vitest'
import { depositKeys, poolKeyOf } from './depositAddresses.js'

const SEED = new Uint8Array(32).fill(7)
const SALT = `0x${'ab'.repeat(32)}` as const
const [MAIN, TEST] = [-239, -3]

const addressOf = (networkId: number): string => {
  const terms = { chain: ['chain 1'], publicKey: poolKeyOf(SEED, networkId) }
  return new SeedAddressPool(depositKeys(networkId), terms).make(SEED, SALT).destination.address
}

it('addresses never change between versions: users know them', () => {
  expect(poolKeyOf(SEED, MAIN)).toBe('nn56FjWzrZqsE7hGoqNeBUTEh1TAM8N5bB9btUFXhFe')
  expect(addressOf(MAIN)).toBe('0:18822022e10e61c58ede832f81f7b6e0e2a7a4fc6d3b40f85125062cadecdb19')
})

it('a test network has other addresses', () => {
  expect(addressOf(TEST)).not.toBe(addressOf(MAIN))
})
