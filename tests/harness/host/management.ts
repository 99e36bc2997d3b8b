import type { Pool } from 'pg'
import { type ApiAnswer, callApi, textAt } from '../apiCall.js'
import { operatorToken } from './host.js'

/** Calls an operation of the management API; `path` goes behind `/dashboard/api`. */
export type Manage = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>

/** Signs an operator in to the management API of a host. */
export const signInOperator = async (url: string, pool: Pool): Promise<Manage> => {
  const token = await operatorToken(pool)
  const { headers, body } = await callApi(url, '/dashboard/api/session/operator', { body: { token } })
  const session = {
    cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    'x-csrf-token': textAt(body, 'csrfToken'),
  }
  return (method, path, sent) =>
    callApi(url, `/dashboard/api${path}`, { method, headers: session, ...(sent === undefined ? {} : { body: sent }) })
}
