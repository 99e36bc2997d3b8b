import { CallError, type NodeRequest } from '@causeway/core/testing'

/** Who may call the nodes, and how often. */
export class Gate {
  /** Key that calls must bring; null: none. */
  apiKey: string | null = null
  #most = Number.POSITIVE_INFINITY
  #used = 0

  /** Maximum number of calls between two blocks, at all nodes together. Null: no limit. */
  setLimit(most: number | null): void {
    this.#most = most ?? Number.POSITIVE_INFINITY
    this.#used = 0
  }

  restart(): void {
    this.#used = 0
  }

  /** Counts a call. @throws CallError as TronGrid refuses calls */
  admit({ headers }: Pick<NodeRequest, 'headers'>): void {
    const isAllowed = this.apiKey === null || headers['tron-pro-api-key'] === this.apiKey
    if (!isAllowed) throw new CallError(401, 'ApiKey not exists')
    this.#used += 1
    if (this.#used <= this.#most) return
    throw new CallError(
      429,
      `The key exceeds the frequency limit(${this.#most}), and the query server is suspended for 5 s`,
    )
  }
}
