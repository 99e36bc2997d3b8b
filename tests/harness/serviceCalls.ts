import type { Hex } from '@causeway/core'
import { until } from './until.js'

export interface ShownStatus {
  readonly status: string
  readonly txHashes?: readonly string[]
  readonly inTxHashes?: readonly string[]
  readonly failReason?: string
}

/** What an integrator asks of a running service over HTTP; `Quote` is what its tests read of a quote. */
export class ServiceCalls<Quote> {
  readonly #url: string
  readonly #apiKey: string

  constructor({ url, apiKey }: { readonly url: string; readonly apiKey: string }) {
    this.#url = url
    this.#apiKey = apiKey
  }

  async ask(body: object): Promise<{ readonly status: number; readonly body: Quote }> {
    const response = await fetch(`${this.#url}/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.#apiKey },
      body: JSON.stringify(body),
    })
    // CAST: the answer of the service, of which tests read what they know.
    return { status: response.status, body: (await response.json()) as Quote }
  }

  /** Asks until the service can quote. @throws Error with any other refusal */
  quote(body: object): Promise<Quote> {
    return until('a quote', async () => {
      const answer = await this.ask(body)
      if (answer.status === 503) return null
      if (answer.status !== 200) throw new Error(`Quote refused: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    })
  }

  async status(requestId: Hex): Promise<ShownStatus> {
    const response = await fetch(`${this.#url}/intents/status/v3?requestId=${requestId}`)
    // CAST: as above.
    return (await response.json()) as ShownStatus
  }

  waitFor(requestId: Hex, wanted: readonly string[], milliseconds = 60_000): Promise<ShownStatus> {
    return until(
      `${requestId} to be ${wanted.join(' or ')}`,
      async () => {
        const seen = await this.status(requestId).catch(() => null)
        return seen !== null && wanted.includes(seen.status) ? seen : null
      },
      milliseconds,
    )
  }
}
