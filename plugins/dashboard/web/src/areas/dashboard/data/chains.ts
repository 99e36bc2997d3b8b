import { queryOptions, useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'

/** What of `GET /chains` the pages show. */
export interface ShownChain {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly currency: ShownToken
  readonly solverCurrencies: readonly ShownToken[]
  readonly protocol: { readonly v2: { readonly depository: string | null } }
  readonly vmType: string
  readonly disabled: boolean
}
export interface ShownToken {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
}

export const chainsQuery = queryOptions({
  queryKey: ['chains'],
  queryFn: async () => (await callApi<{ chains: readonly ShownChain[] }>('/chains')).chains,
  staleTime: 300_000,
})

/** The chains of the service, and their names; a chain that is not among them is named by its number. */
export const useChains = () => {
  const { data: chains = [] } = useQuery(chainsQuery)
  const nameOf = (id: number): string =>
    chains.find((chain) => chain.id === id)?.displayName ?? dashboardTexts.shared.chain(id)
  return { chains, nameOf }
}
