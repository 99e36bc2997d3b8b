import { readFileSync } from 'node:fs'
import { Cell, loadTransaction } from '@ton/core'
import { expect, it } from 'vitest'
import { JettonWallets } from '../read/jettonWallets.js'
import type { AccountState, TonApi, TonNode } from '../rpc/tonApi.js'
import { laneReading } from './accountReading.js'

const ACCOUNT = `0:${'11'.repeat(32)}`
const file = new URL('../testing/engine/fixtures/transactions.json', import.meta.url)
// CAST: the recorded transactions, whose sources the file names.
const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly transactions: readonly { readonly name: string; readonly boc: string }[]
}
const boc = transactions.find(({ name }) => name === 'transaction')?.boc ?? ''
/** A transaction of an account that had code. */
const active = loadTransaction(Cell.fromBase64(boc).beginParse())

const last = { lt: active.lt, hash: active.hash().toString('hex') }
const EMPTY: AccountState = { balance: 5n, status: 'uninitialized', code: null, data: null, last: null }

const read = (state: Partial<AccountState>) => {
  const api = {
    newest: async () => ({ height: 1n, hash: '', time: 1, genesis: '' }),
    account: async () => ({ ...EMPTY, ...state }),
    transactions: async () => [active],
  }
  // CAST: the questions of a reading are all that is asked.
  const asked = api as unknown as TonApi
  const ask: TonNode['ask'] = (question) => question(asked, new AbortController().signal)
  // CAST: a node is only asked here.
  const node = { ask } as unknown as TonNode
  const rules = { wallets: new JettonWallets([]), depositAccount: null }
  return laneReading(rules).read(node, { account: ACCOUNT, attempts: [] })
}

it('a wallet that is new begins with number 0, and one that does not exist has none', async () => {
  expect((await read({})).next).toEqual({ final: 0n, newest: 0n })
  expect((await read({ balance: 0n })).next).toBe(null)
})

it('dust that a wallet got before its first request is read once', async () => {
  // An account without code: nothing but its status and its number matters.
  const dust = {
    ...active,
    oldStatus: 'uninitialized',
    endStatus: 'uninitialized',
    lt: 9n,
    prevTransactionLt: 0n,
  } as const
  let count = 0
  const api = {
    newest: async () => ({ height: 1n, hash: '', time: 1, genesis: '' }),
    account: async () => ({ ...EMPTY, last: { lt: 9n, hash: '' } }),
    transactions: async () => {
      count += 1
      return [dust]
    },
  }
  // CAST: the questions of a reading are all that is asked.
  const asked = api as unknown as TonApi
  const ask: TonNode['ask'] = (question) => question(asked, new AbortController().signal)
  // CAST: a node is only asked here.
  const node = { ask } as unknown as TonNode
  const reading = laneReading({ wallets: new JettonWallets([]), depositAccount: null })
  for (let look = 0; look < 3; look += 1)
    expect((await reading.read(node, { account: ACCOUNT, attempts: [] })).next).toEqual({ final: 0n, newest: 0n })
  expect(count).toBe(1)
})

it.each<[string, Partial<AccountState>]>([
  ['is frozen', { status: 'frozen', last }],
  ['is active without data', { status: 'active', last }],
  ['had code and lost it', { last }],
])('a wallet that %s shows no number', async (_, state) => {
  await expect(read(state)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
