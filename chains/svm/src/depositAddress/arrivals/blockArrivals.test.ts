import { expect, test } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import type { RpcBlockTransaction } from '../../rpc/wire.js'
import { arrivalsOf } from './blockArrivals.js'

const BLOCK = { height: 7n, hash: 'hash', time: 5 }
const MINT = 'mint'
const terms = { addresses: new Set(['live', 'other']), mints: new Set([MINT]) }

interface Account {
  readonly key: string
  readonly signer?: true
  readonly lamports?: readonly [number, number]
  /** Mint, owner, before and after; null: no account yet. */
  readonly tokens?: readonly [string, string, number | null, number]
}

const FEE = 5000

const transaction = (accounts: readonly Account[], err: unknown = null): RpcBlockTransaction => {
  const tokens = (at: 2 | 3) =>
    accounts.flatMap(({ tokens: held }, accountIndex) => {
      const amount = held?.[at] ?? null
      if (held === undefined || amount === null) return []
      return [{ accountIndex, mint: held[0], owner: held[1], uiTokenAmount: { amount: `${amount}`, decimals: 6 } }]
    })
  return {
    transaction: {
      signatures: ['id'],
      accountKeys: accounts.map(({ key, signer = false }) => ({ pubkey: key, signer })),
    },
    meta: {
      err,
      fee: FEE,
      preBalances: accounts.map(({ lamports }) => lamports?.[0] ?? 0),
      postBalances: accounts.map(({ lamports }) => lamports?.[1] ?? 0),
      preTokenBalances: tokens(2),
      postTokenBalances: tokens(3),
    },
  }
}

const read = (accounts: readonly Account[], err?: unknown) =>
  arrivalsOf({ ...HEADER, transactions: [transaction(accounts, err)] }, BLOCK, terms).map(
    ({ to, money, sender, position }) => ({ to: to.address, ...money, sender, position }),
  )
const HEADER = { blockhash: 'hash', previousBlockhash: 'before', blockHeight: 1, blockTime: 5, parentSlot: 6 }

const payer = (lost: number): Account => ({ key: 'user', signer: true, lamports: [1_000_000, 1_000_000 - lost - FEE] })

test('lamports: who gained and who lost, the fee of the network apart', () => {
  const accounts = [payer(100), { key: 'live', lamports: [0, 100] }, { key: 'stranger', lamports: [0, 0] }] as const
  expect(read(accounts)).toEqual([{ to: 'live', currency: NATIVE, amount: 100n, sender: 'user', position: 0 }])
})

test('faults.md F13 and F19: nothing, what goes out, and what failed are no arrivals', () => {
  expect(read([payer(0), { key: 'live', lamports: [5, 5] }])).toEqual([])
  expect(read([{ key: 'live', signer: true, lamports: [9000, 1000] }])).toEqual([])
  expect(read([payer(100), { key: 'live', lamports: [0, 100] }], { InstructionError: [0, 'x'] })).toEqual([])
})

test('of two payments to one address in one transaction the sum is one arrival; each address has its own', () => {
  const accounts: readonly Account[] = [
    payer(300),
    { key: 'live', lamports: [0, 200] },
    { key: 'other', lamports: [0, 100] },
    { key: 'a', tokens: [MINT, 'live', null, 5] },
    { key: 'b', tokens: [MINT, 'live', 1, 3] },
    { key: 'c', tokens: [MINT, 'user', 10, 3] },
  ]
  expect(read(accounts)).toEqual([
    { to: 'live', currency: NATIVE, amount: 200n, sender: 'user', position: 0 },
    { to: 'other', currency: NATIVE, amount: 100n, sender: 'user', position: 0 },
    { to: 'live', currency: MINT, amount: 7n, sender: 'user', position: 0 },
  ])
})

test('a token that is not configured, and one moved between accounts of one owner, are none', () => {
  expect(read([payer(0), { key: 'a', tokens: ['junk', 'live', null, 5] }])).toEqual([])
  const moved: readonly Account[] = [
    payer(0),
    { key: 'a', tokens: [MINT, 'live', null, 5] },
    { key: 'b', tokens: [MINT, 'live', 5, 0] },
  ]
  expect(read(moved)).toEqual([])
})

test.each<{ what: string; accounts: readonly Account[] }>([
  {
    what: 'two lost of it',
    accounts: [payer(50), { key: 'second', signer: true, lamports: [900, 850] }, { key: 'live', lamports: [0, 100] }],
  },
  {
    what: 'the one who lost did not sign: an account of a program',
    accounts: [payer(0), { key: 'pool', lamports: [900, 800] }, { key: 'live', lamports: [0, 100] }],
  },
  {
    what: 'the one who lost got something for it: a trade',
    accounts: [
      payer(100),
      { key: 'live', lamports: [0, 100] },
      { key: 'a', tokens: ['junk', 'user', 1, 9] },
      { key: 'b', tokens: ['junk', 'buyer', 9, 1] },
    ],
  },
  { what: 'nobody lost: it was minted', accounts: [payer(0), { key: 'a', tokens: [MINT, 'live', null, 5] }] },
])('no sender is named where $what', ({ accounts }) => {
  expect(read(accounts)).toMatchObject([{ to: 'live', sender: null }])
})
