import { readFileSync } from 'node:fs'
import { encodeAddress } from '@causeway/core/chain'
import { initEccLib, address as library, payments } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { bitcoinAddressCodec } from './addressCodec.js'
import { isOwnerless, NATIVE, normalizeCurrency, parseAddress, validateAddress } from './addresses.js'
import { ecc } from './curve.js'
import { NETWORKS } from './networks.js'
import { addressOfScript } from './scriptAddress.js'

beforeAll(() => initEccLib(ecc))

const { mainnet, testnet, regtest } = NETWORKS
const networks = fc.constantFrom(...Object.values(NETWORKS))
const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((key) => ecc.isPrivate(key))
  .map((key) => ecc.pointFromScalar(key, true) ?? new Uint8Array())

describe('chains.md bvm 1: addresses of every kind, by network', () => {
  test('each kind has the script that the library gives it, and the script gives the address back', () => {
    fc.assert(
      fc.property(keys, networks, (pubkey, network) => {
        const { parameters } = network
        const nested = payments.p2wpkh({ pubkey, network: parameters })
        const forms = [
          payments.p2pkh({ pubkey, network: parameters }),
          payments.p2sh({ redeem: nested, network: parameters }),
          nested,
          payments.p2wsh({ redeem: payments.p2pk({ pubkey, network: parameters }), network: parameters }),
          payments.p2tr({ internalPubkey: pubkey.subarray(1), network: parameters }),
        ]
        const kinds = forms.map(({ address = '' }) => {
          const parsed = parseAddress(address, network)
          if (!parsed.ok) throw new Error(parsed.why)
          expect(parsed.canonical).toBe(address)
          expect(Buffer.from(parsed.script)).toEqual(Buffer.from(library.toOutputScript(address, parameters)))
          expect(addressOfScript(parsed.script, network)).toBe(address)
          return parsed.kind
        })
        expect(kinds).toEqual(['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'])
      }),
      { numRuns: 10 },
    )
  })

  test('BIP-173: capitals throughout are valid and mean the small letters; a mix is refused', () => {
    const lower = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(validateAddress(lower.toUpperCase(), mainnet)).toEqual({ ok: true, canonical: lower })
    expect(validateAddress(`BC1${lower.slice(3)}`, mainnet)).toMatchObject({ ok: false, why: /mixes/ })
  })

  test.each([
    ['', /empty/],
    ['1'.repeat(10_000), /too long/],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', /another network/],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', /another network/],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', /another network/],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', /another network/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', /checksum/],
    // Version 1 with the checksum of bech32, version 0 with that of bech32m (BIP-350).
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', /mixed up/],
    ['bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqrawwfz', /checksum|mixed up/],
    // Witness versions that anybody could spend.
    ['bc1sw50qgdz25j', /safely/],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', /safely/],
    ['bc1pfeessrawgf', /safely/],
    [NATIVE, /marker/],
    [NATIVE.toUpperCase(), /marker/],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', /changed or lost/],
    ['0x00000000000000000000000000000000000000aa', /EVM/],
    [' bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /changed or lost/],
  ])('%j is refused on the main network with the reason', (text, why) => {
    const check = validateAddress(text, mainnet)
    expect(check.ok ? '' : check.why).toMatch(why)
  })

  test('a main network address is refused on the others', () => {
    for (const text of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo']) {
      expect(validateAddress(text, testnet).ok).toBe(false)
      expect(validateAddress(text, regtest).ok).toBe(false)
      expect(validateAddress(text, mainnet)).toEqual({ ok: true, canonical: text })
    }
  })

  test('no text makes it throw, and what it accepts the library accepts too', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 100 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `bc1q${text}`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        if (validateAddress(text, mainnet).ok) library.toOutputScript(text, mainnet.parameters)
      }),
    )
  })
})

