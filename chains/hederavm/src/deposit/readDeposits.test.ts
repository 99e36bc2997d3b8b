import { readFileSync } from 'node:fs'
import { parseExactJson } from '@causeway/core/chain-kit'
import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { readTransaction } from '../read/transactions.js'
import type { TransactionJson } from '../rpc/transactions.js'
import { readDeposits } from './readDeposits.js'

const ORDER = `0x${'5a'.repeat(32)}`
const block = { height: 7n, hash: '0x01', time: 1_234_567_890 }
const depository = { depository: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', depositoryId: '0.0.9' }
const TOKEN = '0.0.90000'

type Listed = Readonly<Record<string, unknown>>

const ANSWER = 'GET /api/v1/transactions?account.id=0.0.9&type=credit'

// CAST: what the fixture holds.
const fixture = JSON.parse(
  readFileSync(new URL('../read/fixtures/mirrorTransactions.json', import.meta.url), 'utf8'),
) as {
  readonly [ANSWER]: { readonly transactions: readonly Listed[] }
}
const listed = fixture[ANSWER].transactions

// CAST: an entry of the answer, read as the mirror pool reads it.
const jsonOf = (entry: object) => parseExactJson(JSON.stringify(entry)) as TransactionJson

const deposits = (changes: Listed = {}, sweptAddress: string | null = null) => {
  const json = { ...listed[1], memo_base64: Buffer.from(ORDER).toString('base64'), ...changes }
  return readDeposits({ ...readTransaction(jsonOf(json), block), sweptAddress }, depository)
}

describe('a deposit', () => {
  it('is what another account paid the depository, for the order of its memo', () => {
    expect(deposits()).toMatchObject([
      {
        ...{ state: 'included', tx: { id: '0.0.8@1234567890.000000002' }, position: 0, orderId: ORDER },
        ...{ depositor: '0.0.8', source: '0.0.8', depository: depository.depository, fee: 7n, block },
        money: { currency: NATIVE, amount: 1233n },
      },
    ])
  })

  it('of a token is what arrived, less what collectors got', () => {
    const [transfers] = [listed[2]?.transfers]
    expect(deposits({ transfers, token_transfers: listed[2]?.token_transfers })).toMatchObject([
      { money: { currency: TOKEN, amount: 1000n }, orderId: ORDER, depositor: '0.0.8' },
    ])
  })

  it('has no part in the staking rewards that its transfer paid out', () => {
    // CAST: what the fixture holds.
    const moves = listed[1]?.transfers as readonly { readonly account: string; readonly amount: number }[]
    const raised = moves.map((move) =>
      ['0.0.9', '0.0.8'].includes(move.account) ? { ...move, amount: move.amount + 50 } : move,
    )
    const rewards = ['0.0.8', '0.0.9'].map((account) => ({ account, amount: 50, is_approval: false }))
    const transfers = [...raised, { account: '0.0.800', amount: -100, is_approval: false }]
    expect(deposits({ transfers, staking_reward_transfers: rewards })).toMatchObject([
      { money: { amount: 1233n }, depositor: '0.0.8', source: '0.0.8' },
    ])
  })

  it('of a scheduled transaction and of a child has an id of its own', () => {
    expect(deposits({ scheduled: true })[0]?.tx.id).toBe('0.0.8@1234567890.000000002?scheduled')
    expect(deposits({ nonce: 2 })[0]?.tx.id).toBe('0.0.8@1234567890.000000002/2')
  })

  it('keeps every digit of an amount above 2^53', () => {
    const text = JSON.stringify({ ...listed[1], memo_base64: null }).replaceAll('1233', '9007199254740993')
    // CAST: as above.
    const json = parseExactJson(text) as TransactionJson
    const [found] = readDeposits({ ...readTransaction(json, block), sweptAddress: null }, depository)
    expect(found?.money.amount).toBe(9_007_199_254_740_993n)
  })

  it('of a deposit address is of that address', () => {
    expect(deposits({}, '0x0000000000000000000000000000000000abcdef')[0]?.depositor).toMatch(/abcdef$/)
  })

  it('that an allowance moved is of the account whose money it was', () => {
    const transfers = [
      { account: '0.0.8', amount: -7 },
      { account: '0.0.12', amount: -500, is_approval: true },
      { account: '0.0.9', amount: 500 },
      { account: '0.0.3', amount: 7 },
    ]
    expect(deposits({ transfers })).toMatchObject([{ depositor: '0.0.12', source: '0.0.12' }])
  })

  it.each([
    ['no memo', null],
    ['another text', Buffer.from('hello').toString('base64')],
    ['an order id and more', Buffer.from(`${ORDER} fill`).toString('base64')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe]).toString('base64')],
  ])('with %s names no order', (_, memo_base64) => {
    expect(deposits({ memo_base64 })).toMatchObject([{ orderId: null }])
  })

  it('with two credits names no order: which of them is meant would be a guess', () => {
    const found = deposits({ transfers: listed[0]?.transfers, token_transfers: listed[0]?.token_transfers })
    expect(found).toMatchObject([
      { position: 0, orderId: null },
      { position: 1, orderId: null },
    ])
  })
})

describe('no deposit', () => {
  it.each([
    ['a transaction that failed', { result: 'INSUFFICIENT_ACCOUNT_BALANCE' }],
    ['a duplicate', { result: 'DUPLICATE_TRANSACTION' }],
    ['a transfer between other accounts', { transfers: [{ account: '0.0.8', amount: -7 }] }],
    [
      'a payment of the depository',
      {
        transfers: [
          { account: '0.0.9', amount: -500 },
          { account: '0.0.8', amount: 493 },
        ],
      },
    ],
    ['a deleted account that leaves its money', { name: 'CRYPTODELETE' }],
    ['an amount minted for its treasury', { name: 'TOKENMINT' }],
  ])('is %s', (_, changes) => {
    expect(deposits(changes)).toEqual([])
  })
})
