import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'

/** A key as `GET /dashboard/api/keys` lists it. */
export interface ApiKey {
  readonly id: string
  readonly integratorId: string
  readonly label: string | null
  readonly prefix: string | null
  readonly elevated: boolean
  readonly trusted: boolean
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface KeyPage {
  readonly keys: readonly ApiKey[]
  readonly nextCursor: string | null
}

export const KEYS_PATH = '/dashboard/api/keys'

/** What people call a key by. */
export const keyName = ({ label, prefix, id }: Pick<ApiKey, 'label' | 'id'> & { readonly prefix?: string | null }) =>
  label ?? prefix ?? dashboardTexts.keys.unnamed(id.slice(0, 8))

/** Keys to choose from: the newest hundred, which is more than an integrator may have in use. */
export const useKeyChoices = (query: Readonly<Record<string, string>>, enabled = true) =>
  useQuery({
    queryKey: [KEYS_PATH, 'choices', query],
    queryFn: async ({ signal }) =>
      (await callApi<KeyPage>(KEYS_PATH, { query: { ...query, limit: 100 }, signal })).keys,
    staleTime: 30_000,
    enabled,
  })
