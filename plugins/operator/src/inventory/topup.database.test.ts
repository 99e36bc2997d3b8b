import type { Currency } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { capitalPosting, postLedger } from '@causeway/core/money-path'
import { withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OperatorDeps } from '../operatorDeps.js'
import { bookTopup } from './topup.js'
import { topupCommand } from './topupCommand.js'

const CHAIN = 9
// CAST: what a booking looks at of it.
const currency = { chainId: CHAIN, address: '0xc0', symbol: 'C', decimals: 0 } as unknown as Currency

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await open('opening', 1_000)
  await open('opening:0x0b', 5_000)
})
afterAll(() => database.drop())

const open = (event: string, at: number) =>
  withTransaction(database.pool, (client) =>
    postLedger(client, [capitalPosting({ chainId: CHAIN, currency: '0xc0', amount: 1n, event })], at),
  )

/** An order of an operator that moved 5 from one wallet to the other. */
const moved = async (txId: string, signer: string, to: string, at: number): Promise<void> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at)
     values ('send', $1, '\\x01', $2, $3, $4, '0xc0', 5, 'final', to_timestamp($5 / 1000.0), now()) returning id::text as id`,
    [`wallet:${txId}`, CHAIN, signer, to, at],
  )
  await database.pool.query(`insert into payout_generations (payout_id, generation, state) values ($1, 1, 'dead')`, [
    rows[0]?.id,
  ])
  await database.pool.query(
    `insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at)
     values ($1, 1, 1, 'pay', $2, $3, '0x', '{}', 0, 'included', 0, now())`,
    [rows[0]?.id, CHAIN, txId],
  )
}

const topup = (wallet: string, txId: string, amount = 5n) =>
  bookTopup(
    database.pool,
    { wallet, currency, amount, integratorId: null, txId, reason: 'moved', actor: 'tests', checked: true },
    20_000,
  )

it('what an order moved to the next payout wallet is booked by the opening of its lane, and by nothing else', async () => {
  await moved('0x1', '0x0a', '0x0b', 3_000)
  await expect(topup('0x0b', '0x1')).rejects.toThrow('is booked by itself')
})

it('what an order moved back to a wallet whose lane was open before is booked once, by its transaction', async () => {
  await moved('0x2', '0x0b', '0x0a', 9_000)
  await expect(topup('0x0b', '0x2', -5n)).rejects.toThrow('is booked by itself')
  await topup('0x0a', '0x2')
  await expect(topup('0x0a', '0x2')).rejects.toThrow('booked already')
})

it('what an order took out of this very wallet is not put in', async () => {
  await moved('0x3', '0x0a', '0x0a', 9_000)
  await expect(topup('0x0a', '0x3')).rejects.toThrow('is booked by itself')
})

it('a transaction is booked once, however its id is written', async () => {
  const id = 'ab'.repeat(32)
  const adapter = {
    normalizeCurrency: (text: string) => text,
    checkTransactionId: (text: string) =>
      /^[0-9a-f]{64}$/i.test(text) ? { ok: true, canonical: text.toUpperCase() } : { ok: false, form: '64 hex digits' },
    findTransaction: async () => ({ status: 'success' }),
    accountGain: async () => 7n,
  }
  const chain = { config: { id: CHAIN, slug: 'nine', solver: '0x0c' }, adapter }
  // CAST: what the command looks at.
  const deps = {
    pool: database.pool,
    clock: { now: () => 20_000 },
    chains: { all: () => [chain] },
    currencies: { ofChain: () => [currency] },
    withChain: (_chain: unknown, work: () => Promise<unknown>) => work(),
  } as unknown as OperatorDeps
  const book = (tx: string) =>
    topupCommand(deps).run({ arguments: ['nine', 'C', '7'], options: { tx, yes: true }, print: () => undefined })
  await expect(book('not an id')).rejects.toThrow('--tx must be 64 hex digits on nine.')
  await book(id)
  await expect(book(id.toUpperCase())).rejects.toThrow('booked already')
})
