import type { Clock } from '@causeway/core'
import { type DatabasePool, type Deployment, HttpError, type Keys, openKnex } from '@causeway/core/plugin'
import type { ApiKeyStore } from '../store/apiKeyStore.js'
import { StoreRefusal } from '../storeRefusal.js'

export interface LazyKeyStoreDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly deployment: Deployment
  readonly keys: Keys
  readonly maxKeys: number
  /** Ends the connections. */
  readonly signal: AbortSignal
}

/** The store of keys for calls of the management API: opened by the first, since its libraries are slow to load. */
export class LazyKeyStore {
  readonly #deps: LazyKeyStoreDeps
  #store: Promise<ApiKeyStore> | undefined

  constructor(deps: LazyKeyStoreDeps) {
    this.#deps = deps
  }

  /** Runs `work`; what the store refuses becomes an `HttpError` with its reason. */
  async use<T>(work: (store: ApiKeyStore) => Promise<T>): Promise<T> {
    this.#store ??= this.#open()
    const store = await this.#store
    try {
      return await work(store)
    } catch (error) {
      if (error instanceof StoreRefusal) throw new HttpError(error.status, error.message, { cause: error })
      throw error
    }
  }

  async #open(): Promise<ApiKeyStore> {
    const { pool, clock, deployment, keys, maxKeys, signal } = this.#deps
    const { ApiKeyStore: Store } = await import('../store/apiKeyStore.js')
    const db = openKnex(pool)
    signal.addEventListener('abort', () => void db.destroy(), { once: true })
    return new Store({ db, clock, deployment, keys, maxKeys })
  }
}
