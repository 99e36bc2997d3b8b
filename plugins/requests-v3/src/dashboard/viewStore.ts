import { randomUUID } from 'node:crypto'
import type { Clock } from '@causeway/core'
import { type DatabasePool, withTransaction } from '@causeway/core/plugin'

/** Values of a page's filters, by name. */
export type ViewQuery = Readonly<Record<string, string | number | boolean>>

/** What somebody looks for again and again. */
export interface SavedView {
  readonly id: string
  readonly name: string
  readonly page: string
  readonly query: ViewQuery
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type NewView = Pick<SavedView, 'name' | 'page' | 'query'>

/** Most views of one member. */
export const MOST_VIEWS = 50

interface Row {
  readonly id: string
  readonly name: string
  readonly page: string
  readonly query: ViewQuery
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = 'id, name, page, query, created_at, updated_at'

const toView = ({ created_at, updated_at, ...row }: Row): SavedView => ({
  ...row,
  createdAt: created_at,
  updatedAt: updated_at,
})

/** Views that members save for themselves; nobody else sees or changes them. */
export class ViewStore {
  readonly #pool: DatabasePool
  readonly #clock: Clock

  constructor(deps: { readonly pool: DatabasePool; readonly clock: Clock }) {
    this.#pool = deps.pool
    this.#clock = deps.clock
  }

  /** By name. */
  async list(owner: string): Promise<readonly SavedView[]> {
    const { rows } = await this.#pool.query<Row>({
      name: 'saved_views_list',
      text: `select ${COLUMNS} from saved_views where owner = $1 order by lower(name), id limit ${MOST_VIEWS}`,
      values: [owner],
    })
    return rows.map(toView)
  }

  /** Null: the member has as many as anyone may have. */
  async add(owner: string, { name, page, query }: NewView): Promise<SavedView | null> {
    return withTransaction(this.#pool, async (client) => {
      // One at a time for a member, or two together would be one too many.
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`saved views of ${owner}`])
      const { rows } = await client.query<Row>({
        name: 'saved_views_add',
        text: `insert into saved_views (id, owner, name, page, query, created_at, updated_at)
          select $2, $1, $3, $4, $5, $6, $6 where (select count(*) from saved_views where owner = $1) < ${MOST_VIEWS}
          returning ${COLUMNS}`,
        values: [owner, randomUUID(), name, page, JSON.stringify(query), this.#now()],
      })
      return rows[0] === undefined ? null : toView(rows[0])
    })
  }

  /** Null: the member has no such view. */
  async change(owner: string, id: string, { name, page, query }: NewView): Promise<SavedView | null> {
    const { rows } = await this.#pool.query<Row>({
      name: 'saved_views_change',
      text: `update saved_views set name = $3, page = $4, query = $5, updated_at = $6 where owner = $1 and id = $2
        returning ${COLUMNS}`,
      values: [owner, id, name, page, JSON.stringify(query), this.#now()],
    })
    return rows[0] === undefined ? null : toView(rows[0])
  }

  /** False: the member has no such view. */
  async remove(owner: string, id: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: 'saved_views_remove',
      text: 'delete from saved_views where owner = $1 and id = $2',
      values: [owner, id],
    })
    return rowCount === 1
  }

  #now(): Date {
    return new Date(this.#clock.now())
  }
}
