import { withinTime } from '../../clock/withinTime.js'
import { parseExactJson } from './priceJson.js'

export interface PriceApiDeps {
  /** Where the paths begin; it may hold a secret and never shows in an error. */
  readonly url: string
  /** Sent with every request, for example a key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeoutMs: number
}

const MAX_BYTES = 1024 * 1024
const LATE = 'It did not answer in time'

/** Names and values of a query, in order. */
export type PriceQuery = readonly (readonly [name: string, value: string])[]

/** A request to a price source failed. Names neither address nor key. */
export class PriceApiError extends Error {
  override readonly name = 'PriceApiError'
}

/**
 * Reads JSON from a price source over HTTP: one time limit for the whole answer, at most 1 MiB, no redirects (they would
 * take the key elsewhere). Numbers come out as text; see `parseExactJson`. Throws PriceApiError only.
 */
export class PriceApi {
  readonly #deps: PriceApiDeps

  constructor(deps: PriceApiDeps) {
    this.#deps = deps
  }

  async get(path: string, query: PriceQuery, signal?: AbortSignal): Promise<unknown> {
    const text = await withinTime(this.#deps.timeoutMs, (limit) =>
      this.#read(path, query, signal === undefined ? limit : AbortSignal.any([signal, limit])),
    ).catch((error: unknown) => {
      throw error instanceof PriceApiError ? error : new PriceApiError(LATE)
    })
    try {
      return parseExactJson(text)
    } catch {
      throw new PriceApiError('It answered with something that is not JSON')
    }
  }

  async #read(path: string, query: PriceQuery, signal: AbortSignal): Promise<string> {
    const { url, headers = {} } = this.#deps
    const parameters = new URLSearchParams()
    for (const [name, value] of query) parameters.append(name, value)
    try {
      const answer = await fetch(`${url.replace(/\/+$/, '')}${path}?${parameters}`, {
        headers: { accept: 'application/json', ...headers },
        redirect: 'manual',
        signal,
      })
      if (answer.status !== 200) {
        await answer.body?.cancel()
        throw new PriceApiError(`It answered with HTTP status ${answer.status}`)
      }
      return await readText(answer)
    } catch (error) {
      if (error instanceof PriceApiError) throw error
      // What the client says may name address and headers.
      throw new PriceApiError(signal.aborted ? LATE : 'It could not be reached')
    }
  }
}

const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new PriceApiError('Its answer is too large')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

/** `items` in groups of at most `size`. */
export const inGroups = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
