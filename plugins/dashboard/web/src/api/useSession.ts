import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onSessionEnd, rememberCsrfToken } from './callApi.js'
import { SESSION_KEY, sessionQuery } from './sessionQuery.js'

/** The session, which ends on the page as soon as an answer says that it has. */
export const useSession = () => {
  const client = useQueryClient()
  useEffect(
    () =>
      onSessionEnd(() => {
        rememberCsrfToken(null)
        if (client.getQueryData(SESSION_KEY) !== null) client.setQueryData(SESSION_KEY, null)
      }),
    [client],
  )
  return useQuery(sessionQuery)
}
