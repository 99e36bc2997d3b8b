import {
  type Chain,
  type Clock,
  type DatabasePool,
  findDirectTerms,
  type Hex,
  pause,
  type QuoteTerms,
  recordExecutions,
  ServiceError,
  withTransaction,
} from '@causeway/core'

export interface DirectReportsDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
  /** Most reports that are looked into at the same time. */
  readonly limit?: number
}

/** A report may come before its block: it is looked for this soon, then ever less often, and this long. */
const LOOK_MS = 500
const MAX_LOOK_MS = 5_000
const GIVE_UP_MS = 120_000
const DEFAULT_LIMIT = 100

/**
 * Looks into transactions that clients report of quotes they execute alone. The first look happens at once; a transaction
 * that is in no block yet is looked for in the background, as long as this process lives: a client that asks again, or
 * another report, starts anew.
 */
export class DirectReports {
  readonly #deps: DirectReportsDeps
  readonly #open = new Map<Hex, AbortController>()

  constructor(deps: DirectReportsDeps) {
    this.#deps = deps
  }

  /** Resolves after the first look; whatever is found of a foreign or unknown quote changes nothing. */
  async take(chain: Chain, requestId: Hex, txId: string): Promise<void> {
    const terms = (await findDirectTerms(this.#deps.pool, [requestId])).get(requestId)
    if (terms === undefined || terms.origin.chainId !== chain.config.id) return
    const known = this.#open.get(requestId)
    if (await this.#look(chain, terms, txId)) {
      known?.abort()
      return
    }
    if (known === undefined && this.#open.size >= (this.#deps.limit ?? DEFAULT_LIMIT)) return
    known?.abort()
    const ended = new AbortController()
    this.#open.set(requestId, ended)
    void this.#follow(chain, terms, txId, ended.signal).finally(() => {
      if (this.#open.get(requestId) === ended) this.#open.delete(requestId)
    })
  }

  /** Ends what still looks. */
  stop(): void {
    for (const ended of this.#open.values()) ended.abort()
  }

  async #follow(chain: Chain, terms: QuoteTerms, txId: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + GIVE_UP_MS
    for (let wait = LOOK_MS; !signal.aborted && performance.now() < until; wait = Math.min(2 * wait, MAX_LOOK_MS)) {
      await pause(wait, signal)
      try {
        if (!signal.aborted && (await this.#look(chain, terms, txId))) return
      } catch (error) {
        this.#deps.log.warn({ requestId: terms.requestId, err: error }, 'A reported transaction could not be recorded')
      }
    }
  }

  /** True when the request is finished by this transaction. */
  async #look(chain: Chain, terms: QuoteTerms, txId: string): Promise<boolean> {
    const { adapter } = chain
    if (adapter.direct === undefined || terms.direct === undefined) return false
    try {
      const execution = await adapter.direct.find(
        { id: txId },
        {
          kind: terms.direct.kind,
          requestId: terms.requestId,
          from: terms.user,
          recipient: terms.recipient,
          money: { currency: terms.origin.currency, amount: terms.amountIn },
          currencyOut: terms.destination.currency,
        },
      )
      if (execution === null) return false
      const { pool, clock } = this.#deps
      await withTransaction(pool, (client) => recordExecutions(client, chain, [execution], clock.now()))
      return true
    } catch (error) {
      if (ServiceError.is(error)) return false
      throw error
    }
  }
}
