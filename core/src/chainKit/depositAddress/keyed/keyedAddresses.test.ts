import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { DepositAddress } from '../../../chain/address/depositAddresses.js'
import type { BalanceQuery } from '../../../chain/balances.js'
import type { Payout } from '../../../chain/laneAdapter.js'
import { verifyEd25519 } from '../../../keys/ed25519Curve.js'
import { recoverPublicKey } from '../../../keys/secp256k1Curve.js'
import { hdAccountOfSeed } from './hdAccount.js'
import { hdKeySource, KeyedAddresses, type KeySource, seedKeySource } from './keyedAddresses.js'
import { seedPoolKey } from './seedPool.js'

const SEED = Buffer.alloc(32, 5)
const PATH = "m/44'/195'/0'"
const terms = { orderId: `0x${'ab'.repeat(32)}`, depositor: 'user' } as const
const digest = new Uint8Array(32).fill(3)
const tree = { root: [44, 607, 0], witness: [44, 607, 1], addressOf: (key: Uint8Array) => base58.encode(key) }

const hdKeys = hdKeySource({
  ...{ account: hdAccountOfSeed(SEED, PATH), path: PATH, scheme: 'secp256k1' },
  addressOf: (key) => Buffer.from(key.slice(1, 33)).toString('hex'),
})
const seedKeys = seedKeySource(tree, { chain: ['chain 1'], publicKey: seedPoolKey(tree, SEED) })

/** Addresses over balances by `<address> <currency>`. */
const worldOf = (keys: KeySource, balances: Record<string, bigint | null> = {}, sweepsOneCurrency = false) => {
  const asked: (readonly BalanceQuery[])[] = []
  const keyed = new KeyedAddresses({
    ...{ keys, depository: 'depository', sweepsOneCurrency },
    balances: async (queries) => {
      asked.push(queries)
      const amounts = queries.map(({ address, currency }) => {
        const held = balances[`${address} ${currency}`]
        return held === undefined ? 0n : held
      })
      return { amounts, height: 100n }
    },
    buildPayment: async () => [],
    sweepFee: async (currency) => ({ network: { currency, amount: 1n }, validForMs: 1 }),
  })
  return { asked, keyed }
}

const addressOf = ({ derive, pool }: KeySource): DepositAddress => {
  const made = derive?.(terms) ?? pool?.make(SEED, `0x${'cd'.repeat(32)}`)
  if (made === undefined) throw new Error('no address')
  return { ...terms, destination: made.destination, derivation: made.derivation }
}

const address = addressOf(hdKeys)
const at = (currency: string) => `${address.destination.address} ${currency}`

const sweepOf = (changes: Partial<Payout> = {}, after?: bigint): Payout => ({
  ...{ purpose: 'sweep', orderId: terms.orderId, from: 'lane', to: { address: 'depository' }, calls: [] },
  money: { currency: 'coin', amount: 1n },
  sweep: { address, currencies: ['token', 'coin', 'other'], ...(after === undefined ? {} : { after }) },
  ...changes,
})

describe('the key of an address', () => {
  it('of BIP-32 is derived from the public account and the order’s terms, and signs for the address', async () => {
    const { keyed } = worldOf(hdKeys)
    expect(keyed.addresses).toMatchObject({ forms: ['hd-key'], isSweptByKey: true })
    expect(address.derivation).toEqual({ path: expect.stringMatching(/^m\/44'\/195'\/0'\/0(\/\d+){8}$/) })
    expect(hdKeys.derive?.({ ...terms, depositor: 'other' }).destination).not.toEqual(address.destination)
    const signer = keyed.signer(address, SEED)
    expect(await recoverPublicKey(digest, await signer.sign(digest))).toEqual(signer.publicKey)
    expect(signer.publicKey).toHaveLength(65)
  })

  it('of SLIP-10 comes from the pool', async () => {
    const pooled = addressOf(seedKeys)
    const { keyed } = worldOf(seedKeys)
    expect(keyed.addresses.derive).toBeUndefined()
    const signer = keyed.signer(pooled, SEED)
    expect(base58.encode(signer.publicKey)).toBe(pooled.destination.address)
    expect(verifyEd25519(await signer.sign(digest), digest, signer.publicKey)).toBe(true)
    expect(() => keyed.signer({ ...pooled, derivation: {} }, SEED)).toThrow('has no salt')
  })

  it.each([
    ['without the seed', undefined, 'needs the seed'],
    ['with another seed', Buffer.alloc(32, 6), 'does not give the key'],
  ])('does not sign %s', (_, seed, why) => {
    expect(() => worldOf(hdKeys).keyed.signer(address, seed)).toThrow(why)
  })
})

describe('a sweep', () => {
  it('takes all balances of its currencies, that of the payout first; an unknown one waits', async () => {
    const { keyed } = worldOf(hdKeys, { [at('coin')]: 7n, [at('token')]: 5n, [at('other')]: null })
    const takes = [
      { currency: 'coin', amount: 7n },
      { currency: 'token', amount: 5n },
    ]
    expect(await keyed.plan(sweepOf())).toEqual({ ok: true, takes })
    const alone = worldOf(hdKeys, { [at('coin')]: 7n, [at('token')]: 5n }, true)
    expect(await alone.keyed.plan(sweepOf())).toEqual({ ok: true, takes: takes.slice(0, 1) })
  })

  it('is refused without a balance, to another account, and under another order', async () => {
    const { keyed } = worldOf(hdKeys, { [at('token')]: 5n })
    expect(await keyed.plan(sweepOf())).toMatchObject({
      ok: false,
      kind: 'revert',
      message: expect.stringContaining('no balance'),
    })
    const held = worldOf(hdKeys, { [at('coin')]: 5n })
    for (const wrong of [{ to: { address: 'other' } }, { orderId: `0x${'00'.repeat(32)}` as const }])
      expect(await held.keyed.plan(sweepOf(wrong))).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('is not planned by a node below the last sweep, nor over an unknown balance', async () => {
    const { keyed } = worldOf(hdKeys, { [at('coin')]: null })
    await expect(keyed.plan(sweepOf({}, 101n))).rejects.toThrow('behind the last sweep')
    await expect(keyed.plan(sweepOf({}, 100n))).rejects.toThrow('is unknown')
  })
})

it('holdings are read in batches, in the order of the addresses', async () => {
  const { asked, keyed } = worldOf(hdKeys, { [at('coin')]: 7n })
  const empty = { ...address, destination: { address: 'empty' } }
  const many = [...Array.from({ length: 600 }, () => empty), address]
  const held = await keyed.addresses.holdings(many, ['token', 'coin'])
  expect(held).toHaveLength(601)
  expect(held.flat()).toEqual([{ currency: 'coin', amount: 7n }])
  expect(held.at(-1)).toHaveLength(1)
  expect(asked.map(({ length }) => length)).toEqual([1000, 202])
})
