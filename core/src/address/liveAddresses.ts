import type { Pool } from 'pg'
import type { LiveAddresses } from '../chain/address/depositAddresses.js'

/** Rows read at once. */
const BATCH = 10_000
/** Ids are given before their transactions commit: those of so many before the newest are read again. */
const OVERLAP = 256

const LIVE = {
  name: 'addresses_live',
  text: `select p.id::text as id, p.account from deposit_address_places p join deposit_addresses a on a.id = p.address_id
    where p.chain_id = $1 and p.id > $2 and a.live_until > to_timestamp($3 / 1000.0) order by p.id limit ${BATCH}`,
}

/** What was given since then is live; by its index alone, since every page asks. */
const GIVEN = {
  name: 'addresses_given',
  text: `select p.id::text as id, p.account from deposit_address_places p where p.chain_id = $1 and p.id > $2 order by p.id limit ${BATCH}`,
}

/** The live addresses of a chain in memory, by account; grows with those that are given, and forgets those that are over at a restart. */
export class SqlLiveAddresses implements LiveAddresses {
  readonly #pool: Pool
  readonly #chainId: number
  readonly #now: () => number
  readonly #accounts = new Set<string>()
  #last = 0n

  constructor({ pool, chainId, now }: { readonly pool: Pool; readonly chainId: number; readonly now: () => number }) {
    this.#pool = pool
    this.#chainId = chainId
    this.#now = now
  }

  get size(): number {
    return this.#accounts.size
  }

  has(address: string): boolean {
    return this.#accounts.has(address)
  }

  async refresh(): Promise<void> {
    let after = this.#last > BigInt(OVERLAP) ? this.#last - BigInt(OVERLAP) : 0n
    const isFirst = this.#last === 0n
    for (;;) {
      const place = [this.#chainId, after.toString()]
      const { rows } = await this.#pool.query<{ id: string; account: string }>(
        isFirst ? { ...LIVE, values: [...place, this.#now()] } : { ...GIVEN, values: place },
      )
      for (const { account } of rows) this.#accounts.add(account)
      const last = rows.at(-1)
      if (last === undefined) return
      after = BigInt(last.id)
      if (after > this.#last) this.#last = after
      if (rows.length < BATCH) return
    }
  }
}
