import { randomUUID } from 'node:crypto'
import type { Clock, Json } from '@causeway/core'
import {
  API_KEYS_CHANNEL,
  type Deployment,
  type Effect,
  type Keys,
  lockMasterMarks,
  recordAuditIn,
  recordEffectIn,
} from '@causeway/core/plugin'
import type { Knex } from 'knex'
import { UniqueViolationError } from 'objection'
import { isApiKey, keyPrefix, newApiKey } from '../apiKeyFormat.js'
import { ApiKeyModel, IntegratorModel } from '../models.js'
import { integratorName, labelText } from '../shownText.js'
import { StoreRefusal } from '../storeRefusal.js'
import { openKeyRing } from './keyRing.js'
import { KEY_VERSION } from './keyVault.js'
import {
  type Integrator,
  integratorOf,
  type Page,
  type PageRequest,
  pageOf,
  pageSize,
  type StoredApiKey,
  storedKey,
} from './storedKeys.js'

export interface ApiKeyStoreDeps {
  readonly db: Knex
  readonly clock: Clock
  readonly deployment: Pick<Deployment, 'network'>
  /** Needed by what makes and imports keys only. */
  readonly keys: Keys
  /** The most keys of one integrator that are not revoked. Default 50. */
  readonly maxKeys?: number
}

/** Who makes a change, for the audit: `auditActor()` on the command line. */
export interface ByActor {
  readonly actor: string
}

export interface NewKey extends ByActor {
  readonly integratorId: string
  /** 0 to 100 visible characters; null and blank are none. */
  readonly label: string | null
  /** Has the higher rate limits. */
  readonly elevated: boolean
  /** An operator vouches for it. Default false. */
  readonly trusted?: boolean
  /** Of the call that asks for it: a repeat finds the key made, also after a crash. */
  readonly effect?: Effect | undefined
}

const DEFAULT_MAX_KEYS = 50
const EXISTS = 'This key exists already.'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What is no id is not repeated: it may be a key, given in the wrong place. */
const requireId = (id: string, what: string): string => {
  if (!UUID.test(id)) throw new StoreRefusal('unknown', `There is no such ${what}.`)
  return id.toLowerCase()
}

/** `exists` where a unique constraint says so. */
const refuseTwice = async <T>(message: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UniqueViolationError) throw new StoreRefusal('exists', message)
    throw error
  }
}

/**
 * Administration of integrators and keys: every change is in the audit, and every host hears of it. Not for the way of a
 * request: that is `ApiKeyAuth`. Methods throw `StoreRefusal` and write nothing then.
 */
export class ApiKeyStore {
  readonly #deps: ApiKeyStoreDeps

  constructor(deps: ApiKeyStoreDeps) {
    this.#deps = deps
  }

