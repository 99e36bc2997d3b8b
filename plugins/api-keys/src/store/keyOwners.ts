import { ServiceError } from '@causeway/core'
import type { Caller, KeyOwnership } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { isApiKey } from '../apiKeyFormat.js'
import type { KeyRing } from './keyRing.js'

export interface KeyOwnersDeps {
  readonly pool: Pool
  readonly ring: KeyRing
  /** Milliseconds that only grow. */
  now(): number
}

interface Row {
  readonly id: string
  readonly integrator_id: string
  readonly hmac: Buffer
  readonly name: string | null
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As long as a key is trusted: a rename shows on every host within it. */
const REMEMBER_MS = 5000
const MAX_REMEMBERED = 10_000

const FIND = 'select id, integrator_id, hmac, name from api_keys where id = any($1::uuid[]) or hmac = any($2::bytea[])'
const NAMES = 'select id, name from api_keys where id = any($1::uuid[])'

/** One text for unknown and foreign keys, so that nobody learns which keys there are. */
const notOwned = (): ServiceError => new ServiceError('FORBIDDEN', 'The API key named is not one of yours')

/** Which keys belong to whom. Names of keys are remembered for five seconds: lists of records ask for the same few. */
export class KeyOwners implements KeyOwnership {
  readonly #deps: KeyOwnersDeps
  readonly #names = new Map<string, { readonly name: string | null; readonly until: number }>()

  constructor(deps: KeyOwnersDeps) {
    this.#deps = deps
  }

  async ownedKeyIds(caller: Caller, named: readonly string[]): Promise<readonly string[]> {
    if (caller.kind !== 'integrator' || caller.proxied === true) throw notOwned()
    // The common case: the caller names the key it calls with.
    if (named.every((text) => text.toLowerCase() === caller.apiKeyId)) return named.map(() => caller.apiKeyId)
    const wanted = named.map((text) => this.#wanted(text))
    const rows = await this.#query<Row>('find_named_keys', FIND, [
      wanted.flatMap(({ id }) => (id === null ? [] : [id])),
      wanted.flatMap(({ hmacs }) => hmacs),
    ])
    const own = rows.filter(({ integrator_id }) => integrator_id === caller.integratorId)
    return wanted.map(({ id, hmacs }) => {
      const row = own.find((candidate) => candidate.id === id || hmacs.some((hmac) => hmac.equals(candidate.hmac)))
      if (row === undefined) throw notOwned()
      return row.id
    })
  }

  async keyNames(apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const until = this.#deps.now() + REMEMBER_MS
    const unknown = [...new Set(apiKeyIds)].filter((id) => UUID.test(id) && !this.#isRemembered(id))
    const names = new Map<string, string | null>()
    if (unknown.length > 0) {
      const rows = await this.#query<Pick<Row, 'id' | 'name'>>('find_key_names', NAMES, [unknown])
      if (this.#names.size > MAX_REMEMBERED) this.#names.clear()
      for (const { id, name } of rows) {
        this.#names.set(id, { name, until })
        names.set(id, name)
      }
    }
    for (const id of apiKeyIds) {
      const known = this.#names.get(id)
      if (known !== undefined) names.set(id, known.name)
    }
    return names
  }

  /** Forgets every name: some key changed, or a notice of it may have been lost. */
  forget(): void {
    this.#names.clear()
  }

  /** A text that has the form of an id may be a key all the same: one brought from elsewhere. */
  #wanted(text: string): { readonly id: string | null; readonly hmacs: readonly Buffer[] } {
    return {
      id: UUID.test(text) ? text.toLowerCase() : null,
      hmacs: isApiKey(text) ? this.#deps.ring.lookups(text) : [],
    }
  }

  #isRemembered(id: string): boolean {
    const known = this.#names.get(id)
    return known !== undefined && known.until > this.#deps.now()
  }

  async #query<R extends object>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]> {
    try {
      const { rows } = await this.#deps.pool.query({ name, text, values: [...values] })
      return rows as R[]
    } catch (error) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'API keys cannot be checked now; try again', { cause: error })
    }
  }
}
