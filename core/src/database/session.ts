import pg from 'pg'

/** Choices of a session by its purpose. */
export interface SessionSettings {
  readonly connectionString: string
  readonly applicationName: string
  /** Maximum milliseconds of a statement on the server. Default: no limit. */
  readonly statementMs?: number
  /** Commits do not wait for the disk: the latest writes may be lost when the server stops. Default false. */
  readonly asynchronousCommit?: boolean
  /** A named statement is planned once, whatever its values: for statements made to follow one index. Default false. */
  readonly plansOnce?: boolean
}

/** Settings that values and transactions of the service depend on, whatever the role, the database and the server have. */
export const SESSION: Readonly<Record<string, string>> = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
}

/**
 * The server ends a transaction that is idle for this long. A frozen host, or one that lost its power, otherwise keeps its row
 * locks until TCP gives up, and no other host can take over its lease.
 */
const IDLE_TRANSACTION_MS = 15_000
const ANSWER_MS = 10_000

/** The first table that every deployment has. */
const FIRST_TABLE = 'migrations_core'

/** Whether an operator names the search path in the URL, which is then kept. */
const namesSearchPath = (connectionString: string): boolean => /[?&]options=[^&]*search_path/i.test(connectionString)

/** One statement for all settings. The search path becomes the one schema that holds the tables, or will hold them. */
const SET = `select pg_catalog.set_config(setting.name, setting.value, false)
  from (
    select * from pg_catalog.jsonb_each_text($1::jsonb)
    union all
    select 'search_path', coalesce(
      (select c.relnamespace::pg_catalog.regnamespace::text from pg_catalog.pg_class c
       where c.oid = pg_catalog.to_regclass('${FIRST_TABLE}')),
      pg_catalog.quote_ident(pg_catalog.current_schema()), 'public')
    where not $2::boolean
  ) as setting (name, value)`

/**
 * Gives a new connection the settings of the service, with one statement. They are no startup parameters, since PgBouncer
 * refuses unknown ones. Rejects when the server refuses a setting or is silent for ten seconds.
 */
export const prepareSession = async (client: pg.ClientBase, settings: SessionSettings): Promise<void> => {
  const all = {
    ...SESSION,
    statement_timeout: String(settings.statementMs ?? 0),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_MS),
    ...(settings.asynchronousCommit ? { synchronous_commit: 'off' } : {}),
    ...(settings.plansOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
  }
  const values = [JSON.stringify(all), namesSearchPath(settings.connectionString)]
  const statement = { text: SET, values, query_timeout: ANSWER_MS }
  await client.query(statement)
}

/**
 * Opens one connection outside of any pool, with the settings of all connections. The caller ends it. `timeoutMs` is the maximum
 * time of each answer; default: no limit.
 */
export const openConnection = async ({
  timeoutMs,
  ...settings
}: SessionSettings & { readonly timeoutMs?: number }): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: settings.connectionString,
    application_name: settings.applicationName,
    connectionTimeoutMillis: ANSWER_MS,
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
    keepAlive: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepareSession(client, settings)
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

/** A database or pooler whose sessions the service cannot work with; both texts are for the operator. */
export interface SessionProblem {
  readonly message: string
  readonly remedy: string
}

interface SessionFacts {
  readonly encoding: string
  readonly pid: number
  readonly schema: string
  readonly elsewhere: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

const FACTS = `select pg_backend_pid() as pid, current_setting('server_encoding') as encoding, current_schema()::text as schema,
  array(select n.nspname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = '${FIRST_TABLE}' and c.relkind = 'r' order by 1) as elsewhere,
  (select json_object_agg(name, current_setting(name)) from unnest($1::text[]) as name) as settings`

/**
 * Checks on connections of its own that sessions have the settings of the service, find its tables, and keep their server
 * connection, which a pooler in transaction mode takes from them. Null when they do. Rejects when the database cannot be reached.
 */
export const findSessionProblem = async (connectionString: string): Promise<SessionProblem | null> => {
  const settings = { connectionString, applicationName: 'causeway check' }
  const client = await openConnection(settings)
  try {
    const { rows } = await client.query<SessionFacts>(FACTS, [Object.keys(SESSION)])
    const [facts] = rows
    if (facts === undefined) return null
    const found = otherEncoding(facts) ?? differingSetting(facts) ?? misledPath(facts, connectionString)
    if (found !== null) return found
    // A pooler gives clients process ids of its own.
    const pooled = Reflect.get(client, 'processID') !== facts.pid
    return pooled && (await isShared(client, settings)) ? TRANSACTION_MODE : null
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Texts of users do not fit into another encoding, and statements would fail one by one. */
const otherEncoding = ({ encoding }: SessionFacts): SessionProblem | null =>
  encoding === 'UTF8'
    ? null
    : {
        message: `the encoding of the database is ${encoding}, not UTF8`,
        remedy: 'Make a database with encoding UTF8: createdb --encoding=UTF8 --template=template0 <name>.',
      }

const differingSetting = ({ settings }: SessionFacts): SessionProblem | null => {
  const wrong = Object.entries(SESSION).filter(([name, value]) => settings[name] !== value)
  if (wrong.length === 0) return null
  const shown = wrong.map(([name, value]) => `${name} is "${settings[name]}" instead of "${value}"`).join(', ')
  return {
    message: `sessions do not keep their settings: ${shown}`,
    remedy: 'Use a pooler in session mode that passes on what clients set, or connect to the server itself.',
  }
}

const misledPath = ({ schema, elsewhere }: SessionFacts, connectionString: string): SessionProblem | null => {
  if (elsewhere.length === 0 || elsewhere.includes(schema) || namesSearchPath(connectionString)) return null
  const [holder] = elsewhere
  return {
    message: `the tables of Causeway are in schema "${holder}", and search_path of this role leads to "${schema}"`,
    remedy: `Set it with: alter role <role> set search_path = "${holder}". To begin a second deployment in "${schema}", name it in the URL (?options=-c%20search_path%3D${schema}).`,
  }
}

const TRANSACTION_MODE: SessionProblem = {
  message:
    'the pooler before the database gives server connections to other clients between transactions (transaction mode)',
  remedy:
    'Set pool_mode = session for this database (PgBouncer), or connect to the server itself: locks, notifications and prepared statements need sessions.',
}

const ROUNDS = 3

/** Whether another client gets the server connection of this one while this one is idle. */
const isShared = async (client: pg.Client, settings: SessionSettings): Promise<boolean> => {
  const other = await openConnection(settings)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await pidOf(client)
      // Statement mode refuses transactions altogether.
      const began = await other.query('begin').then(
        () => true,
        () => false,
      )
      if (!began || (await pidOf(other)) === own || (await pidOf(client)) !== own) return true
      await other.query('rollback')
    }
    return false
  } finally {
    await other.end().catch(() => undefined)
  }
}

const pidOf = async (client: pg.Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
