import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'

/** The parts of a quote's answer that the demo reads. */
export interface Quote {
  readonly requestId: Hex
  readonly steps: readonly { readonly items: readonly { readonly data: unknown }[] }[]
  readonly details: {
    readonly currencyIn: { readonly amount: string }
    readonly currencyOut: { readonly amount: string; readonly minimumAmount: string }
  }
}

/** Body of `POST /quote`. */
export interface QuoteBody {
  readonly user: string
  readonly recipient: string
  readonly originChainId: number
  readonly destinationChainId: number
  readonly originCurrency: string
  readonly destinationCurrency: string
  readonly amount: string
  readonly tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT'
  readonly referrer?: string
}

/** Body of `GET /intents/status/v3`. */
export interface Status {
  readonly status: 'waiting' | 'depositing' | 'pending' | 'submitted' | 'success' | 'failure' | 'refund'
  readonly details: string | null
  readonly failReason: string
  readonly txHashes: readonly string[]
}

interface RecordSide {
  readonly inputCurrency: { readonly amount: string } | null
  readonly outputCurrency: { readonly amount: string } | null
}

/** The parts of a record of `GET /requests/v3` that the demo reads. */
export interface HistoryRecord {
  readonly status: Status['status']
  readonly data: {
    readonly inTxs: readonly { readonly txHash: string }[]
    readonly outTxs: readonly { readonly txHash: string }[]
    readonly route: { readonly actual: { readonly origin: RecordSide; readonly destination?: RecordSide } }
  }
}

export interface ApiClientDeps {
  readonly baseUrl: string
  readonly apiKey: string
}

const POLL_MS = 20
const CALL_MS = 10_000
const FINAL: readonly Status['status'][] = ['success', 'failure', 'refund']

/** The public interface of the service, as an integrator calls it. */
export class ApiClient {
  readonly #deps: ApiClientDeps

  constructor(deps: ApiClientDeps) {
    this.#deps = deps
  }

  /** @throws Error with the refusal */
  async quote(body: QuoteBody): Promise<{ readonly quote: Quote; readonly quoteMs: number }> {
    const startedAt = performance.now()
    const response = await this.#call('/quote', { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    const quoteMs = performance.now() - startedAt
    if (!response.ok) throw new Error(`The quote was refused: ${response.status} ${text}`)
    // CAST: the shape is the quote schema's, checked by the plugin's own tests.
    return { quote: JSON.parse(text) as Quote, quoteMs }
  }

  /** Asks every 20 ms until the request has ended, through outages of the host. @throws Error after `limitMs` */
  async waitForEnd(requestId: Hex, limitMs = 60_000): Promise<Status & { readonly at: number }> {
    const deadline = performance.now() + limitMs
    let last = 'no answer'
    while (performance.now() < deadline) {
      const status = await this.#status(requestId).catch((error: unknown) => String(error))
      if (typeof status !== 'string' && FINAL.includes(status.status)) return { ...status, at: performance.now() }
      last = typeof status === 'string' ? status : status.status
      await delay(POLL_MS)
    }
    throw new Error(`Request ${requestId} did not end within ${limitMs / 1000} s; last seen: ${last}`)
  }

  /** The record of a request. @throws Error when there is none */
  async record(requestId: Hex): Promise<HistoryRecord> {
    const response = await this.#call(`/requests/v3?id=${requestId}`)
    // CAST: the shape is the record schema's, checked by the plugin's own tests.
    const { requests = [] } = (await response.json()) as { readonly requests?: readonly HistoryRecord[] }
    const [record] = requests
    if (record === undefined) throw new Error(`There is no record of ${requestId}: ${response.status}`)
    return record
  }

  /** Addresses the solver pays from, by chain. */
  async solvers(): Promise<Map<number, string>> {
    const response = await this.#call('/chains')
    // CAST: the shape is the chains schema's, checked by the plugin's own tests.
    const { chains } = (await response.json()) as {
      readonly chains: readonly { readonly id: number; readonly solverAddresses: readonly string[] }[]
    }
    return new Map(chains.map(({ id, solverAddresses }) => [id, solverAddresses[0] ?? '']))
  }

  /** Whether the host answers. */
  async lives(): Promise<boolean> {
    return this.#call('/lives').then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async #status(requestId: Hex): Promise<Status> {
    const response = await this.#call(`/intents/status/v3?requestId=${requestId}`)
    if (response.status === 429) await delay(1000 * Number(response.headers.get('retry-after') ?? '1'))
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    // CAST: the shape is the status schema's, checked by the plugin's own tests.
    return (await response.json()) as Status
  }

  #call(path: string, more: RequestInit = {}): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'x-api-key': this.#deps.apiKey }
    return fetch(`${this.#deps.baseUrl}${path}`, { headers, signal: AbortSignal.timeout(CALL_MS), ...more })
  }
}
