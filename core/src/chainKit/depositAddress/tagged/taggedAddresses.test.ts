import { beforeEach, describe, expect, it } from 'vitest'
import { NOTHING_LIVE } from '../../../chain/address/depositAddresses.js'
import type { Payout } from '../../../chain/laneAdapter.js'
import { createSecp256k1Signer } from '../../../keys/secp256k1Signer.js'
import {
  ACCOUNT,
  blockOf,
  type Entry,
  movesOf,
  type Node,
  nodeOf,
  silent,
  TaggedLedger,
} from '../../arrivals/taggedLedger.test.support.js'
import type { SweepTerms } from './sweepPlans.js'
import { type TaggedAccount, taggedArrivals, tagOfTerms } from './taggedAccount.js'
import { TaggedAddresses } from './taggedAddresses.js'

const terms = { orderId: `0x${'ab'.repeat(32)}`, depositor: 'user' } as const
const LABEL = `${tagOfTerms(terms)}`
const signer = createSecp256k1Signer(`0x${'11'.repeat(32)}`)
const seed = new Uint8Array(32)

const tagged: TaggedAccount<Entry> = {
  account: ACCOUNT,
  labels: {
    form: 'tag',
    turns: 4,
    of: (given, turn) => `${tagOfTerms(given, turn)}`,
    spell: (label) => ({ address: `${ACCOUNT}:${label}` }),
    read: ({ address, tag }) => {
      const [account, label = tag] = address.split(':')
      return account !== ACCOUNT || label === undefined ? null : `${label}`
    },
  },
  movesOf,
  isFirst: () => false,
  placeOf: ({ name, height, number = null }) => ({ tx: { id: name }, block: blockOf(height), sender: null, number }),
}

/** A ledger of two nodes, and the balances of the account. */
class World {
  readonly ledger = new TaggedLedger()
  readonly nodes = [nodeOf('one', 110n), nodeOf('two', 110n)] as const
  readonly held: Record<string, bigint> = { coin: 1_000n, token: 1_000n }
  keyAddress = ACCOUNT
  readonly #tagged: TaggedAddresses<Node, Entry, SweepTerms>

  constructor(more: { readonly expiresByTime?: true } = {}) {
    this.#tagged = new TaggedAddresses<Node, Entry, SweepTerms>({
      ...more,
      ...{ tagged, chainId: 1, source: this.ledger, history: 1_000n, logger: silent },
      pool: { providers: this.nodes, providerCount: 2 },
      isThere: async () => true,
      native: { address: 'coin', symbol: 'COIN' },
      maxFee: 5n,
      balances: async (queries) => ({
        amounts: queries.map(({ currency }) => this.held[currency] ?? null),
        reserved: queries.map(({ currency }) => (currency === 'coin' ? 20n : 0n)),
        height: 110n,
      }),
      movable: async (_, taken) => ({ taken, amount: taken - taken / 10n }),
      paymentOf: (sweep) => sweep,
      buildPayment: async () => [],
      fee: async () => 3n,
      keyOf: () => ({ address: this.keyAddress, signer }),
    })
  }

  get addresses() {
    return this.#tagged.addresses
  }

  get sweeps() {
    return this.#tagged.sweeps
  }

  came(height: bigint, amount: bigint, { part = LABEL, currency = 'coin', number }: Partial<Entry> = {}): void {
    this.ledger.entries.push({
      ...{ name: `${height} ${part} ${amount}`, height, part, amount, currency },
      ...(number === undefined ? {} : { number }),
    })
  }

  readTo(...heads: readonly bigint[]): void {
    for (const [at, node] of this.nodes.entries()) node.head = heads[at] ?? node.head
  }

  payout(currency = 'coin', after?: bigint, destination = tagged.labels.spell(LABEL)): Payout {
    const address = { ...terms, destination, derivation: null }
    return {
      ...{ purpose: 'sweep', orderId: terms.orderId, from: 'lane', to: { address: 'depository' }, calls: [] },
      money: { currency, amount: 1n },
      sweep: { address, currencies: [currency], ...(after === undefined ? {} : { after }) },
    }
  }

  plan(currency?: string, after?: bigint) {
    return this.sweeps.plan(this.payout(currency, after))
  }

  sign(currency: string, slot: { readonly sequence: bigint; readonly until: bigint }): void {
    this.sweeps.begun(this.payout(currency), slot)
    this.sweeps.signer(seed)
  }
}

let world: World
beforeEach(() => {
  world = new World()
})

