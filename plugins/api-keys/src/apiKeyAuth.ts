import { timingSafeEqual } from 'node:crypto'
import { ANONYMOUS, type Caller, type IntegratorAuth, invalidApiKey, ServiceError } from '@causeway/core'
import type { Pool } from 'pg'
import { isApiKey } from './apiKeyFormat.js'
import type { KeyVault } from './keyVault.js'

type Integrator = Extract<Caller, { kind: 'integrator' }>

export interface ApiKeyAuthDeps {
  readonly pool: Pool
  readonly vault: KeyVault
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
}

/** How long a key is trusted without asking again: a revocation works within it even where its notice is lost (wire.md H.1). */
const TRUST_MS = 5000
const MAX_TRUSTED = 10_000

const FIND = `select id, integrator_id, hmac, name, elevated from api_keys where hmac = $1 and revoked_at is null`

/**
 * Tells who calls by the key's keyed hash. Valid keys are remembered for at most five seconds; unknown ones never.
 * A key that is unknown, malformed or revoked is `UNAUTHORIZED`; without the database it is `SERVICE_UNAVAILABLE`.
 */
export class ApiKeyAuth implements IntegratorAuth {
  readonly #deps: ApiKeyAuthDeps
  /** By hash, oldest first. */
  readonly #trusted = new Map<string, { readonly caller: Integrator; readonly until: number }>()
  readonly #asked = new Map<string, Promise<Integrator | null>>()
  #generation = 0

  constructor(deps: ApiKeyAuthDeps) {
    this.#deps = deps
  }

  async authenticate(apiKey: string | undefined): Promise<Caller> {
    if (apiKey === undefined) return ANONYMOUS
    if (!isApiKey(apiKey)) throw invalidApiKey()
    const hmac = this.#deps.vault.lookup(apiKey)
    const caller = this.#remembered(hmac) ?? (await this.#askOnce(hmac))
    if (caller === null) throw invalidApiKey()
    this.#deps.onUse(caller.apiKeyId)
    return caller
  }

  /** Forgets every key: some key changed, or a notice of it may have been lost. */
  forget(): void {
    this.#generation += 1
    this.#trusted.clear()
    this.#asked.clear()
  }

  #remembered(hmac: Buffer): Integrator | undefined {
    const known = this.#trusted.get(hmac.toString('base64'))
    return known !== undefined && known.until > this.#deps.now() ? known.caller : undefined
  }

  /** Concurrent calls with one key ask once. */
  #askOnce(hmac: Buffer): Promise<Integrator | null> {
    const name = hmac.toString('base64')
    const asked = this.#asked.get(name)
    if (asked !== undefined) return asked
    const asking: Promise<Integrator | null> = this.#ask(hmac, name).finally(() => {
      if (this.#asked.get(name) === asking) this.#asked.delete(name)
    })
    this.#asked.set(name, asking)
    return asking
  }

  async #ask(hmac: Buffer, name: string): Promise<Integrator | null> {
    // Counted from before the question, so that a revocation right after it is not outlived.
    const until = this.#deps.now() + TRUST_MS
    const generation = this.#generation
    const row = await this.#find(hmac)
    if (row === undefined || !timingSafeEqual(row.hmac, hmac)) return null
    const caller: Integrator = {
      kind: 'integrator',
      integratorId: row.integrator_id,
      apiKeyId: row.id,
      keyName: row.name,
      elevated: row.elevated,
    }
    if (generation === this.#generation) this.#trust(name, { caller, until })
    return caller
  }

  async #find(hmac: Buffer): Promise<Row | undefined> {
    try {
      const { rows } = await this.#deps.pool.query<Row>({ name: 'find_api_key', text: FIND, values: [hmac] })
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
