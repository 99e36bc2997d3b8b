import pg from 'pg'
import { type Catalog, type Partition, readCatalog, type Sequence, type Table } from './catalog.js'
import type { Query } from './query.js'

/** All rows of a database's public schema, its sequences and its partitions, as they were once. */
export interface Snapshot {
  /** Rows by table, in the order in which they lie, each as PostgreSQL writes a record; tables without rows are left out. */
  readonly rows: ReadonlyMap<string, readonly string[]>
  readonly sequences: readonly Sequence[]
  readonly partitions: readonly Partition[]
}

/** Reads everything while no other statement runs. */
export const takeSnapshot = async (query: Query): Promise<Snapshot> => {
  const { tables, sequences, partitions } = await readCatalog(query)
  const written = tables.filter((table) => table.written.length > 0).map(({ name }) => name)
  const held = [...(await readRows(query, written))].map(([name, { rows }]) => [name, rows] as const)
  return { rows: new Map(held), sequences, partitions }
}

interface HeldRows {
  readonly name: string
  readonly rows: readonly string[]
  /** They lie as if they had just been written to an empty table, on one page. */
  readonly fresh: boolean
}

const readRows = async (query: Query, names: readonly string[]): Promise<Map<string, HeldRows>> => {
  if (names.length === 0) return new Map()
  const each = names.map(
    (name) =>
      `select ${literal(name)} as name, array_agg(t::text) as rows, max((ctid::text::point)[1]) = count(*) as fresh from ${name} t having count(*) > 0`,
  )
  const read = await query<HeldRows>(each.join(' union all '))
  return new Map(read.map((held) => [held.name, held]))
}

/**
 * Makes the database what it was when the snapshot was taken, while no other statement runs. Tables are truncated and filled anew
 * rather than changed, so that rows lie as if nothing had happened meanwhile and the same seed reads them in the same order.
 */
export const putBack = async (query: Query, snapshot: Snapshot): Promise<void> => {
  const now = await readCatalog(query)
  const kept = await findUnchanged(query, now, snapshot)
  const emptied = now.tables.filter(({ name }) => !kept.has(name)).flatMap(({ written }) => written)
  const statements = [
    ...(emptied.length === 0 ? [] : [`truncate ${emptied.join(', ')} cascade`]),
    ...changePartitions(now, snapshot),
    ...now.tables.filter(({ name }) => !kept.has(name)).flatMap((table) => fill(table, snapshot.rows.get(table.name))),
    ...setSequences(now, snapshot),
  ]
  if (statements.length === 0) return
  // Several statements in one message are one transaction. A replica fires no triggers, so neither checks nor counts what comes back.
  await query([`set local session_replication_role = replica`, ...statements].join(';\n'))
}

/**
 * Empties a database to what it was when `fresh` was taken: after its migrations, and best after the partitions of the day at which
 * runs begin were made, so that they need not be made for each.
 */
export const resetDatabase = putBack

/** Small tables that are as they were need not be written again, but where a truncation could take their rows along. */
const findUnchanged = async (query: Query, now: Catalog, snapshot: Snapshot): Promise<ReadonlySet<string>> => {
  const candidates = now.tables.flatMap(({ name, written, refers }) => {
    const rows = snapshot.rows.get(name)
    return written.length > 0 && !refers && rows !== undefined && rows.length <= SMALL ? [{ name, rows }] : []
  })
  const read = await readRows(
    query,
    candidates.map(({ name }) => name),
  )
  const same = ({ name, rows }: { name: string; rows: readonly string[] }) => {
    const held = read.get(name)
    return held?.fresh === true && held.rows.length === rows.length && held.rows.every((row, at) => row === rows[at])
  }
  return new Set(candidates.filter(same).map(({ name }) => name))
}

/** Most rows of a table that are compared to save writing them. */
const SMALL = 100

const changePartitions = (now: Catalog, then: Snapshot): string[] => {
  const had = new Set(then.partitions.map(({ name }) => name))
  const have = new Set(now.partitions.map(({ name }) => name))
  const dropped = now.partitions.filter(({ name }) => !had.has(name)).map(({ name }) => name)
  return [
    ...(dropped.length === 0 ? [] : [`drop table ${dropped.join(', ')}`]),
    ...then.partitions
      .filter(({ name }) => !have.has(name))
      .map(({ name, parent, bound }) => `create table ${name} partition of ${parent} ${bound}`),
  ]
}

const fill = ({ name, columns }: Table, rows: readonly string[] | undefined): string[] => {
  if (rows === undefined) return []
  const values = rows.map((row) => `(${literal(row)}::${name})`).join(', ')
  const read = columns.map((column) => `(r).${column}`).join(', ')
  return [
    `insert into ${name} (${columns.join(', ')}) overriding system value select ${read} from (values ${values}) v(r)`,
  ]
}

const setSequences = (now: Catalog, then: Snapshot): string[] => {
  const have = new Map(now.sequences.map((sequence) => [sequence.name, sequence]))
  const changed = then.sequences.filter(({ name, value, called }) => {
    const current = have.get(name)
    return current !== undefined && (current.value !== value || current.called !== called)
  })
  if (changed.length === 0) return []
  const calls = changed.map(({ name, value, called }) => `setval(${literal(name)}, ${value}, ${called})`)
  return [`select ${calls.join(', ')}`]
}

const literal = (text: string): string => pg.escapeLiteral(text)
