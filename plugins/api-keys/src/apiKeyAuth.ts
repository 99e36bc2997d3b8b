import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@causeway/core'
import { ANONYMOUS, type Caller, type IntegratorAuth, invalidApiKey } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { isApiKey } from './apiKeyFormat.js'
import type { KeyRing } from './store/keyRing.js'

type Integrator = Extract<Caller, { kind: 'integrator' }>

export interface ApiKeyAuthDeps {
  readonly pool: Pool
  readonly ring: KeyRing
  /** Ids of keys that are added to calls of browsers, by `Origin`. */
  readonly origins?: ReadonlyMap<string, string>
  /** Milliseconds that only grow. */
  now(): number
  /** Told of every call with a valid key. */
  onUse(apiKeyId: string): void
}

interface Row {
  readonly id: string
  readonly integrator_id: string
  readonly hmac: Buffer
  readonly name: string | null
  readonly elevated: boolean
  readonly trusted: boolean
}

/** How long a key is trusted without asking again: a revocation works within it even where its notice is lost (wire.md H.1). */
const TRUST_MS = 5000
const MAX_TRUSTED = 10_000

const ROW = 'select id, integrator_id, hmac, name, elevated, trusted from api_keys'
const FIND = { name: 'find_api_key', text: `${ROW} where hmac = any($1::bytea[]) and revoked_at is null` }
const FIND_BY_ID = { name: 'find_api_key_by_id', text: `${ROW} where id = $1 and revoked_at is null` }

/**
 * Tells who calls by the key's keyed hash. Valid keys are remembered for at most five seconds; unknown ones never.
 * A key that is unknown, malformed or revoked is `UNAUTHORIZED`; without the database it is `SERVICE_UNAVAILABLE`.
 */
export class ApiKeyAuth implements IntegratorAuth {
  readonly #deps: ApiKeyAuthDeps
  /** By hash under the present master key, or by id where an origin stands for the key; oldest first. */
  readonly #trusted = new Map<string, { readonly caller: Integrator; readonly until: number }>()
  readonly #asked = new Map<string, Promise<Integrator | null>>()
  #generation = 0

  constructor(deps: ApiKeyAuthDeps) {
    this.#deps = deps
  }

  async authenticate(apiKey: string | undefined, origin?: string, purpose: 'call' | 'check' = 'call'): Promise<Caller> {
    if (apiKey === undefined) return this.#proxied(origin)
    if (!isApiKey(apiKey)) throw invalidApiKey()
    const name = this.#deps.ring.lookup(apiKey).toString('base64')
    const caller = this.#accept(this.#remembered(name) ?? (await this.#askOnce(name, () => this.#findByKey(apiKey))))
    if (purpose === 'call') this.#deps.onUse(caller.apiKeyId)
    return caller
  }

  /** A browser of a listed origin calls as that key, everyone else as nobody (wire.md A.1, H.1). */
  async #proxied(origin: string | undefined): Promise<Caller> {
    const id = origin === undefined ? undefined : this.#deps.origins?.get(origin)
    if (id === undefined) return ANONYMOUS
    const caller = this.#remembered(id) ?? (await this.#askOnce(id, () => this.#find(FIND_BY_ID, id)))
    const accepted = this.#accept(caller)
    this.#deps.onUse(accepted.apiKeyId)
    return { ...accepted, proxied: true }
  }

  #accept(caller: Integrator | null): Integrator {
    if (caller === null) throw invalidApiKey()
    return caller
  }

  /** Forgets every key: some key changed, or a notice of it may have been lost. */
  forget(): void {
    this.#generation += 1
    this.#trusted.clear()
    this.#asked.clear()
  }

  #remembered(name: string): Integrator | undefined {
    const known = this.#trusted.get(name)
    return known !== undefined && known.until > this.#deps.now() ? known.caller : undefined
  }

  /** Concurrent calls with one key ask once. */
  #askOnce(name: string, find: () => Promise<Row | undefined>): Promise<Integrator | null> {
    const asked = this.#asked.get(name)
    if (asked !== undefined) return asked
    const asking: Promise<Integrator | null> = this.#ask(name, find).finally(() => {
      if (this.#asked.get(name) === asking) this.#asked.delete(name)
    })
    this.#asked.set(name, asking)
    return asking
  }

  async #ask(name: string, find: () => Promise<Row | undefined>): Promise<Integrator | null> {
    // Counted from before the question, so that a revocation right after it is not outlived.
    const until = this.#deps.now() + TRUST_MS
    const generation = this.#generation
    const row = await find()
    if (row === undefined) return null
    const caller: Integrator = {
      kind: 'integrator',
      integratorId: row.integrator_id,
      apiKeyId: row.id,
      keyName: row.name,
      elevated: row.elevated,
      trusted: row.trusted,
    }
    if (generation === this.#generation) this.#trust(name, { caller, until })
    return caller
  }

  async #findByKey(apiKey: string): Promise<Row | undefined> {
    const hmacs = this.#deps.ring.lookups(apiKey)
    const row = await this.#find(FIND, hmacs)
    return row !== undefined && hmacs.some((hmac) => timingSafeEqual(row.hmac, hmac)) ? row : undefined
  }

  async #find(query: typeof FIND, value: string | readonly Buffer[]): Promise<Row | undefined> {
    try {
      const { rows } = await this.#deps.pool.query<Row>({ ...query, values: [value] })
      return rows[0]
    } catch (error) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'API keys cannot be checked now; try again', { cause: error })
    }
  }

  #trust(name: string, entry: { readonly caller: Integrator; readonly until: number }): void {
    this.#trusted.delete(name)
    this.#trusted.set(name, entry)
    if (this.#trusted.size <= MAX_TRUSTED) return
    const oldest = this.#trusted.keys().next()
    if (!oldest.done) this.#trusted.delete(oldest.value)
  }
}