test('wire.md K.1 10: the zero address and the marker are the one currency', () => {
  expect(normalizeCurrency(`0x${'0'.repeat(40)}`)).toBe(NATIVE)
  expect(normalizeCurrency(NATIVE)).toBe(NATIVE)
  for (const text of ['', 'BTC', '0x12', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']) {
    expect(normalizeCurrency(text)).toBeNull()
  }
})

test('a hash of zeros has no owner, in any form and network; a key has one', () => {
  for (const network of Object.values(NETWORKS)) {
    const { parameters } = network
    for (const end of [
      [0, 0],
      [0, 1],
      [0xde, 0xad],
    ]) {
      const hash = Uint8Array.from([...new Uint8Array(18), ...end])
      const long = Uint8Array.from([...new Uint8Array(30), ...end])
      const forms = [
        payments.p2pkh({ hash, network: parameters }),
        payments.p2sh({ hash, network: parameters }),
        payments.p2wpkh({ hash, network: parameters }),
        payments.p2wsh({ hash: long, network: parameters }),
      ]
      for (const { address = '' } of forms) expect([address, isOwnerless(address, network)]).toEqual([address, true])
    }
  }
  fc.assert(
    fc.property(keys, networks, (pubkey, network) => {
      const { address = '' } = payments.p2wpkh({ pubkey, network: network.parameters })
      expect(isOwnerless(address, network)).toBe(false)
    }),
  )
})

describe('chains.md bvm 2: bytes in order ids', () => {
  test('those of the main network are the ones of core; every network goes there and back', () => {
    fc.assert(
      fc.property(keys, networks, (pubkey, network) => {
        const codec = bitcoinAddressCodec(network)
        const { parameters } = network
        for (const { address = '' } of [
          payments.p2pkh({ pubkey, network: parameters }),
          payments.p2wpkh({ pubkey, network: parameters }),
          payments.p2tr({ internalPubkey: pubkey.subarray(1), network: parameters }),
        ]) {
          const bytes = codec.encode(address)
          expect(codec.decode(bytes)).toBe(address)
          if (network.name === 'mainnet') expect(bytes).toEqual(encodeAddress('bitcoin-vm', address))
        }
      }),
      { numRuns: 10 },
    )
    expect(bitcoinAddressCodec(regtest).encode(NATIVE)).toEqual(encodeAddress('bitcoin-vm', NATIVE))
    expect(bitcoinAddressCodec(regtest).decode(new Uint8Array(20))).toBe(NATIVE)
  })

  test('bytes that are no address are refused', () => {
    const codec = bitcoinAddressCodec(mainnet)
    for (const bytes of [
      [],
      [0],
      [0xff, 0, 1],
      [2, ...new Array(32).fill(1)],
      [0xff, 0x6f, ...new Array(20).fill(1)],
    ]) {
      expect(() => codec.decode(Uint8Array.from(bytes))).toThrow(/Bitcoin address/)
    }
    expect(() => codec.encode('bc1q')).toThrow(/Bitcoin address/)
  })
})

type ValidVector = readonly [text: string, chain: 'main' | 'test' | 'regtest' | 'signet', script: string, by: string]

/** Vectors of Bitcoin Core, bitcoinjs-lib, BIP-173, BIP-341 and BIP-350; `sources` names each. */
const vectors: { readonly valid: readonly ValidVector[]; readonly invalid: readonly (readonly [string, string])[] } =
  JSON.parse(readFileSync(new URL('./fixtures/addressVectors.json', import.meta.url), 'utf8'))

describe('vectors of other implementations', () => {
  const networkOf = { main: mainnet, test: testnet, signet: testnet, regtest }
  /** Scripts that this service pays; witness programs of other versions and lengths have no owner yet. */
  const PAID = /^(76a914.{40}88ac|a914.{40}87|0014.{40}|0020.{64}|5120.{64})$/

  test.each(vectors.valid)('%s on %s has the script %s (%s)', (text, chain, script, by) => {
    const network = networkOf[chain]
    const parsed = parseAddress(text, network)
    // BIP-350 gave versions above 0 another checksum than BIP-173 had.
    const isPaid = PAID.test(script) && !(by === 'bip173' && script.startsWith('51'))
    if (!isPaid) return expect(parsed).toMatchObject({ ok: false, why: expect.stringMatching(/safely|mixed up/) })
    if (!parsed.ok) throw new Error(parsed.why)
    expect(Buffer.from(parsed.script).toString('hex')).toBe(script)
    expect(addressOfScript(parsed.script, network)).toBe(parsed.canonical)
    expect(parsed.canonical).toBe(/^(bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text)
  })

  test.each(vectors.invalid)('"%s" is no address of any network (%s)', (text) => {
    for (const network of Object.values(NETWORKS)) expect(validateAddress(text, network).ok, network.name).toBe(false)
  })

  test('are all there', () => {
    expect([vectors.valid.length, vectors.invalid.length]).toEqual([49, 73])
  })
})