  /** @throws StoreRefusal `invalid`, `exists` */
  async createIntegrator({ name, actor }: ByActor & { readonly name: string }): Promise<Integrator> {
    const row = { id: randomUUID(), name: integratorName(name), created_at: this.#now() }
    return refuseTwice(`There is an integrator "${row.name}" already.`, () =>
      this.#deps.db.transaction(async (trx) => {
        const made = integratorOf(await IntegratorModel.query(trx).insertAndFetch(row))
        await this.#audit(trx, actor, 'integrators create', `integrator ${made.id}`, { name: made.name })
        return made
      }),
    )
  }

  /** By name, those whose name contains `search` in any case. */
  async findIntegrators({
    search = '',
    ...page
  }: PageRequest & { readonly search?: string }): Promise<Page<Integrator>> {
    const { db } = this.#deps
    const limit = pageSize(page)
    const query = IntegratorModel.query(db)
      .whereILike('name', `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`)
      .orderBy('name')
      .limit(limit + 1)
    if (page.after !== undefined) {
      const after = IntegratorModel.query(db).select('name').findById(requireId(page.after, 'integrator'))
      void query.where('name', '>', after)
    }
    return pageOf(await query, limit, integratorOf)
  }

  async findIntegrator(id: string): Promise<Integrator | null> {
    const row = UUID.test(id) ? await IntegratorModel.query(this.#deps.db).findById(id) : undefined
    return row === undefined ? null : integratorOf(row)
  }

  async findIntegratorByName(name: string): Promise<Integrator | null> {
    const row = await IntegratorModel.query(this.#deps.db).findOne({ name: integratorName(name) })
    return row === undefined ? null : integratorOf(row)
  }

  /** Makes a key. Its text is in this answer and never shown again. @throws StoreRefusal `invalid`, `unknown`, `full` */
  async createKey(key: NewKey): Promise<{ readonly id: string; readonly apiKey: string }> {
    const apiKey = newApiKey(this.#deps.deployment.network)
    const id = await this.#insert(key, { apiKey, prefix: keyPrefix(apiKey), action: 'api-keys create' })
    return { id, apiKey }
  }

  /**
   * Stores a key brought from elsewhere: 16 to 128 visible ASCII characters that no key, revoked or not, has here.
   * @throws StoreRefusal `invalid`, `unknown`, `exists`, `full`
   */
  async importKey({ apiKey, ...key }: NewKey & { readonly apiKey: string }): Promise<{ readonly id: string }> {
    if (!isApiKey(apiKey)) throw new StoreRefusal('invalid', 'A key must have 16 to 128 visible ASCII characters.')
    return { id: await this.#insert(key, { apiKey, prefix: null, action: 'api-keys import' }) }
  }

  /** Gives a key another label; none for a blank one. @throws StoreRefusal `invalid`, `unknown` */
  async rename({ id, label, actor }: ByActor & { readonly id: string; readonly label: string | null }): Promise<void> {
    const name = labelText(label)
    await this.#change(id, async (trx, key) => {
      // To patch it changes the row in hand as well.
      const labelBefore = key.name
      if (labelBefore === name) return
      await key.$query(trx).patch({ name })
      await this.#tell(trx, actor, 'api-keys rename', key.id, { label: name, labelBefore })
    })
  }

  /** Revokes a key for good. @throws StoreRefusal `unknown` */
  async revoke({ id, actor }: ByActor & { readonly id: string }): Promise<'revoked' | 'already revoked'> {
    return this.#change(id, async (trx, key) => {
      if (key.revoked_at !== null) return 'already revoked'
      await key.$query(trx).patch({ revoked_at: this.#now() })
      await this.#tell(trx, actor, 'api-keys revoke', key.id, { label: key.name })
      return 'revoked'
    })
  }

  /** Gives a key the higher rate limits, or takes them. @throws StoreRefusal `unknown`, `revoked` */
  async setElevated({ elevated, ...key }: ByActor & { readonly id: string; readonly elevated: boolean }) {
    await this.#setMark(key, { elevated }, elevated ? 'api-keys elevate' : 'api-keys unelevate')
  }

  /** Vouches for a key, or no longer. @throws StoreRefusal `unknown`, `revoked` */
  async setTrusted({ trusted, ...key }: ByActor & { readonly id: string; readonly trusted: boolean }) {
    await this.#setMark(key, { trusted }, trusted ? 'api-keys trust' : 'api-keys distrust')
  }

  async #setMark(
    { id, actor }: ByActor & { readonly id: string },
    mark: { readonly elevated: boolean } | { readonly trusted: boolean },
    action: string,
  ): Promise<void> {
    await this.#change(id, async (trx, key) => {
      if (key.revoked_at !== null) throw new StoreRefusal('revoked', `Key ${key.id} is revoked.`)
      if (Object.entries(mark).every(([name, value]) => Reflect.get(key, name) === value)) return
      await key.$query(trx).patch(mark)
      await this.#tell(trx, actor, action, key.id, {})
    })
  }

  /** Keys, newest first: of one integrator, or of all. */
  async listKeys({
    integratorId,
    ...page
  }: PageRequest & { readonly integratorId?: string }): Promise<Page<StoredApiKey>> {
    const { db } = this.#deps
    const limit = pageSize(page)
    const query = ApiKeyModel.query(db)
      .withGraphFetched('integrator')
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit + 1)
    if (integratorId !== undefined) void query.where({ integrator_id: requireId(integratorId, 'integrator') })
    if (page.after !== undefined) {
      const after = ApiKeyModel.query(db).select('created_at', 'id').findById(requireId(page.after, 'key'))
      void query.where(db.raw('(created_at, id)'), '<', after)
    }
    return pageOf(await query, limit, storedKey)
  }

  async findKey(id: string): Promise<StoredApiKey | null> {
    if (!UUID.test(id)) return null
    const row = await ApiKeyModel.query(this.#deps.db).findById(id).withGraphFetched('integrator')
    return row === undefined ? null : storedKey(row)
  }

  async #insert(
    { integratorId, label, elevated, trusted = false, actor, effect }: NewKey,
    { apiKey, prefix, action }: { readonly apiKey: string; readonly prefix: string | null; readonly action: string },
  ): Promise<string> {
    const id = randomUUID()
    const name = labelText(label)
    const ring = openKeyRing(this.#deps.keys)
    await refuseTwice(EXISTS, () =>
      this.#deps.db.transaction(async (trx) => {
        await this.#makeRoom(trx, requireId(integratorId, 'integrator'))
        const vault = ring.writing(await lockMasterMarks((text) => trx.raw(text), 'share'))
        // Under the other master key no constraint would notice it.
        const twice = await ApiKeyModel.query(trx).whereIn('hmac', ring.lookups(apiKey)).resultSize()
        if (twice > 0) throw new StoreRefusal('exists', EXISTS)
        await ApiKeyModel.query(trx).insert({
          id,
          integrator_id: integratorId,
          version: KEY_VERSION,
          hmac: vault.lookup(apiKey),
          ciphertext: vault.seal(id, apiKey),
          name,
          prefix,
          master_mark: vault.mark,
          elevated,
          trusted,
          created_at: this.#now(),
        })
        await this.#tell(trx, actor, action, id, { integratorId, label: name, elevated, trusted })
        if (effect !== undefined) await recordEffectIn(trx, effect)
      }),
    )
    return id
  }

  /** Keys of one integrator are made one at a time, so that none comes above the limit. */
  async #makeRoom(trx: Knex.Transaction, integratorId: string): Promise<void> {
    const integrator = await IntegratorModel.query(trx).findById(integratorId).forUpdate()
    if (integrator === undefined) throw new StoreRefusal('unknown', `There is no integrator ${integratorId}.`)
    const live = await ApiKeyModel.query(trx)
      .where({ integrator_id: integratorId })
      .whereNull('revoked_at')
      .resultSize()
    const { maxKeys = DEFAULT_MAX_KEYS } = this.#deps
    if (live >= maxKeys) {
      throw new StoreRefusal('full', `An integrator has at most ${maxKeys} keys; revoke one that is not used.`)
    }
  }

  /** Reads a key to change it; nobody else does until `work` is done. */
  async #change<T>(id: string, work: (trx: Knex.Transaction, key: ApiKeyModel) => Promise<T>): Promise<T> {
    const known = requireId(id, 'key')
    return this.#deps.db.transaction(async (trx) => {
      const key = await ApiKeyModel.query(trx).findById(known).forUpdate()
      if (key === undefined) throw new StoreRefusal('unknown', `There is no key ${known}.`)
      return work(trx, key)
    })
  }

  /** The audit, and a notice to every host once the transaction commits. */
  async #tell(
    trx: Knex.Transaction,
    actor: string,
    action: string,
    id: string,
    details: { readonly [key: string]: Json },
  ): Promise<void> {
    await this.#audit(trx, actor, action, `api key ${id}`, details)
    await trx.raw('select pg_notify(?, ?)', [API_KEYS_CHANNEL, id])
  }

  async #audit(
    trx: Knex.Transaction,
    actor: string,
    action: string,
    subject: string,
    details: { readonly [key: string]: Json },
  ): Promise<void> {
    await recordAuditIn(trx, { at: this.#deps.clock.now(), actor, action, subject, details })
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }
}
