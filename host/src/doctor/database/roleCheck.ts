import type { Diagnosis } from '@causeway/core/chain'
import type { Pool } from 'pg'

interface RoleFacts {
  readonly role: string
  readonly schema: string | null
  /** Whether it may make tables in the schema, as migrations and partitions do. */
  readonly creates: boolean
  /** Tables of the schema that belong to another role, which may not be altered or dropped. */
  readonly foreign: readonly string[]
}

const FACTS = `select current_user::text as role, current_schema()::text as schema,
  coalesce(has_schema_privilege(current_user, current_schema(), 'CREATE'), false) as creates,
  array(select c.relname::text from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
      and not pg_has_role(current_user, c.relowner, 'USAGE') order by 1 limit 4) as "foreign"`

/** Rights of the database role that hosts work as (day0.md): it makes tables and partitions in its schema, and owns all of them. */
export const checkRole = async (pool: Pool): Promise<Diagnosis> => {
  const { rows } = await pool.query<RoleFacts>(FACTS)
  const [facts] = rows
  const found = { check: 'database role', subject: 'database' }
  if (facts === undefined) return { ...found, state: 'unchecked', message: 'could not be read' }
  const { role, schema, creates, foreign } = facts
  if (!creates)
    return {
      ...found,
      state: 'fault',
      message: `"${role}" may not make tables in schema "${schema ?? ''}": migrations and new partitions fail`,
      remedy: `As the owner of the database: grant create, usage on schema "${schema ?? 'public'}" to "${role}".`,
    }
  if (foreign.length > 0)
    return {
      ...found,
      state: 'fault',
      message: `${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ' and others' : ''} belong to another role than "${role}", which may not change them`,
      remedy: `As that role or a superuser: alter table <name> owner to "${role}", for each of them.`,
    }
  return { ...found, state: 'ok', message: `"${role}" makes and owns the tables of schema "${schema}"` }
}
