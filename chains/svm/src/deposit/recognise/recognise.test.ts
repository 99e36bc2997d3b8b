import type { Hex } from '@causeway/core'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import { shareArrival } from './programDeposits.js'
import { recogniseDeposits } from './recognise.js'
import {
  addressOf,
  associatedOf,
  type Fixture,
  type FixtureInstruction,
  type FixtureTokens,
  transactionOf,
} from './transactionFixture.test.support.js'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const SWAP = addressOf('swap')
const user = addressOf('user')
const depository = addressOf('depository')
const mint = addressOf('mint')
const orderId: Hex = `0x${'c0'.repeat(32)}`
const otherId: Hex = `0x${'d1'.repeat(32)}`
const block = { height: 77n, hash: 'blockhash', time: 1_700_000_000 }

const transfer = (to: string, lamports: bigint, from = user): FixtureInstruction => ({
  program: NATIVE,
  accounts: [from, to],
  data: SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports }).data,
})

const memo = (text: string): FixtureInstruction => ({ program: MEMO, accounts: [], data: Buffer.from(text) })

const userTokens = (of = mint, program = TOKEN) => associatedOf(user, of, program)
const ourTokens = (of = mint, program = TOKEN) => associatedOf(depository, of, program)

const transferChecked = (amount: bigint, of = mint, program = TOKEN): FixtureInstruction => {
  const data = Buffer.alloc(10)
  data[0] = 12
  data.writeBigUInt64LE(amount, 1)
  data[9] = 6
  return { program, accounts: [userTokens(of, program), of, ourTokens(of, program), user], data }
}

const tokens = (sent: bigint, arrived = sent, of = mint, program = TOKEN): FixtureTokens[] => [
  { account: userTokens(of, program), mint: of, owner: user, program, before: 10n ** 9n, after: 10n ** 9n - sent },
  { account: ourTokens(of, program), mint: of, owner: depository, program, before: null, after: arrived },
]

const read = (fixture: Omit<Fixture, 'feePayer'> & { readonly feePayer?: string }, program: string | null = null) =>
  recogniseDeposits(transactionOf({ feePayer: user, ...fixture }), depository, program, block)

const brief = (deposits: ReturnType<typeof read>) =>
  deposits.map(({ money, orderId: order, position, index, depositor }) => ({
    currency: money.currency,
    amount: money.amount,
    order,
    position,
    index,
    depositor,
  }))

test('F132: as many transfers as a transaction can hold, to every account it can name, are one deposit for each currency', () => {
  // A transaction locks 64 accounts and runs 64 instructions, inner ones counted.
  const mints = Array.from({ length: 20 }, (_, at) => addressOf(`mint ${at}`))
  const instructions = [transfer(depository, 1n), memo(orderId)]
  const inner = Array.from({ length: 62 }, (_, at) => transferChecked(1n, mints[at % mints.length]))
  const found = read({
    instructions,
    inner: { 0: inner },
    lamports: { [user]: [10_000, 4000], [depository]: [500, 501] },
    tokens: mints.flatMap((of) => tokens(3n, 3n, of)),
  })
  expect(found).toHaveLength(1 + mints.length)
  expect(found.every(({ orderId: order }) => order === orderId)).toBe(true)
  expect(new Set(found.map(({ position }) => position)).size).toBe(found.length)
})

