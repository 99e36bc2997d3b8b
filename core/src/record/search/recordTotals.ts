import type { Pool } from 'pg'
import type { RecordField, RecordQuery } from './recordQuery.js'
import { SqlWriter } from './sqlWriter.js'
import { StatementNames } from './statementNames.js'

const names = new StatementNames('record_total')

const COLUMNS: Partial<Record<RecordField, string>> = {
  status: 'status',
  originChainId: 'origin_chain_id',
  destinationChainId: 'destination_chain_id',
}

const isFree = ({ ranges, features, groups, children, integratorId }: RecordQuery): boolean =>
  integratorId === undefined &&
  groups.length === 0 &&
  features === undefined &&
  !children &&
  Object.values(ranges).every((range) => range === undefined)

/** Whether the number of requests is kept: unfiltered, by status, by chains. */
export const countable = (query: RecordQuery): boolean =>
  isFree(query) && query.conditions.every(({ field, values }) => COLUMNS[field] !== undefined && values !== null)

/** The kept number: what was folded into the counts and what was not yet, in one snapshot, so it is exact. */
export const countedTotal = async (pool: Pool, query: RecordQuery): Promise<number> => {
  const sql = new SqlWriter()
  const hidden = sql.bind(query.hiddenChains, 'bigint[]')
  const where = query.conditions.map(({ field, not, values }) => {
    const column = COLUMNS[field] ?? 'status'
    const [type, usable] =
      column === 'status' ? ['text', values ?? []] : ['bigint', (values ?? []).filter((v) => /^[0-9]{1,16}$/.test(v))]
    return `${not ? 'not ' : ''}${sql.isOneOf(column, usable, type)}`
  })
  const all = [`origin_chain_id <> all(${hidden})`, `destination_chain_id <> all(${hidden})`, ...where].join(' and ')
  const text = `select ((select coalesce(sum(total), 0) from request_counts where ${all})
      + (select coalesce(sum(change), 0) from request_count_changes where ${all}))::text as total`
  const { rows } = await pool.query<{ total: string }>(names.named(text, sql.values))
  return Number(rows[0]?.total ?? 0)
}

/** Folds changes into the counts; hosts may do it at the same time. Statuses that requests have left meanwhile change no count. */
export const foldCounts = async (pool: Pool): Promise<void> => {
  await pool.query(`with gone as (
      delete from request_count_changes where id in (select id from request_count_changes order by id limit 20000 for update skip locked)
      returning status, origin_chain_id, destination_chain_id, change
    )
    insert into request_counts as c (status, origin_chain_id, destination_chain_id, total)
    select status, origin_chain_id, destination_chain_id, sum(change) from gone
    group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
    on conflict (status, origin_chain_id, destination_chain_id) do update set total = c.total + excluded.total`)
}
