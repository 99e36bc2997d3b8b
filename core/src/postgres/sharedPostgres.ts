import pg from 'pg'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  STARTER_SETTING,
  startEmbeddedPostgres,
} from './embeddedPostgres.js'
import { isAlive } from './serverProcess.js'

/** Key of the advisory lock that every user of a server holds shared; who gets it alone is the last one. */
const USE_LOCK = 7_160_317
const USE_NAME = 'causeway use'
const TRIES = 5
const RETAKE_MS = 250

/** A use of an embedded server, one of perhaps many. */
export interface PostgresUse extends Pick<EmbeddedPostgres, 'url' | 'dataDir' | 'adopted'> {
  /** Ends the use; the server stops with its last user. */
  leave(): Promise<void>
}

export interface PostgresUseOptions extends EmbeddedPostgresOptions {
  /**
   * A server that ran without any user when it was found, left behind by a process that was killed, is left running by this
   * use: for what comes and goes beside a host that is to come back.
   */
  readonly leavesOrphan?: boolean
}

/**
 * Uses the embedded PostgreSQL of a data folder together with other processes: starts it where none runs, and stops it with the
 * last user, whoever started it. Each user holds a lock in the server itself for as long as it is connected, so one that is
 * killed counts no more. Throws as `startEmbeddedPostgres` does.
 */
export const useEmbeddedPostgres = async (options: PostgresUseOptions = {}): Promise<PostgresUse> => {
  for (let tries = 1; ; tries += 1) {
    const server = await startEmbeddedPostgres(options)
    const use = await ServerUse.take(server)
    if (use !== null) {
      const orphan = server.adopted && !use.together && options.leavesOrphan === true
      const { url, dataDir, adopted } = server
      return { url, dataDir, adopted, leave: () => use.leave(orphan) }
    }
    // Its last user stopped it in this very moment.
    if (tries === TRIES) throw new Error(`PostgreSQL on ${server.dataDir} stops again and again.`)
  }
}

/** The connection that holds the lock. */
class ServerUse {
  /** Somebody else used the server when this use began. */
  readonly together: boolean
  readonly #server: EmbeddedPostgres
  #client: pg.Client
  #left = false

  private constructor(server: EmbeddedPostgres, client: pg.Client, together: boolean) {
    this.#server = server
    this.#client = client
    this.together = together
    this.#guard(client)
  }

  /** Null when the server is stopping, or gone. */
  static async take(server: EmbeddedPostgres): Promise<ServerUse | null> {
    const client = await connect(server)
    if (client === null) return null
    try {
      const company = await hasCompany(client)
      // Whoever gets it alone is alone; held together with its own shared one it keeps nobody waiting.
      const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [USE_LOCK])
      await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
      const alone = rows[0]?.alone === true
      if (alone) await client.query('select pg_advisory_unlock($1)', [USE_LOCK])
      return new ServerUse(server, client, company || !alone)
    } catch {
      await client.end().catch(() => undefined)
      return null
    }
  }

  /** Stops the server when nobody else uses it; `leaveRunning` leaves it in any case. */
  async leave(leaveRunning: boolean): Promise<void> {
    if (this.#left) return
    this.#left = true
    const last = await this.#isLast()
    if (last && !leaveRunning) await this.#server.stop()
    await this.#client.end().catch(() => undefined)
  }

  /** Newcomers wait for the lock from here on, and start a server of their own when this one goes. */
  async #isLast(): Promise<boolean> {
    try {
      await this.#client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
      const { rows } = await this.#client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
        USE_LOCK,
      ])
      return rows[0]?.last === true
    } catch {
      return false
    }
  }

  /** A server that came up again after a crash of its own has forgotten its users. */
  #guard(client: pg.Client): void {
    client.once('end', () => {
      if (!this.#left) void this.#retake()
    })
  }

  async #retake(): Promise<void> {
    while (!this.#left) {
      await new Promise((resolve) => setTimeout(resolve, RETAKE_MS).unref())
      const client = await connect(this.#server)
      if (client === null) continue
      const taken = await client
        .query('select pg_advisory_lock_shared($1)', [USE_LOCK])
        .then(() => true)
        .catch(() => false)
      if (!taken || this.#left) {
        await client.end().catch(() => undefined)
        continue
      }
      this.#client = client
      return this.#guard(client)
    }
  }
}

/**
 * Whether somebody uses the server who may hold no lock at this moment: whoever started it and has not come to take it yet, or
 * one who is leaving and counts on a newcomer to be the last.
 */
const hasCompany = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ starter: string | null; others: boolean }>(
    `select current_setting($1, true) as starter, exists (
       select from pg_stat_activity where application_name = $2 and pid <> pg_backend_pid()) as others`,
    [STARTER_SETTING, USE_NAME],
  )
  const [row] = rows
  return row !== undefined && (row.others || (row.starter !== null && isAlive(Number(row.starter))))
}

/** Null when nothing lets it in. It keeps no process alive, and loses nobody anything when it breaks. */
const connect = async ({ url }: EmbeddedPostgres): Promise<pg.Client | null> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: USE_NAME,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch {
    await client.end().catch(() => undefined)
    return null
  }
}