describe('transfer and memo form', () => {
  test('a native deposit is what the depository gained, for the order that the memo names', () => {
    const found = read({
      instructions: [transfer(depository, 1000n), memo(orderId)],
      lamports: { [user]: [10_000, 4000], [depository]: [500, 1500] },
    })
    expect(brief(found)).toEqual([
      { currency: NATIVE, amount: 1000n, order: orderId, position: 0, index: 0, depositor: user },
    ])
    expect(found[0]).toMatchObject({ state: 'included', depository, block, fee: 5000n, tx: { id: '5'.repeat(88) } })
    expect(found[0]?.txData).toMatchObject({ from: user, to: depository })
  })

  test('a token deposit into an account that the same transaction created', () => {
    const found = read({ instructions: [transferChecked(2000n), memo(orderId)], tokens: tokens(2000n) })
    expect(brief(found)).toEqual([
      { currency: mint, amount: 2000n, order: orderId, position: 0, index: 0, depositor: user },
    ])
  })

  test('F07: of a mint with a transfer fee, what arrived counts', () => {
    const program = TOKEN_2022
    const found = read({
      instructions: [transferChecked(10_000n, mint, program), memo(orderId)],
      tokens: tokens(10_000n, 9900n, mint, program),
    })
    expect(brief(found)).toMatchObject([{ currency: mint, amount: 9900n, order: orderId }])
  })

  test('F19: a failed transaction is no deposit, whatever its logs and balances say', () => {
    const fixture = {
      instructions: [transfer(depository, 1000n), memo(orderId)],
      lamports: { [depository]: [0, 1000] },
      logs: [`Program ${NATIVE} success`, `Program ${MEMO} success`],
    } as const
    expect(read({ ...fixture, err: { InstructionError: [1, { Custom: 1 }] } })).toEqual([])
    expect(read(fixture)).toHaveLength(1)
  })

  test('F20: another mint is its own currency, also when it has the same symbol', () => {
    const fake = addressOf('fake')
    const found = read({
      instructions: [transferChecked(2000n, fake), memo(orderId)],
      tokens: tokens(2000n, 2000n, fake),
    })
    expect(brief(found)).toMatchObject([{ currency: fake, amount: 2000n }])
  })

  test('tokens in an account that is not the associated one are no money of the depository', () => {
    const found = read({
      instructions: [memo(orderId)],
      tokens: [{ account: addressOf('elsewhere'), mint, owner: depository, program: TOKEN, before: null, after: 5n }],
    })
    expect(found).toEqual([])
  })

  test('two order ids name none; the same one twice is one', () => {
    const lamports = { [depository]: [0, 1000] } as const
    const two = read({ instructions: [transfer(depository, 1000n), memo(orderId), memo(otherId)], lamports })
    expect(brief(two)).toMatchObject([{ amount: 1000n, order: null }])
    const same = read({ instructions: [transfer(depository, 1000n), memo(orderId), memo(orderId)], lamports })
    expect(brief(same)).toMatchObject([{ order: orderId }])
    const none = read({ instructions: [transfer(depository, 1000n)], lamports })
    expect(brief(none)).toMatchObject([{ order: null }])
  })

  test('memos and transfers of other programs count as if they were top-level', () => {
    const found = read({
      instructions: [{ program: SWAP, accounts: [user], data: Buffer.of(1) }],
      inner: { 0: [transfer(depository, 1000n), memo(orderId)] },
      lamports: { [depository]: [0, 1000] },
    })
    expect(brief(found)).toMatchObject([{ amount: 1000n, order: orderId, index: 1, depositor: user }])
    const split = read({
      instructions: [{ program: SWAP, accounts: [user], data: Buffer.of(1) }, memo(otherId)],
      inner: { 0: [transfer(depository, 1000n), memo(orderId)] },
      lamports: { [depository]: [0, 1000] },
    })
    expect(brief(split)).toMatchObject([{ order: null }])
  })

  test('a memo of another program is no memo', () => {
    const fake = { ...memo(orderId), program: SWAP }
    const found = read({ instructions: [transfer(depository, 1000n), fake], lamports: { [depository]: [0, 1000] } })
    expect(brief(found)).toMatchObject([{ order: null }])
  })

  test('one deposit for each currency, in the order of their transfers', () => {
    const found = read({
      instructions: [memo(orderId), transferChecked(2000n), transfer(depository, 400n), transfer(depository, 600n)],
      lamports: { [depository]: [0, 1000] },
      tokens: tokens(2000n),
    })
    expect(brief(found)).toMatchObject([
      { currency: mint, amount: 2000n, position: 0, index: 1 },
      { currency: NATIVE, amount: 1000n, position: 1, index: 2 },
    ])
  })

  test('money that goes out again in the same transaction was never deposited', () => {
    const found = read({
      instructions: [transfer(depository, 1000n), transfer(user, 1000n, depository), memo(orderId)],
      lamports: { [depository]: [500, 500] },
    })
    expect(found).toEqual([])
  })

  test('the memo of a sweep credits whom it names; no other memo does (wire.md E.4)', () => {
    const named = addressOf('named')
    const text = `${orderId} sweep #7|depositor=${named}|`
    const lamports = { [user]: [10_000, 4000], [depository]: [500, 1500] } as const
    const depositorOf = (...texts: string[]) =>
      read({ instructions: [transfer(depository, 1000n), ...texts.map(memo)], lamports }).map(
        ({ orderId: order, depositor, source }) => ({ order, depositor, source }),
      )
    expect(depositorOf(text)).toEqual([{ order: orderId, depositor: named, source: user }])
    const ordinary = [{ order: orderId, depositor: user, source: user }]
    expect(depositorOf(orderId, `|depositor=${named}|`)).toEqual(ordinary)
    expect(depositorOf(`${orderId}|depositor=${named}|`)).toEqual(ordinary)
    expect(depositorOf(text, text.replace('#7', '#8'))).toEqual(ordinary)
    expect(depositorOf(text, otherId)).toEqual([{ order: null, depositor: user, source: user }])
  })

  test('the depositor is who owned the money, not who paid the fee; without a transfer, who signed first', () => {
    const sponsor = addressOf('sponsor')
    const lamports = { [depository]: [0, 1000] } as const
    const paid = read({ feePayer: sponsor, instructions: [transfer(depository, 1000n), memo(orderId)], lamports })
    expect(brief(paid)).toMatchObject([{ depositor: user }])
    const tokenPaid = read({
      feePayer: sponsor,
      instructions: [transferChecked(5n), memo(orderId)],
      tokens: tokens(5n),
    })
    expect(brief(tokenPaid)).toMatchObject([{ depositor: user }])
    const silent = { program: SWAP, accounts: [depository], data: Buffer.of(9) }
    const moved = read({ feePayer: sponsor, instructions: [silent, memo(orderId)], lamports })
    expect(brief(moved)).toMatchObject([{ depositor: sponsor, index: 0 }])
  })

  test('accounts of lookup tables count', () => {
    const found = read({
      instructions: [transfer(depository, 1000n), memo(orderId)],
      lamports: { [depository]: [0, 1000] },
      looked: [depository],
    })
    expect(brief(found)).toMatchObject([{ amount: 1000n, order: orderId }])
  })
})

