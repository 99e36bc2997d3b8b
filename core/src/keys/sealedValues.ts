import type { Pool, PoolClient } from 'pg'
import type { MasterPurpose } from '../chain/signer.js'
import type { Keys } from '../container/coreTokens.js'
import { withTransaction } from '../database/pool.js'
import { lockMasterMarks, masterMark } from './databaseMaster.js'
import { openText, sealText } from './sealedText.js'

export interface SealedValuesDeps {
  readonly pool: Pool
  readonly keys: Pick<Keys, 'has' | 'derive'>
}

interface Row {
  readonly id: string
  readonly ciphertext: Buffer
  readonly master_mark: string
}

const MASTERS: readonly MasterPurpose[] = ['master', 'previousMaster']
const boundTo = (id: string): string => `causeway/sealed-values/${id}`

/**
 * Secrets that plugins keep for others, by an id of their choice: a copy of the database shows none. They move to another
 * master key together with the API keys (`reseal`).
 */
export class SealedValues {
  readonly #pool: Pool
  readonly #present: string | null
  /** By the mark of the master key they are derived from. */
  readonly #keys = new Map<string, Uint8Array>()

  /** Without a master key nothing can be sealed or opened. */
  constructor({ pool, keys }: SealedValuesDeps) {
    this.#pool = pool
    this.#present = masterMark(keys)
    for (const master of MASTERS) {
      const mark = masterMark(keys, master)
      if (mark !== null) this.#keys.set(mark, keys.derive('sealed-values/encryption', master))
    }
  }

  /** Stores a text, or another one in its place, in the caller's transaction. */
  async put(client: PoolClient, id: string, text: string): Promise<void> {
    const { current, next } = await lockMasterMarks((query) => client.query(query), 'share')
    const mark = next ?? current ?? this.#present ?? ''
    await client.query(
      `insert into sealed_values (id, ciphertext, master_mark) values ($1, $2, $3)
       on conflict (id) do update set ciphertext = excluded.ciphertext, master_mark = excluded.master_mark`,
      [id, sealText(this.#keyOf(mark), boundTo(id), text), mark],
    )
  }

  async remove(client: PoolClient, id: string): Promise<void> {
    await client.query('delete from sealed_values where id = $1', [id])
  }

  /** Texts by id; ids without one are left out. Throws where one was changed or its master key is not held. */
  async get(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.#read(ids)).map((row) => [row.id, this.#open(row)]))
  }

  /** The same, with null for one that cannot be opened. */
  async tryGet(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    return new Map((await this.#read(ids)).map((row) => [row.id, this.#tryOpen(row)]))
  }

  /** Seals up to `limit` values under the master key of the mark `to`, and gives their number. */
  reseal(to: string, limit: number): Promise<number> {
    return withTransaction(this.#pool, async (client) => {
      const { rows } = await client.query<Row>(
        `select id, ciphertext, master_mark from sealed_values where master_mark <> $1 order by id limit $2 for update`,
        [to, limit],
      )
      const key = this.#keyOf(to)
      await client.query(
        `update sealed_values v set master_mark = $3, ciphertext = n.ciphertext
         from unnest($1::uuid[], $2::bytea[]) as n (id, ciphertext) where v.id = n.id`,
        [rows.map(({ id }) => id), rows.map((row) => sealText(key, boundTo(row.id), this.#open(row))), to],
      )
      return rows.length
    })
  }

  async #read(ids: readonly string[]): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query<Row>({
      name: 'sealed_values_get',
      text: 'select id, ciphertext, master_mark from sealed_values where id = any($1::uuid[])',
      values: [ids],
    })
    return rows
  }

  #tryOpen(row: Row): string | null {
    try {
      return this.#open(row)
    } catch {
      return null
    }
  }

  #open({ id, ciphertext, master_mark }: Row): string {
    return openText(this.#keyOf(master_mark), boundTo(id), ciphertext)
  }

  #keyOf(mark: string): Uint8Array {
    const key = this.#keys.get(mark)
    if (key === undefined) throw new Error('This process does not hold the master key that values are sealed under.')
    return key
  }
}
