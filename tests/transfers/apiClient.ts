import { setTimeout as delay } from 'node:timers/promises'
import type { PostSignature } from '@causeway/core/testing'
import type { Hex } from 'viem'
import { until } from '../harness/until.js'

/** The parts of a quote's answer that tests read. */
export interface Quote {
  readonly requestId: Hex
  readonly steps: readonly {
    readonly id: string
    readonly kind: string
    readonly depositAddress?: string
    readonly items: readonly { readonly data: unknown }[]
  }[]
  readonly feeSponsorship?: {
    readonly quoted: Readonly<Record<'sponsoredTotal' | 'userPaysTotal', { readonly amount: string }>>
  }
  readonly fees: Readonly<Record<string, { readonly amount: string; readonly amountUsd: string }>>
  readonly details: {
    readonly currencyIn: { readonly amount: string }
    readonly currencyOut: { readonly amount: string; readonly minimumAmount: string; readonly amountUsd: string }
  }
  readonly protocol: { readonly v2: { readonly orderId: Hex } }
}

/** Body of `GET /intents/status/v3`. */
export interface Status {
  readonly status: 'waiting' | 'depositing' | 'pending' | 'submitted' | 'success' | 'failure' | 'refund'
  readonly details: string | null
  readonly failReason: string
  readonly txHashes: readonly string[]
  readonly inTxHashes: readonly string[]
}

interface RecordSide {
  readonly inputCurrency: { readonly amount: string } | null
  readonly outputCurrency: { readonly amount: string } | null
}

/** The parts of a record of `GET /requests/v3` that a transfer reads. */
export interface HistoryRecord {
  readonly id: Hex
  readonly status: Status['status']
  readonly supersededByRequestId: string | null
  readonly depositAddress: { readonly address: string; readonly depositTxHash: string | null } | null
  readonly data: {
    readonly appFees?: { readonly actual?: readonly { readonly recipient: string; readonly amount: string }[] }
    readonly feeSponsorship?: { readonly actual: { readonly sponsorPayment: { readonly amount: string } } | null }
    readonly inTxs: readonly { readonly txHash: string }[]
    readonly outTxs: readonly { readonly txHash: string }[]
    readonly refundCurrencyData: { readonly amount: string } | null
    readonly route: { readonly actual: { readonly origin: RecordSide; readonly destination?: RecordSide } }
  }
}

export interface ApiClientDeps {
  readonly baseUrl: string
  readonly apiKey: string
  /** How often a status is asked for (default 20). */
  readonly pollMs?: number
}

const POLL_MS = 20
const CALL_MS = 30_000
const FINAL: readonly Status['status'][] = ['success', 'failure', 'refund']

/** The public interface of the service, as an integrator calls it. */
export class ApiClient {
  readonly #deps: ApiClientDeps

  constructor(deps: ApiClientDeps) {
    this.#deps = deps
  }

  /** Asks once; a refusal is an answer too. */
  async ask(body: object): Promise<{ readonly status: number; readonly body: Quote; readonly milliseconds: number }> {
    const startedAt = performance.now()
    const response = await this.#call('/quote', { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    const milliseconds = performance.now() - startedAt
    // CAST: the shape is the quote schema's, checked by the plugin's own tests.
    return { status: response.status, body: JSON.parse(text) as Quote, milliseconds }
  }

  /** Asks until the service can quote. @throws Error with any other refusal */
  quote(asked: object): Promise<{ readonly quote: Quote; readonly quoteMs: number }> {
    return until('a quote', async () => {
      const { status, body, milliseconds } = await this.ask(asked)
      if (status === 503) return null
      if (status !== 200) throw new Error(`The quote was refused: ${status} ${JSON.stringify(body)}`)
      return { quote: body, quoteMs: milliseconds }
    })
  }

  /** Asks until the request has ended, through outages of the host. @throws Error after `limitMs` */
  waitForEnd(requestId: Hex, limitMs?: number): Promise<Status & { readonly at: number }> {
    return this.waitFor(requestId, FINAL, limitMs)
  }

  /** Asks until the request has one of the statuses, through outages of the host. @throws Error after `limitMs` */
  async waitFor(
    requestId: Hex,
    wanted: readonly Status['status'][],
    limitMs = 60_000,
  ): Promise<Status & { readonly at: number }> {
    const deadline = performance.now() + limitMs
    let last = 'no answer'
    while (performance.now() < deadline) {
      const status = await this.status(requestId).catch((error: unknown) => String(error))
      if (typeof status !== 'string' && wanted.includes(status.status)) return { ...status, at: performance.now() }
      last = typeof status === 'string' ? status : `${status.status} ${status.failReason} ${status.details ?? ''}`
      await delay(this.#deps.pollMs ?? POLL_MS)
    }
    throw new Error(
      `Request ${requestId} was not ${wanted.join(' or ')} within ${limitMs / 1000} s; last seen: ${last}`,
    )
  }

  /** The record of a request. @throws Error when there is none */
  async record(requestId: Hex): Promise<HistoryRecord> {
    const [record] = await this.#records(`id=${requestId}`)
    if (record === undefined) throw new Error(`There is no record of ${requestId}`)
    return record
  }

  /** Records of all that was paid to an address, the newest first. */
  addressRecords(address: string): Promise<readonly HistoryRecord[]> {
    return this.#records(`depositAddress=${address}&includeChildRequests=true`)
  }

  async #records(query: string): Promise<readonly HistoryRecord[]> {
    const response = await this.#call(`/requests/v3?${query}`)
    // CAST: the shape is the record schema's, checked by the plugin's own tests.
    const { requests } = (await response.json()) as { readonly requests?: readonly HistoryRecord[] }
    if (requests === undefined) throw new Error(`The history of ${query} was refused: ${response.status}`)
    return requests
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

  /** What an operation answers, for who wants no more of it than that it is none of the above. @throws Error with the refusal */
  async json<Answer>(path: string, more: { readonly method?: string; readonly body?: object } = {}): Promise<Answer> {
    const { body, method = body === undefined ? 'GET' : 'POST' } = more
    const response = await this.#call(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${text}`)
    // CAST: the caller names the shape of the operation's schema, checked by its plugin's own tests.
    return JSON.parse(text) as Answer
  }

  /** Posts the signature of a step to the operation that the step names. @throws Error with the refusal */
  readonly postSignature: PostSignature = async ({ endpoint, body }, signature) => {
    await this.json(`${endpoint}?signature=${signature}`, { body: Object(body) })
  }

  /** Whether the host answers. */
  async lives(): Promise<boolean> {
    return this.#call('/lives').then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** What the request is now. @throws Error with the refusal */
  async status(requestId: Hex): Promise<Status> {
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