test('an answer that is no transaction is an error of the node', () => {
  const whole = transactionOf({
    feePayer: user,
    instructions: [transfer(depository, 1000n)],
    lamports: { [depository]: [0, 1000] },
  })
  for (const broken of [{}, { ...whole, transaction: {} }, { ...whole, meta: { err: null } }]) {
    // CAST: what a faulty node may send.
    const read = () => recogniseDeposits(broken as typeof whole, depository, null, block)
    expect(read).toThrow(expect.objectContaining({ code: 'RPC_HTTP_ERROR' }))
  }
})

describe('program form', () => {
  const depositData = (discriminator: string, amount: bigint, id: Hex) => {
    const data = Buffer.alloc(48)
    Buffer.from(discriminator, 'hex').copy(data)
    data.writeBigUInt64LE(amount, 8)
    Buffer.from(id.slice(2), 'hex').copy(data, 16)
    return data
  }
  const state = addressOf('state')
  const depositNative = (amount: bigint, id = orderId, vault = depository, program = PROGRAM): FixtureInstruction => ({
    program,
    accounts: [state, user, user, vault, NATIVE],
    data: depositData('0d9e0ddf5fd51c06', amount, id),
  })
  const depositToken = (amount: bigint, id = orderId, of = mint, program = TOKEN): FixtureInstruction => ({
    program: PROGRAM,
    accounts: [
      state,
      user,
      addressOf('beneficiary'),
      depository,
      of,
      userTokens(of, program),
      ourTokens(of, program),
      program,
    ],
    data: depositData('0b9c60da27a3b413', amount, id),
  })

  test('an instruction names depositor and order; the balance of the vault says how much', () => {
    const found = read(
      {
        instructions: [depositNative(1000n), depositToken(2000n, otherId)],
        inner: { 0: [transfer(depository, 1000n)], 1: [transferChecked(2000n)] },
        lamports: { [depository]: [0, 1000] },
        tokens: tokens(2000n),
      },
      PROGRAM,
    )
    expect(brief(found)).toEqual([
      { currency: NATIVE, amount: 1000n, order: orderId, position: 0, index: 0, depositor: user },
      { currency: mint, amount: 2000n, order: otherId, position: 1, index: 1, depositor: addressOf('beneficiary') },
    ])
  })

  test('an instruction of another program calls it', () => {
    const found = read(
      {
        instructions: [{ program: SWAP, accounts: [user], data: Buffer.of(1) }],
        inner: { 0: [depositNative(1000n), transfer(depository, 1000n)] },
        lamports: { [depository]: [0, 1000] },
      },
      PROGRAM,
    )
    expect(brief(found)).toEqual([
      { currency: NATIVE, amount: 1000n, order: orderId, position: 0, index: 1, depositor: user },
    ])
  })

  test('events and instructions of another program, or for another vault, are not believed', () => {
    const forged = ['Program data: ePg9Ux+Oa5AAAAAA', `Program ${PROGRAM} success`]
    const lamports = { [depository]: [0, 0] } as const
    expect(
      read({ instructions: [depositNative(1000n, orderId, depository, SWAP)], lamports, logs: forged }, PROGRAM),
    ).toEqual([])
    expect(read({ instructions: [depositNative(1000n, orderId, user)], lamports, logs: forged }, PROGRAM)).toEqual([])
    expect(read({ instructions: [depositNative(1000n)], lamports, logs: forged }, PROGRAM)).toEqual([])
  })

  test('the zero id and a transfer past the program name no order, whatever a memo says', () => {
    const zero: Hex = `0x${'0'.repeat(64)}`
    const lamports = { [depository]: [0, 1000] } as const
    expect(brief(read({ instructions: [depositNative(1000n, zero)], lamports }, PROGRAM))).toMatchObject([
      { order: null },
    ])
    const bare = read({ instructions: [transfer(depository, 1000n), memo(orderId)], lamports }, PROGRAM)
    expect(brief(bare)).toMatchObject([{ amount: 1000n, order: null, depositor: user }])
  })

  test('two deposits of one currency share what arrived, and what came besides is one of its own', () => {
    const taxed = read(
      {
        instructions: [
          depositToken(10_000n, orderId, mint, TOKEN_2022),
          depositToken(20_000n, otherId, mint, TOKEN_2022),
        ],
        tokens: tokens(30_000n, 29_700n, mint, TOKEN_2022),
      },
      PROGRAM,
    )
    expect(brief(taxed)).toMatchObject([
      { amount: 9900n, order: orderId, position: 0 },
      { amount: 19_800n, order: otherId, position: 1 },
    ])
    const more = read(
      {
        instructions: [depositNative(1000n), transfer(depository, 500n)],
        inner: { 0: [transfer(depository, 1000n)] },
        lamports: { [depository]: [0, 1500] },
      },
      PROGRAM,
    )
    expect(brief(more)).toMatchObject([
      { amount: 1000n, order: orderId, index: 0 },
      { amount: 500n, order: null, index: 1 },
    ])
  })

  test('never more than what arrived', () => {
    const deposit = fc.record({ amount: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }) })
    fc.assert(
      fc.property(
        fc.array(deposit, { minLength: 1, maxLength: 5 }),
        fc.bigInt({ min: 1n, max: 2n ** 64n }),
        (items, arrived) => {
          const deposits = items.map((item, index) => ({
            ...item,
            index,
            currency: mint,
            orderId,
            depositor: user,
            source: user,
          }))
          const { amounts, rest } = shareArrival(deposits, arrived)
          expect(amounts.reduce((sum, amount) => sum + amount, rest)).toBe(arrived)
          for (const [at, amount] of amounts.entries())
            expect(amount >= 0n && rest >= 0n && amount <= (items[at]?.amount ?? 0n) + 5n).toBe(true)
        },
      ),
    )
  })
})
