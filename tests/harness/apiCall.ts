import { request as httpRequest } from 'node:http'

/** An answer of the service with the time it took. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of `text`; undefined when it is none. */
  readonly body: unknown
  readonly milliseconds: number
}

export interface ApiCall {
  readonly method?: string
  /** Sent as it is when a text, else as JSON. */
  readonly body?: unknown
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A report of the service's own state, which is no error (wire.md 4.14), and errors whose body is fixed (0.4). */
const WITHOUT = /^\/lives\b|^\/app-fees\/[^/]+\/balances\b/

/**
 * The body without the status that every error repeats (wire.md 0.4), which is checked here, once for all tests.
 * @throws Error when an error does not tell its status
 */
const withoutStatusCode = (body: unknown, status: number, path: string): unknown => {
  if (status < 400 || typeof body !== 'object' || body === null || WITHOUT.test(path)) return body
  if (status === 429 && path.startsWith('/requests/v2')) return body
  const { statusCode, ...rest } = body as Readonly<Record<string, unknown>>
  if (statusCode === status) return rest
  throw new Error(`${path} answered ${status}, and its body says ${JSON.stringify(statusCode)}`)
}

/** Calls a path; POST when there is a body. Of an error `body` is without its `statusCode`, `text` is whole. */
export const callApi = async (url: string, path: string, call: ApiCall = {}): Promise<ApiAnswer> => {
  const { body, apiKey, headers } = call
  const started = performance.now()
  const response = await fetch(`${url}${path}`, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const milliseconds = performance.now() - started
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: withoutStatusCode(jsonOf(text), response.status, path),
    milliseconds,
  }
}

/** Posts with exactly these headers, and takes an answer that comes before the body was sent. */
export const postRaw = (
  url: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string; readonly milliseconds: number }> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const request = httpRequest(url, { method: 'POST', headers: { 'content-length': String(body.length), ...headers } })
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        request.destroy()
        resolve({ status: response.statusCode ?? 0, text, milliseconds: performance.now() - started })
      })
      response.on('error', reject)
    })
    // After an answer the rest of a large body has nowhere to go; that is no failure.
    request.on('error', reject)
    request.end(body)
  })

/** The value at a path of names and positions, such as `steps.0.items`; undefined when there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined
    return Reflect.get(inner, name)
  }, value)

/** The text at a path. @throws Error when there is none */
export const textAt = (value: unknown, path: string): string => {
  const text = valueAt(value, path)
  if (typeof text !== 'string') throw new Error(`${path} is ${JSON.stringify(text)}, not a text`)
  return text
}

/** The list at a path. @throws Error when there is none */
export const listAt = (value: unknown, path: string): readonly unknown[] => {
  const list = valueAt(value, path)
  if (!Array.isArray(list)) throw new Error(`${path} is ${JSON.stringify(list)}, not a list`)
  return list
}
