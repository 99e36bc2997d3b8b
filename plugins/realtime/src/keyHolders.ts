import { ServiceError } from '@causeway/core'
import type { IntegratorAuth } from '@causeway/core/plugin'
import { CLOSE } from './closeCodes.js'
import type { Connection } from './connection.js'

/** Sockets that were opened with a key. Who holds a key that no longer counts is sent away. */
export class KeyHolders {
  readonly #auth: IntegratorAuth
  readonly #holders = new Map<string, Set<Connection>>()
  #last: Promise<void> = Promise.resolve()
  /** A run that has not begun. */
  #next: Promise<void> | null = null

  constructor(deps: { readonly auth: IntegratorAuth }) {
    this.#auth = deps.auth
  }

  add(apiKey: string, connection: Connection): void {
    const holders = this.#holders.get(apiKey) ?? new Set()
    this.#holders.set(apiKey, holders.add(connection))
  }

  remove(apiKey: string, connection: Connection): void {
    const holders = this.#holders.get(apiKey)
    holders?.delete(connection)
    if (holders?.size === 0) this.#holders.delete(apiKey)
  }

  /**
   * Asks of every key whether it still counts, one run after the other. Where that cannot be told now, its sockets stay. Never
   * rejects.
   */
  check(): Promise<void> {
    this.#next ??= this.#last = this.#last.then(() => {
      this.#next = null
      return this.#checkAll()
    })
    return this.#next
  }

  async #checkAll(): Promise<void> {
    for (const [apiKey, holders] of [...this.#holders]) {
      if (await this.#isRefused(apiKey)) {
        for (const connection of [...holders]) connection.close(CLOSE.badKey, 'the API key is not valid')
      }
    }
  }

  async #isRefused(apiKey: string): Promise<boolean> {
    try {
      await this.#auth.authenticate(apiKey, undefined, 'check')
      return false
    } catch (error) {
      return isRefusal(error)
    }
  }
}

/** Whether the key is not valid, rather than that nobody could tell. */
export const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === 'UNAUTHORIZED'
