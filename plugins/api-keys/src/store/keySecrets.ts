import type { DatabasePool, KeySecrets } from '@causeway/core/plugin'
import type { KeyRing, SealedKey } from './keyRing.js'

export interface StoredKeySecretsDeps {
  readonly pool: DatabasePool
  readonly ring: KeyRing
  /** Milliseconds that only grow. */
  now(): number
}

/** As long as a key is trusted (wire.md H.1). */
const REMEMBER_MS = 5_000
const MAX_REMEMBERED = 10_000

/** Null for a key that cannot be opened: it was changed, or its master key is not held. Undefined for none, or a revoked one. */
type Secret = string | null | undefined

/** Opens keys for whoever signs with them; each is remembered for five seconds at most. */
export class StoredKeySecrets implements KeySecrets {
  readonly #deps: StoredKeySecretsDeps
  readonly #known = new Map<string, { readonly secret: string | undefined; readonly until: number }>()
  #generation = 0

  constructor(deps: StoredKeySecretsDeps) {
    this.#deps = deps
  }

  async secretsOf(apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const now = this.#deps.now()
    const found = new Map<string, Secret>()
    for (const id of apiKeyIds) {
      const known = this.#known.get(id)
      if (known !== undefined && known.until > now) found.set(id, known.secret)
    }
    const missing = [...new Set(apiKeyIds)].filter((id) => !found.has(id))
    if (missing.length > 0) for (const [id, secret] of await this.#open(missing, now)) found.set(id, secret)
    return new Map([...found].flatMap(([id, secret]) => (secret === undefined ? [] : [[id, secret] as const])))
  }

  /** Forgets every key: some key changed, or a notice of it may have been lost. */
  forget(): void {
    this.#generation += 1
    this.#known.clear()
  }

  async #open(ids: readonly string[], now: number): Promise<ReadonlyMap<string, Secret>> {
    const generation = this.#generation
    const { rows } = await this.#deps.pool.query<SealedKey>({
      name: 'api_key_secrets',
      text: 'select id, version, ciphertext, master_mark from api_keys where id = any($1::uuid[]) and revoked_at is null',
      values: [ids],
    })
    const opened = new Map(rows.map((row) => [row.id, this.#tryOpen(row)]))
    const answer = new Map(ids.map((id) => [id, opened.get(id)]))
    if (generation !== this.#generation) return answer
    if (this.#known.size + ids.length > MAX_REMEMBERED) this.#known.clear()
    for (const [id, secret] of answer) {
      // One that cannot be opened may be at the next look.
      if (secret !== null) this.#known.set(id, { secret, until: now + REMEMBER_MS })
    }
    return answer
  }

  /** One that cannot be opened is its owner's trouble alone. */
  #tryOpen(row: SealedKey): string | null {
    try {
      return this.#deps.ring.open(row)
    } catch {
      return null
    }
  }
}
