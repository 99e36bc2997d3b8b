import { coreMigrations } from '@causeway/core/host'
import { createPool, migrate } from '@causeway/core/plugin'
import { crowd, fundSponsor, timeFills } from '../balances/postings.js'
import { readers, seedEntries } from '../balances/reads.js'
import { measureSponsoredQuotes } from '../balances/sponsoredQuotes.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const CASE = 'v'
const CONNECTIONS = 16

/**
 * (v) Balances of wallets: what they add to the commit of a fill and to a quote, a thousand postings to one of them at once, and reading
 * one that has as many entries as a large ledger.
 */
export const measureBalances = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measureLedger(world)),
  ...(await measureSponsoredQuotes(world)),
]

const measureLedger = async (world: BenchWorld): Promise<Measurement[]> => {
  const url = await world.createDatabase()
  const pool = createPool({ connectionString: url, max: CONNECTIONS, applicationName: 'causeway bench' })
  try {
    await migrate(pool, { packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    const { rounds, balances } = world.scale
    world.say(`balances: writing ${balances.entries} entries`)
    await seedEntries(pool, balances.entries)
    await fundSponsor(pool)
    const contestants = {
      plain: timeFills(pool, balances.samples, false),
      owed: timeFills(pool, balances.samples, true),
      one: crowd(pool, balances.crowd, 'one'),
      debits: crowd(pool, balances.crowd, 'debits'),
      many: crowd(pool, balances.crowd, 'many'),
      ...readers(pool, balances.entries, balances.samples),
    }
    for (const contestant of Object.values(contestants)) await contestant()
    const results = await interleave<string>(rounds, contestants, (round) =>
      world.say(`balances: round ${round + 1} of ${rounds}`),
    )
    return judged((name, key) => results[name]?.[key] ?? Number.NaN, balances)
  } finally {
    await pool.end()
  }
}

const judged = (
  of: (name: string, key: string) => number,
  { entries, crowd: postings }: BenchWorld['scale']['balances'],
): Measurement[] => {
  const at = (name: string) => of(name, 'p50')
  const size = entries.toLocaleString('en')
  const many = {
    unit: '/s',
    case: CASE,
    floor: of('many', 'perSecond'),
    floorIs: 'the same, each to a wallet of its own',
    target: { of: 'value', limit: 300, better: 'more' },
  } as const
  const read = { unit: 'ms', case: CASE, floor: at('lookup'), floorIs: 'a row by its primary key, prepared' } as const
  return [
    {
      case: CASE,
      what: 'growth of a fill’s commit by two earnings and a sponsor, p50',
      unit: 'ms',
      value: at('owed') - at('plain'),
      target: { of: 'value', limit: 2, better: 'less' },
    },
    {
      case: CASE,
      what: 'a fill’s commit with two earnings and a sponsor, p50',
      unit: 'ms',
      value: at('owed'),
      floor: at('plain'),
      floorIs: 'the posting of a fill without',
    },
    { ...many, what: `${postings} postings at once to one wallet`, value: of('one', 'perSecond') },
    { ...many, what: `${postings} postings at once out of one wallet`, value: of('debits', 'perSecond') },
    {
      ...read,
      what: `balance of a wallet with ${size} entries, p50`,
      value: at('balance'),
      target: { of: 'ratio', limit: 3, better: 'less' },
    },
    { ...read, what: `its newest movements, p50`, value: at('newest') },
    { ...read, what: `its movements far down, p50`, value: at('far'), floor: at('newest'), floorIs: 'the newest' },
  ]
}
