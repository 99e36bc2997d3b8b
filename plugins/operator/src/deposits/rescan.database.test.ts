import type { ChainAdapter, DepositEvent, WatchPage } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { type Chain, ChainRegistry } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { rescanCommand } from './rescanCommand.js'

let database: TestDatabase
let hinted: string[] = []
let printed: string[] = []
let asked: unknown[] = []

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query(
    `insert into chain_cursors (chain_id, cursor, height, tip, updated_at) values (1, '{}', 500, 510, now())`,
  )
})
afterAll(() => database.drop())
beforeEach(() => {
  hinted = []
  printed = []
  asked = []
})

const depositOf = (id: string, height: bigint): DepositEvent => ({
  state: 'included',
  tx: { id },
  position: 0,
  index: 0,
  orderId: null,
  depositor: 'user',
  depository: 'depository',
  money: { currency: 'coin', amount: 5n },
  block: { height, hash: 'h', time: 1 },
  txData: { from: 'user', to: 'depository', data: '', value: '5' },
  fee: 1n,
})

const store = async (id: string) => {
  await database.pool.query(
    `insert into deposits (chain_id, tx_id, position, onchain_id, depositor, depository, currency, amount, block_height, block_hash,
       block_time, state, parked_reason, created_at)
     values (1, $1, 0, sha256(convert_to($1::text, 'UTF8')), 'user', 'depository', 'coin', 5, 200, 'h', now(), 'included', 'unknown order id', now())
     on conflict do nothing`,
    [id],
  )
}

const page = (height: bigint, ...deposits: DepositEvent[]): WatchPage => ({
  deposits,
  cursor: null,
  height,
  tip: 510n,
  rewoundTo: null,
})

/** A chain that shows one deposit below a range, two in it and one above. */
const shown: Pick<ChainAdapter, 'cursorAt' | 'watch'> = {
  cursorAt: async (height) => ({ at: height.toString() }),
  async *watch(cursor) {
    asked.push(cursor)
    yield page(199n, depositOf('below', 199n))
    yield page(250n, depositOf('known', 200n), depositOf('hidden', 250n))
    yield page(320n, depositOf('hidden', 250n), depositOf('above', 301n))
    throw new Error('The range has ended.')
  },
}

const run = (adapter: Pick<ChainAdapter, 'cursorAt' | 'watch'>, options: Record<string, string>, hint = store) => {
  // CAST: nothing else of a chain is asked.
  const chain = { config: { id: 1, slug: 'harbor' }, adapter } as unknown as Chain
  const command = rescanCommand({
    pool: database.pool,
    chains: new ChainRegistry([chain]),
    withChain: (_, work) => work(),
    hints: {
      hint: (chainId, txId, caller) => {
        hinted.push(`${chainId} ${txId} ${caller}`)
        hint(txId).catch(() => undefined)
      },
    },
    patienceMs: 1_000,
  })
  return command.run({ arguments: [], options, print: (line) => printed.push(line) })
}

const RANGE = { chain: 'harbor', from: '200', to: '300' }

it('names what a range holds and is not stored to the watcher, and says when it is stored', async () => {
  await store('known')
  await run(shown, RANGE)
  expect(asked).toEqual([{ at: '200' }])
  expect(hinted).toEqual(['1 hidden trusted'])
  expect(printed).toEqual([
    'Stored: hidden, 5 of coin, no order id',
    'Blocks 200 to 300 of harbor hold 2 deposits; 1 of them was not stored.',
  ])
  await run(shown, { ...RANGE, chain: '1' })
  expect(printed.at(-1)).toBe('Blocks 200 to 300 of harbor hold 2 deposits; 0 of them were not stored.')
})

it('takes a long range up in parts: what a part lacks is stored before the next page is read', async () => {
  const parts = [0, 1].map((at) => Array.from({ length: 500 }, (_, place) => `part ${at} ${place}`))
  await Promise.all(parts.flatMap((ids) => ids.slice(1).map(store)))
  const storedAtPage: number[] = []
  const long: typeof shown = {
    ...shown,
    async *watch() {
      for (const ids of [...parts, []]) {
        const { rows } = await database.pool.query(`select from deposits where tx_id like 'part %'`)
        storedAtPage.push(rows.length)
        yield page(ids.length === 0 ? 300n : 210n, ...ids.map((id) => depositOf(id, 210n)))
      }
    },
  }
  await run(long, RANGE)
  expect(storedAtPage).toEqual([998, 999, 1_000])
  expect(hinted).toEqual(['1 part 0 0 trusted', '1 part 1 0 trusted'])
  expect(printed.at(-1)).toBe('Blocks 200 to 300 of harbor hold 1000 deposits; 2 of them were not stored.')
})

it('says what no watcher takes up', async () => {
  const other: typeof shown = {
    ...shown,
    async *watch() {
      yield page(300n, depositOf('lost', 222n))
    },
  }
  await expect(run(other, RANGE, async () => {})).rejects.toThrow(
    /^Not stored after 1 seconds: lost\. Check that a host/,
  )
})

it.each([
  [{ ...RANGE, chain: 'reef' }, /--chain one of: harbor/],
  [{ chain: 'harbor', from: '200' }, /Give --to a height/],
  [{ ...RANGE, from: '0x10' }, /Give --from a height/],
  [{ ...RANGE, from: '301' }, /--from is above --to/],
  [{ ...RANGE, to: '501' }, /has come to 500/],
])('%j is refused', async (options, why) => {
  await expect(run(shown, options)).rejects.toThrow(why)
  expect(asked).toEqual([])
})

it('an adapter without cursors of heights cannot read a range again', async () => {
  await expect(run({ watch: shown.watch }, RANGE)).rejects.toThrow('The adapter of harbor cannot read')
})
