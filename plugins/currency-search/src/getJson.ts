import { OutgoingError, type OutgoingGet, type OutgoingHttp } from '@causeway/core/plugin'
import { SourceError } from './sourceState.js'

/** A server and how requests reach it. */
export interface SourceTarget {
  readonly http: OutgoingHttp
  /** Where the paths begin; from `parseTarget`. */
  readonly base: URL
  readonly headers: Readonly<Record<string, string>>
}

export interface JsonDocument {
  readonly etag: string | null
  readonly body: unknown
}

/** Longest tag that is stored and sent back. */
const MAX_ETAG = 256

/** A URL below `base`, whose own query stays. */
export const urlBelow = (base: URL, path: string, query: Readonly<Record<string, string>>): URL => {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/** Gets JSON; null if the server says that `etag` is still current. @throws SourceError */
export const getJson = async (
  http: OutgoingHttp,
  { headers, ...request }: OutgoingGet,
  etag: string | null = null,
): Promise<JsonDocument | null> => {
  const condition = etag === null ? {} : { 'if-none-match': etag }
  const answer = await http
    .get({ ...request, headers: { accept: 'application/json', ...headers, ...condition } })
    .catch((error: unknown) => {
      throw new SourceError(error instanceof OutgoingError ? error.message : 'The request could not be sent')
    })
  const { status, text } = answer
  if (status === 304 && etag !== null) return null
  if (status >= 300 && status < 400) {
    throw new SourceError(`It redirects (HTTP status ${status}). Configure the URL that answers`)
  }
  if (status !== 200) throw new SourceError(`It answered with HTTP status ${status}`)
  const next = answer.etag !== null && answer.etag.length <= MAX_ETAG ? answer.etag : null
  try {
    return { etag: next, body: JSON.parse(text) }
  } catch {
    throw new SourceError('Its answer is not JSON')
  }
}
