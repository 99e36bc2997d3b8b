import { readAppBalances, readMovements } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { type Contestant, percentile } from '../rounds.js'

const RICH = `0x${'77'.repeat(20)}`
const INTEGRATOR = 'bench'
const PAGE = 50

/** A wallet with so many entries, written past the ledger's functions, which would take an hour for them; and what a look-up finds. */
export const seedEntries = async (pool: Pool, entries: number): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local session_replication_role = 'replica'`)
    await client.query(
      `insert into ledger_transactions (cause, event, posted_at) select 'deposit:' || n, 'seeded', now() from generate_series(1, $1::integer) n`,
      [entries],
    )
    await client.query(
      `insert into ledger_entries (transaction_id, account, chain_id, currency, amount, holder)
       select t.id, e.account, 7, 'usd', e.amount, e.holder from ledger_transactions t
       cross join (values ('app', -1, $1), ('capital', 1, null)) e(account, amount, holder) where t.event = 'seeded'`,
      [RICH],
    )
    await client.query(
      `insert into app_balances (holder, account, chain_id, currency, slot, amount)
       select $1, 'app', 7, 'usd', slot, count(*) from (
         select app_slot(cause) as slot from ledger_transactions where event = 'seeded') s group by slot`,
      [RICH],
    )
    // Beside others, as where it is read in earnest: a table of one wallet is read whole.
    await client.query(
      `insert into app_balances (holder, account, chain_id, currency, slot, amount)
       select '0x' || lpad(to_hex(n), 40, '0'), 'app', 7, 'usd', slot, n from generate_series(1, 2000) n, generate_series(0, 3) slot`,
    )
    await client.query('insert into funding_wallets (integrator_id, wallet, linked_at) values ($1, $2, now())', [
      INTEGRATOR,
      RICH,
    ])
    await client.query('commit')
  } finally {
    client.release()
  }
  await pool.query('vacuum analyze ledger_entries')
  await pool.query('vacuum analyze ledger_transactions')
  await pool.query('vacuum analyze app_balances')
}

const timed =
  (samples: number, work: (sample: number) => Promise<unknown>): Contestant =>
  async () => {
    const times = new Float64Array(samples)
    for (let index = 0; index < samples; index += 1) {
      const startedAt = performance.now()
      await work(index)
      times[index] = performance.now() - startedAt
    }
    times.sort()
    return { p50: percentile(times, 0.5) }
  }

/** The balance of that wallet, its newest movements and some far down, and the floor: a row by its primary key. */
export const readers = (pool: Pool, entries: number, samples: number): Readonly<Record<string, Contestant>> => {
  const lookup = { name: 'bench_lookup', text: 'select wallet from funding_wallets where integrator_id = $1' }
  const far = String(Math.floor(entries / 100))
  return {
    lookup: timed(samples, () => pool.query({ ...lookup, values: [INTEGRATOR] })),
    balance: timed(samples, async () => {
      const [found] = await readAppBalances(pool, RICH)
      if (found?.app !== BigInt(entries)) throw new Error('The balance is not what was written')
    }),
    newest: timed(samples, () => readMovements(pool, { wallet: RICH, entries: PAGE })),
    far: timed(samples, () => readMovements(pool, { wallet: RICH, before: far, entries: PAGE })),
  }
}
