import { createEd25519Signer } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { addressOfKey } from '../address/wallets.js'
import { resolveOptions } from '../options.js'
import { publicChains, tonSetup } from './tonSetup.js'

const allocator = createEd25519Signer(`0x${'07'.repeat(32)}`)

it('the depository of a public network is the wallet of the allocator on that network', () => {
  const options = publicChains.map((chain) => tonSetup.optionsFor({ allocator, deployer: null, payout: null }, chain))
  expect(options).toEqual([-239, -3].map((id) => ({ depository: addressOfKey(allocator.publicKey, id) })))
})

it('each public network has options that can be resolved, and a zero state of its own', () => {
  const depository = addressOfKey(allocator.publicKey, -239)
  const found = publicChains.map(({ id, options }) => resolveOptions({ ...options, depository }, id))
  expect(found.map(({ isTestnet }) => isTestnet)).toEqual([false, true])
  expect(new Set(found.map(({ genesisHash }) => genesisHash)).size).toBe(publicChains.length)
})
