import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '@causeway/core'
import type { DatabasePool, RequestContext } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import type { DashboardSecrets } from '../dashboardSecrets.js'

export interface SessionStoreDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly secrets: DashboardSecrets
  readonly idleMs: number
  readonly sessionMs: number
}

/** A session that is open now, with what its wallet may do now. */
export interface Session {
  readonly id: string
  /** Null where a token of the command line opened it. */
  readonly wallet: string | null
  /** Where the wallet is a contract: its chain; null: it signs by its key. */
  readonly chainId: number | null
  readonly operator: boolean
  readonly integrator: { readonly id: string; readonly name: string } | null
  /** When it began. */
  readonly signedInAt: Date
  readonly expiresAt: Date
}

export interface ListedSession {
  readonly id: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
  readonly clientAddress: string
  readonly userAgent: string | null
}

const MAX_PER_WALLET = 20
const MAX_USER_AGENT = 200
/** A session's last use is written at most so often. */
const SEEN_STEP_MS = 30_000

const OPEN = 'expires_at > $2 and seen_at > $3'

const FIND = `
select s.id, s.wallet, s.created_at, s.seen_at, s.expires_at, w.operator, w.chain_id, i.id as integrator_id, i.name as integrator_name
from dashboard_sessions s
left join dashboard_wallets w on w.address = s.wallet
left join integrators i on i.id = w.integrator_id
where s.hash = $1 and s.expires_at > $2 and s.seen_at > $3`

interface Row {
  readonly id: string
  readonly wallet: string | null
  readonly created_at: Date
  readonly seen_at: Date
  readonly expires_at: Date
  readonly operator: boolean | null
  readonly chain_id: bigint | null
  readonly integrator_id: string | null
  readonly integrator_name: string | null
}

/** Visible ASCII only: it is shown to people and some databases refuse the rest. */
const plainText = (text: string | undefined): string | null =>
  text === undefined ? null : text.replace(/[^ -~]/g, '?').slice(0, MAX_USER_AGENT)

/** Sessions of the management API. The token is known to its browser only; the table has a keyed hash of it. */
export class SessionStore {
  readonly #deps: SessionStoreDeps

  constructor(deps: SessionStoreDeps) {
    this.#deps = deps
  }

  /** Opens a session in the transaction of its sign-in. The oldest of a wallet with too many ends; expired ones go. */
  async open(
    client: PoolClient,
    wallet: string | null,
    { ip, headers }: Pick<RequestContext, 'ip' | 'headers'>,
  ): Promise<{ readonly id: string; readonly token: string }> {
    const now = this.#deps.clock.now()
    await client.query('delete from dashboard_sessions where expires_at <= $1 or seen_at <= $2', [
      new Date(now),
      new Date(now - this.#deps.idleMs),
    ])
    const session = { id: randomUUID(), token: randomBytes(32).toString('base64url') }
    await client.query(
      `insert into dashboard_sessions (id, hash, wallet, created_at, seen_at, expires_at, client_address, user_agent)
       values ($1, $2, $3, $4, $4, $5, $6, $7)`,
      [
        session.id,
        this.#deps.secrets.hash('session', session.token),
        wallet,
        new Date(now),
        new Date(now + this.#deps.sessionMs),
        ip,
        plainText(headers['user-agent']),
      ],
    )
    await client.query(
      `delete from dashboard_sessions where id in (
         select id from dashboard_sessions where wallet is not distinct from $1 and id <> $2
         order by created_at desc, id offset $3)`,
      [wallet, session.id, MAX_PER_WALLET - 1],
    )
    return session
  }

  /** The open session of a token; null when there is none. Counts as a use of it. */
  async find(token: string): Promise<Session | null> {
    const now = this.#deps.clock.now()
    const hash = this.#deps.secrets.hash('session', token)
    const { rows } = await this.#deps.pool.query<Row>(FIND, [hash, ...this.#openAt(now)])
    const [row] = rows
    if (row === undefined) return null
    if (row.seen_at.getTime() < now - SEEN_STEP_MS) {
      await this.#deps.pool.query('update dashboard_sessions set seen_at = $2 where id = $1', [row.id, new Date(now)])
    }
    return {
      id: row.id,
      wallet: row.wallet,
      chainId: row.chain_id === null ? null : Number(row.chain_id),
      operator: row.wallet === null || row.operator === true,
      integrator:
        row.integrator_id === null ? null : { id: row.integrator_id, name: row.integrator_name ?? row.integrator_id },
      signedInAt: row.created_at,
      expiresAt: row.expires_at,
    }
  }

  /** The open sessions of the same wallet, newest first; of one without a wallet only itself. */
  async list(session: Session): Promise<readonly ListedSession[]> {
    const { rows } = await this.#deps.pool.query<ListedSession>(
      `select id, created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt",
         client_address as "clientAddress", user_agent as "userAgent"
       from dashboard_sessions where (wallet = $1 or id = $4) and ${OPEN} order by created_at desc, id`,
      [session.wallet, ...this.#openAt(this.#deps.clock.now()), session.id],
    )
    return rows
  }

  /** Ends one of the sessions that `list` shows, or all without an id; gives their ids. */
  async end(client: PoolClient, session: Session, id?: string): Promise<readonly string[]> {
    const { rows } = await client.query<{ id: string }>(
      `delete from dashboard_sessions where (wallet = $1 or id = $2) and ($3::uuid is null or id = $3) returning id`,
      [session.wallet, session.id, id ?? null],
    )
    return rows.map((row) => row.id)
  }

  #openAt(now: number): readonly [Date, Date] {
    return [new Date(now), new Date(now - this.#deps.idleMs)]
  }
}
