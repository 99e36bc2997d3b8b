import type { Query } from './query.js'

/** A table of the public schema that is no partition of another. */
export interface Table {
  readonly name: string
  /** All that can be inserted: generated columns are left out. */
  readonly columns: readonly string[]
  /** What of it was written to since it was truncated, whether or not rows are left: itself, or partitions of it. */
  readonly written: readonly string[]
  /** Its rows go where another table is truncated by cascade. */
  readonly refers: boolean
}

/** A partition with rows of its own. */
export interface Partition {
  readonly name: string
  readonly parent: string
  readonly bound: string
}

export interface Sequence {
  readonly name: string
  readonly value: string
  /** The value was given already; else it comes next. */
  readonly called: boolean
}

/** What there is in the public schema of a database. Names are quoted where they must be. */
export interface Catalog {
  readonly tables: readonly Table[]
  readonly partitions: readonly Partition[]
  readonly sequences: readonly Sequence[]
}

const CATALOG = `
  with recursive r as materialized (
    select c.oid, c.relname, quote_ident(c.relname) as name, c.relkind, c.relispartition, c.relpartbound, i.inhparent as parent
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  ), leaves as (
    select oid as root, oid, name, relkind from r where not relispartition
    union all select leaves.root, r.oid, r.name, r.relkind from leaves join r on r.parent = leaves.oid
  ), written as materialized (
    select root, json_agg(name order by name) as names from leaves where relkind = 'r' and pg_relation_size(oid) > 0 group by root
  ), columns as materialized (
    select attrelid, json_agg(quote_ident(attname) order by attnum) as names from pg_attribute
    where attrelid in (select oid from r where not relispartition) and attnum > 0 and not attisdropped and attgenerated = '' group by 1
  )
  select
    (select json_agg(json_build_object('name', r.name, 'columns', c.names, 'written', coalesce(w.names, '[]'),
        'refers', r.oid in (select conrelid from pg_constraint where contype = 'f')) order by r.relname)
      from r left join columns c on c.attrelid = r.oid left join written w on w.root = r.oid where not r.relispartition) as tables,
    (select coalesce(json_agg(json_build_object('name', r.name, 'parent', r.parent::regclass::text, 'bound', pg_get_expr(r.relpartbound, r.oid))
        order by r.relname), '[]') from r where r.relispartition and r.relkind = 'r') as partitions,
    (select coalesce(json_agg(json_build_object('name', quote_ident(s.sequencename), 'value', coalesce(s.last_value, s.start_value)::text,
        'called', s.last_value is not null) order by s.sequencename), '[]') from pg_sequences s where s.schemaname = 'public') as sequences`

/** Reads it in one round trip. */
export const readCatalog = async (query: Query): Promise<Catalog> => {
  const [catalog] = await query<Catalog>(CATALOG, [], 'simulation_catalog')
  if (catalog === undefined) throw new Error('A statement without conditions gives one row')
  return catalog
}
