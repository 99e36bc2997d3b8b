import { queryOptions } from '@tanstack/react-query'
import { ApiFailure, callApi, rememberCsrfToken } from './callApi.js'

export interface Session {
  readonly id: string
  readonly role: 'operator' | 'integrator'
  readonly wallet: string | null
  readonly integrator: { readonly id: string; readonly name: string } | null
  readonly csrfToken: string
  readonly expiresAt: string
  /** Until when an operator moves money without a new sign-in; null of everybody else. */
  readonly moneyUntil: string | null
}

export const SESSION_KEY = ['session']

const readSession = async (): Promise<Session | null> => {
  try {
    const session = await callApi<Session>('/dashboard/api/session')
    rememberCsrfToken(session.csrfToken)
    return session
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 401 || error.status === 403 || error.status === 404))
      return null
    throw error
  }
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 })
