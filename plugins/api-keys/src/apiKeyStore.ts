import { randomUUID } from 'node:crypto'
import { API_KEYS_CHANNEL, type Clock } from '@causeway/core'
import type { Knex } from 'knex'
import { KEY_VERSION, type KeyVault } from './keyVault.js'
import { ApiKeyModel, IntegratorModel } from './models.js'

export interface ApiKeyStoreDeps {
  readonly db: Knex
  readonly clock: Clock
}

export interface NewKey {
  /** Name of the integrator, made when there is none yet. */
  readonly integrator: string
  readonly label: string | null
  readonly elevated: boolean
  readonly apiKey: string
}

/** Administration of keys. Not for the way of a request: that is `ApiKeyAuth`. */
export class ApiKeyStore {
  readonly #deps: ApiKeyStoreDeps

  constructor(deps: ApiKeyStoreDeps) {
    this.#deps = deps
  }

  /** Stores a key and gives its id. Throws when the key exists already. */
  async create(key: NewKey, vault: KeyVault): Promise<{ readonly id: string; readonly integratorId: string }> {
    const createdAt = new Date(this.#deps.clock.now())
    return this.#deps.db.transaction(async (trx) => {
      await IntegratorModel.query(trx)
        .insert({ id: randomUUID(), name: key.integrator, created_at: createdAt })
        .onConflict('name')
        .ignore()
      const integrator = await IntegratorModel.query(trx).findOne({ name: key.integrator }).throwIfNotFound()
      const id = randomUUID()
      await ApiKeyModel.query(trx).insert({
        id,
        integrator_id: integrator.id,
        version: KEY_VERSION,
        hmac: vault.lookup(key.apiKey),
        ciphertext: vault.seal(id, key.apiKey),
        name: key.label,
        elevated: key.elevated,
        created_at: createdAt,
      })
      return { id, integratorId: integrator.id }
    })
  }

  /** Every key with its integrator, oldest first. */
  async list(): Promise<readonly ApiKeyModel[]> {
    return ApiKeyModel.query(this.#deps.db).withGraphFetched('integrator').orderBy(['created_at', 'id'])
  }

  /** Revokes a key and tells every host. `before` says what it was. */
  async revoke(id: string): Promise<'revoked' | 'already revoked' | 'unknown'> {
    return this.#deps.db.transaction(async (trx) => {
      const changed = await ApiKeyModel.query(trx)
        .patch({ revoked_at: new Date(this.#deps.clock.now()) })
        .where({ id })
        .whereNull('revoked_at')
      if (changed === 0) return (await ApiKeyModel.query(trx).findById(id)) ? 'already revoked' : 'unknown'
      await trx.raw('select pg_notify(?, ?)', [API_KEYS_CHANNEL, id])
      return 'revoked'
    })
  }
}
