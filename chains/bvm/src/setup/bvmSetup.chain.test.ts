import { createSecp256k1Signer } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseAddress } from '../address/addresses.js'
import { BITCOIN_CHAIN_ID, NETWORKS } from '../address/networks.js'
import { accountOf, type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { bvmSetup, publicChains } from './bvmSetup.js'

const KEY = '11'.repeat(32)
const keys = { deployer: null, payout: null, allocator: createSecp256k1Signer(KEY) }

let chain: LocalBitcoin
beforeAll(async () => {
  chain = await startLocalBitcoin()
})
afterAll(() => chain?.close())

const placeOf = (network: 'regtest' | 'testnet', http: string) => ({
  id: 9_000_002,
  rpc: [{ http }],
  options: { network },
  timeoutMs: 5_000,
})

it('an endpoint is known by the first block of its network', async () => {
  await expect(bvmSetup.checkEndpoints(placeOf('regtest', chain.url))).resolves.toBeUndefined()
  await expect(bvmSetup.checkEndpoints(placeOf('testnet', chain.url))).rejects.toThrow(/^Endpoint 1 of 1 /)
  await expect(bvmSetup.checkEndpoints(placeOf('regtest', 'http://127.0.0.1:1'))).rejects.toThrow(/^Endpoint 1 of 1 /)
})

it('there are no tokens', async () => {
  const address = accountOf(Buffer.from(KEY, 'hex')).addresses.p2wpkh
  await expect(bvmSetup.readToken(placeOf('regtest', chain.url), address)).rejects.toThrow(/no address|no token/)
})

it('deposits are kept on the address of the allocator, in the form of each network', () => {
  expect(publicChains.length).toBeGreaterThan(1)
  for (const { id, options } of publicChains) {
    const { depository } = bvmSetup.optionsFor(keys, { id, options })
    const network = id === BITCOIN_CHAIN_ID ? NETWORKS.mainnet : NETWORKS.testnet
    expect(parseAddress(String(depository), network).ok).toBe(true)
    expect(parseAddress(String(depository), NETWORKS.regtest).ok).toBe(false)
  }
})