describe('an address', () => {
  it('is a label of the account: another for each order, depositor and turn (faults.md F18)', () => {
    const { derive, turns = 0 } = world.addresses
    const others = [
      { ...terms, depositor: 'other' },
      { ...terms, orderId: `0x${'ac'.repeat(32)}` as const },
    ]
    const all = [
      ...Array.from({ length: turns }, (_, turn) => derive?.(terms, turn)),
      ...others.map((other) => derive?.(other)),
    ]
    expect(new Set(all.map((one) => one?.destination.address)).size).toBe(turns + 2)
    expect(derive?.(terms)).toEqual({
      destination: { address: `${ACCOUNT}:${LABEL}` },
      derivation: { tag: Number(LABEL), turn: 0 },
    })
  })

  it('is spelled as it was derived, however a user writes it; another destination stays', () => {
    const { spell } = world.addresses
    expect(spell?.({ address: ACCOUNT, tag: Number(LABEL) })).toEqual(tagged.labels.spell(LABEL))
    expect(spell?.({ address: 'other', tag: 7 })).toEqual({ address: 'other', tag: 7 })
  })

  it('holds what came to its label; an address of another account holds nothing', async () => {
    world.came(100n, 40n)
    world.came(100n, 7n, { part: 'other' })
    const address = world.payout().sweep?.address
    if (address === undefined) throw new Error('no sweep')
    const other = { ...address, destination: { address: 'old account', tag: 7 } }
    expect(await world.addresses.holdings([other, address], ['coin', 'token'])).toEqual([
      [],
      [{ currency: 'coin', amount: 40n }],
    ])
    expect((await world.addresses.sweepFee('coin')).network).toEqual({ currency: 'coin', amount: 3n })
  })

  it('shows each arrival in a configured currency, with its position in the transaction', async () => {
    const twice: TaggedAccount<Entry> = { ...tagged, movesOf: (entry) => [...movesOf(entry), ...movesOf(entry)] }
    const currencies = new Set(['coin'])
    world.came(100n, 40n)
    world.came(101n, -40n)
    world.came(102n, 7n, { currency: 'strange' })
    const live = { ...NOTHING_LIVE, has: () => true }
    const found = await taggedArrivals(twice, world.ledger, currencies)(world.nodes[0], { after: 0n, upTo: 110n }, live)
    const arrival = { money: { currency: 'coin', amount: 40n }, to: tagged.labels.spell(LABEL), block: blockOf(100n) }
    expect(found).toMatchObject([
      { ...arrival, position: 0 },
      { ...arrival, position: 1 },
    ])
  })
})

describe('a sweep', () => {
  it('takes the whole balance of its label under the order id', async () => {
    world.came(100n, 40n)
    world.came(101n, 60n)
    world.came(102n, 7n, { part: 'other' })
    const payment = { label: LABEL, orderId: terms.orderId, currency: 'coin', taken: 100n, amount: 90n }
    expect(await world.plan()).toEqual({ ok: true, amount: 90n, payment })
    expect(await world.sweeps.form(world.payout())).toEqual(payment)
  })

  it('is refused if the label has no balance, or was swept', async () => {
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'revert' })
    world.came(111n, 40n)
    world.came(112n, -40n)
    world.readTo(112n, 112n)
    expect(await world.plan()).toMatchObject({ ok: false, message: expect.stringContaining('no balance') })
    expect(await world.sweeps.form(world.payout())).toBeNull()
  })

  it.each(['coin', 'token'])(
    'of %s leaves fees and the reserve to the operator’s money, never to another label',
    async (currency) => {
      world.came(100n, 40n, { currency })
      world.came(100n, 60n, { part: 'other' })
      world.held.coin = (currency === 'coin' ? 100n : 60n) + 24n
      expect(await world.plan(currency)).toMatchObject({
        ok: false,
        kind: 'transient',
        message: expect.stringContaining('Send COIN to it without a tag.'),
      })
      world.held.coin += 1n
      expect(await world.plan(currency)).toMatchObject({ ok: true })
    },
  )

  it('takes no more than the account holds', async () => {
    world.came(100n, 40n, { currency: 'token' })
    world.held.token = 30n
    expect(await world.plan('token')).toMatchObject({ ok: true, payment: { taken: 30n } })
    world.held.token = 0n
    expect(await world.plan('token')).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    delete world.held.token
    await expect(world.plan('token')).rejects.toThrow('is unknown')
  })

  it('of a destination that is no label of the account is refused', async () => {
    await expect(world.sweeps.plan(world.payout('coin', 0n, { address: ACCOUNT }))).rejects.toThrow('names no tag')
  })
})

describe('two sweeps of one label never take twice', () => {
  it('a node below the height of the last sweep is no answer', async () => {
    world.came(100n, 40n)
    world.came(111n, -40n)
    expect(await world.plan()).toMatchObject({ ok: true })
    await expect(world.plan('coin', 111n)).rejects.toThrow('Too few nodes')
    world.readTo(111n, 111n)
    expect(await world.plan('coin', 111n)).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('money that one of two nodes shows as swept is not swept', async () => {
    world.came(100n, 40n)
    world.came(111n, -40n)
    world.readTo(111n, 110n)
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('no sweep is planned while a signed one may land; one is once the number is used up or expired', async () => {
    world.came(100n, 40n)
    world.sign('coin', { sequence: 77n, until: 125n })
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'transient' })
    world.came(112n, 0n, { number: 77n })
    world.readTo(112n, 112n)
    expect(await world.plan()).toMatchObject({ ok: true })
    world.sign('coin', { sequence: 78n, until: 125n })
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'transient' })
    world.readTo(125n, 125n)
    expect(await world.plan()).toMatchObject({ ok: true })
  })
})

it('where payments expire by time, a signed sweep may land until a block of that second was read', async () => {
  world = new World({ expiresByTime: true })
  world.came(100n, 40n)
  world.sign('coin', { sequence: 77n, until: 230n })
  world.readTo(114n, 114n)
  expect(await world.plan()).toMatchObject({ ok: false, kind: 'transient' })
  world.readTo(115n, 115n)
  expect(await world.plan()).toMatchObject({ ok: true })
})

it('the key of the seed signs only if it is the key of the account', () => {
  expect(world.sweeps.signer(seed)).toBe(signer)
  expect(() => world.sweeps.signer(undefined)).toThrow('needs the seed')
  world.keyAddress = 'another account'
  expect(() => world.sweeps.signer(seed)).toThrow('does not give the key of account')
})
