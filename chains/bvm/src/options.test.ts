import { Value } from '@sinclair/typebox/value'
import { describe, expect, test } from 'vitest'
import { accountOfSeed } from './derive/depositAddress.js'
import { BITCOIN_CHAIN_ID, BITCOIN_TESTNET_CHAIN_ID, NETWORKS } from './network/networks.js'
import { type BvmOptions, bvmOptions, resolveOptions } from './options.js'

const main: BvmOptions = { depository: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }

describe('options of a Bitcoin chain', () => {
  test('the chain id says which network it is, and options cannot say otherwise', () => {
    expect(resolveOptions(main, BITCOIN_CHAIN_ID)).toMatchObject({
      network: { name: 'mainnet' },
      genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      fees: { floor: 1000n, cap: 200_000n },
    })
    const test = { depository: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }
    expect(resolveOptions(test, BITCOIN_TESTNET_CHAIN_ID).network.name).toBe('testnet')
    expect(resolveOptions({ ...test, network: 'signet' }, 7).network.name).toBe('signet')
    expect(() => resolveOptions({ ...main, network: 'regtest' }, BITCOIN_CHAIN_ID)).toThrow(/main network/)
    expect(() => resolveOptions({ ...main, network: 'mainnet' }, 7)).toThrow(/8253038/)
    expect(() => resolveOptions(test, 7)).toThrow(/set options.network/)
  })

  test('a depository of another network, or one that a single key does not spend, is refused', () => {
    expect(() => resolveOptions(main, BITCOIN_TESTNET_CHAIN_ID)).toThrow(/another network/)
    const shared = { depository: '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo' }
    expect(() => resolveOptions(shared, BITCOIN_CHAIN_ID)).toThrow(/P2WPKH/)
  })

  test('Bitcoin Core, which sends whole blocks, is not to be cut off below the largest one', () => {
    const small = { ...main, maxAnswerBytes: 8_000_000 }
    expect(resolveOptions(small, BITCOIN_CHAIN_ID).maxAnswerBytes).toBe(8_000_000)
    expect(() => resolveOptions({ ...small, access: ['esplora', 'core'] }, BITCOIN_CHAIN_ID)).toThrow(/maxAnswerBytes/)
  })

  test('the key of deposit addresses is an account’s public one, or is refused in plain words; blocks must fit', () => {
    const account = accountOfSeed(new Uint8Array(32).fill(1), NETWORKS.mainnet)
    const depositAccountKey = account.publicExtendedKey
    expect(resolveOptions(main, BITCOIN_CHAIN_ID)).toMatchObject({ depositAccount: null, creditSweeps: false })
    const set = resolveOptions({ ...main, depositAccountKey }, BITCOIN_CHAIN_ID)
    expect(set.depositAccount?.publicExtendedKey).toBe(depositAccountKey)
    for (const [key, why] of [
      [account.privateExtendedKey, /options.depositAccountKey: .*private/],
      [account.deriveChild(0).publicExtendedKey, /options.depositAccountKey: .*account/],
      [depositAccountKey.replace('xpub', 'tpub'), /options.depositAccountKey: .*no extended public key/],
    ] as const) {
      expect(() => resolveOptions({ ...main, depositAccountKey: key }, BITCOIN_CHAIN_ID)).toThrow(why)
    }
    const short = { ...main, depositAccountKey, maxAnswerBytes: 4_000_000 }
    expect(() => resolveOptions(short, BITCOIN_CHAIN_ID)).toThrow(/maxAnswerBytes/)
  })

  test('fee bounds must be in order; nothing is taken that is not known', () => {
    expect(() => resolveOptions({ ...main, minFeeRate: 9, maxFeeRate: 3 }, BITCOIN_CHAIN_ID)).toThrow(/minFeeRate/)
    for (const wrong of [{}, { ...main, access: ['electrum'] }, { ...main, minFeeRate: 0 }, { ...main, extra: 1 }]) {
      expect(Value.Check(bvmOptions, wrong)).toBe(false)
    }
    expect(Value.Check(bvmOptions, { ...main, access: ['esplora', 'core'] })).toBe(true)
  })
})
