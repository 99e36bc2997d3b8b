import { texts } from '../texts/texts.js'

/** What went wrong with a call, in words that may be shown as they are. `status` 0: nobody answered. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  constructor(
    message: string,
    readonly status: number,
    /** Where the answer has one, for example `SIGN_IN_AGAIN`. */
    readonly code: string | null,
  ) {
    super(message)
  }
}

type QueryValue = string | number | boolean | null | undefined

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Empty values are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Kept in memory alone: whoever loads the page again asks for it again. */
let csrfToken: string | null = null
export const rememberCsrfToken = (token: string | null): void => {
  csrfToken = token
}

const endings = new Set<() => void>()
/** Called when an answer says that nobody is signed in any more. */
export const onSessionEnd = (listener: () => void): (() => void) => {
  endings.add(listener)
  return () => endings.delete(listener)
}

export const withQuery = (path: string, query: CallOptions['query'] = {}): string => {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') asked.set(name, String(value))
  }
  const text = asked.toString()
  return text === '' ? path : `${path}?${text}`
}

const textOf = (body: unknown, name: string): string | null => {
  const value: unknown = Reflect.get(Object(body), name)
  return typeof value === 'string' && value !== '' ? value : null
}

const failureOf = (status: number, body: unknown): ApiFailure => {
  const said = textOf(body, 'message') ?? textOf(body, 'error')
  const words =
    status === 429 ? texts.failures.tooMany : status >= 500 ? texts.failures.service : texts.failures.refused
  return new ApiFailure(said ?? words, status, textOf(body, 'code') ?? textOf(body, 'errorCode'))
}

const answerOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const send = async (path: string, { method = 'GET', query, body, signal }: CallOptions): Promise<Response> => {
  try {
    return await fetch(withQuery(path, query), {
      method,
      credentials: 'same-origin',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrfToken !== null && method !== 'GET' ? { 'x-csrf-token': csrfToken } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiFailure(texts.failures.unreachable, 0, null)
  }
}

/** Calls an operation of this service and gives the body of its answer. @throws ApiFailure */
export const callApi = async <Answer>(path: string, options: CallOptions = {}): Promise<Answer> => {
  const response = await send(path, options)
  const body = await answerOf(response)
  if (!response.ok) {
    // A refused sign-in says nothing of a session that is open.
    const isSignIn = path.startsWith('/dashboard/api/session') && options.method === 'POST'
    if (response.status === 401 && !isSignIn && /^\/(dashboard|console)\/api/.test(path))
      for (const ended of endings) ended()
    throw failureOf(response.status, body)
  }
  // CAST: the service holds its answers against their schemas; each caller names the operation's.
  return body as Answer
}
