import { useNavigate, useSearch as useRouterSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Filters and tabs that stand in the address, so that they survive a reload and can be shared. */
export const useAddressState = (): readonly [
  Readonly<Record<string, string>>,
  (changes: Readonly<Record<string, string | null>>) => void,
] => {
  const search: Record<string, unknown> = useRouterSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>) => {
      const merge = (before: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== ''),
        )
      // CAST: the routes of this application declare no search of their own.
      void navigate({ to: '.', search: merge as never, replace: true })
    },
    [navigate],
  )
  const known = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))
  return [known, change]
}
