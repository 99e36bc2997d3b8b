import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Values of the address of a page: what survives a reload and can be shared. */
export type AddressValues = Readonly<Record<string, string>>

/** Reads and changes them. A value that is empty, null or undefined is left out. */
export const useAddress = () => {
  // CAST: the router gives text alone, see `parseSearch`.
  const values = useSearch({ strict: false }) as AddressValues
  const navigate = useNavigate()
  const change = useCallback(
    (patch: Readonly<Record<string, string | null | undefined>>, { replace = true } = {}) =>
      void navigate({
        to: '.',
        search: (before: object) => keptOf({ ...before, ...patch }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  /** In place of all of them. */
  const set = useCallback(
    (next: AddressValues) => void navigate({ to: '.', search: keptOf(next), resetScroll: false }),
    [navigate],
  )
  return { values, change, set }
}

const keptOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value == null || value === '' ? [] : [[name, String(value)]])),
  )
