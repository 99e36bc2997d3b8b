import type { Pool } from 'pg'
import type { Live } from '../chain/address/depositAddresses.js'
import type { DirectRequest } from '../chain/swaps.js'
import { DIRECT_KINDS, liveKindsSql } from '../request/direct/directQuotes.js'

/** Rows read at once. */
const BATCH = 10_000
/** Ids are given before their transactions commit: those of so many before the newest are read again. */
const OVERLAP = 256n

/** Blocks are read a little later than payments are made. */
const GRACE_MS = 3_600_000

const NEWEST = {
  name: 'addresses_newest',
  text: 'select coalesce(max(id), 0)::text as id from deposit_address_places where chain_id = $1',
}

const LIVE = {
  name: 'addresses_live',
  text: `select p.id::text as id, p.account, a.live_until from deposit_address_places p join deposit_addresses a on a.id = p.address_id
    where p.chain_id = $1 and p.id > $2 and a.live_until > to_timestamp($3 / 1000.0) order by p.id limit ${BATCH}`,
}

/** What was given since then, and the kinds of live quotes: by indexes alone, since every page asks. */
const GIVEN = {
  name: 'addresses_given',
  text: `(select p.id::text as id, p.account, null as kind from deposit_address_places p
      where p.chain_id = $1 and p.id > $2 order by p.id limit ${BATCH})
    union all select null, null, l.kind from (${liveKindsSql('$1', '$4', '$3')}) l`,
}

const UNTIL = {
  name: 'addresses_until',
  text: `select max(a.live_until) as until from deposit_address_places p join deposit_addresses a on a.id = p.address_id where p.id = any($1::bigint[])`,
}

interface Place {
  readonly id: string
  readonly account: string
}

interface LiveKind {
  readonly id: null
  readonly kind: DirectRequest['kind'] | null
}

interface LiveDeps {
  readonly pool: Pool
  readonly chainId: number
  readonly now: () => number
}

type Kinds = Parameters<Live['awaits']>[0]

/**
 * The live addresses of a chain in memory, by account, and the kinds of its live quotes that users carry out alone. It grows with the
 * addresses that are given, and forgets them when the last one is over.
 */
export class SqlLive implements Live {
  readonly #deps: LiveDeps
  readonly #accounts = new Set<string>()
  /** The newest place that was read; null before any was. */
  #last: bigint | null = null
  /** Places of the overlap that were taken up, or were over then. */
  #recent: ReadonlySet<string> = new Set()
  /** When the last of those in memory is over. */
  #until = 0
  #kinds: ReadonlySet<string> = new Set()

  constructor(deps: LiveDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#accounts.size
  }

  has(address: string): boolean {
    return this.#accounts.has(address)
  }

  accounts(): Iterable<string> {
    return this.#accounts
  }

  awaits(kinds: Kinds): boolean {
    return kinds.some((kind) => this.#kinds.has(kind))
  }

  async refresh(): Promise<void> {
    const isOver = this.size > 0 && this.#until + GRACE_MS < this.#deps.now()
    if (this.#last === null || isOver) await this.#begin()
    else await this.#takeUp(await this.#given(this.#last))
  }

  /** All that are live. What commits meanwhile is not among the recent ones, and is taken up next. */
  async #begin(): Promise<void> {
    const { pool, chainId, now } = this.#deps
    const { rows } = await pool.query<{ id: string }>({ ...NEWEST, values: [chainId] })
    this.#last = BigInt(rows[0]?.id ?? 0)
    this.#recent = new Set((await this.#given(this.#last)).map(({ id }) => id))
    this.#accounts.clear()
    await inBatches(0n, async (after) => {
      const values = [chainId, after.toString(), now() - GRACE_MS]
      const found = await pool.query<Place & { readonly live_until: Date }>({ ...LIVE, values })
      for (const { account, live_until } of found.rows) {
        this.#accounts.add(account)
        this.#until = Math.max(this.#until, live_until.getTime())
      }
      return found.rows
    })
  }

  /** Places from a little before one on. Sees the kinds on the way. */
  async #given(last: bigint): Promise<readonly Place[]> {
    const { pool, chainId, now } = this.#deps
    return inBatches(last > OVERLAP ? last - OVERLAP : 0n, async (after) => {
      const values = [chainId, after.toString(), now(), DIRECT_KINDS]
      const { rows } = await pool.query<Place | LiveKind>({ ...GIVEN, values })
      this.#kinds = new Set(rows.flatMap((row) => ('kind' in row && row.kind !== null ? [row.kind] : [])))
      return rows.filter((row): row is Place => row.id !== null)
    })
  }

  async #takeUp(places: readonly Place[]): Promise<void> {
    const fresh = places.filter(({ id }) => !this.#recent.has(id))
    if (fresh.length === 0) return
    const { rows } = await this.#deps.pool.query<{ until: Date }>({ ...UNTIL, values: [fresh.map(({ id }) => id)] })
    for (const { account } of fresh) this.#accounts.add(account)
    this.#until = Math.max(this.#until, rows[0]?.until.getTime() ?? 0)
    this.#recent = new Set(places.map(({ id }) => id))
    this.#last = BigInt(places.at(-1)?.id ?? 0)
  }
}

const inBatches = async <Row extends Place>(
  from: bigint,
  read: (after: bigint) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const all: Row[] = []
  for (let after = from; ; after = BigInt(all.at(-1)?.id ?? 0)) {
    const rows = await read(after)
    all.push(...rows)
    if (rows.length < BATCH) return all
  }
}
