import { queryOptions, useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'

interface KnownChain {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly explorerUrl: string
  readonly explorerPaths: { readonly transaction: string; readonly address: string } | null
}

const chainsQuery = queryOptions({
  queryKey: ['chains'],
  queryFn: async ({ signal }) =>
    (await callApi<{ readonly chains: readonly KnownChain[] }>('/chains', { signal })).chains,
  staleTime: 300_000,
})

export const useChains = (): readonly KnownChain[] => useQuery(chainsQuery).data ?? []

/** The name by which commands know a chain; its number until names are known. */
export const useChainName = (): ((chainId: number) => string) => {
  const chains = useChains()
  return (chainId) => chains.find(({ id }) => id === chainId)?.name ?? String(chainId)
}

/** Where an explorer shows a transaction or an address; null without one. */
export const useExplorer = (): ((chainId: number, what: 'transaction' | 'address', id: string) => string | null) => {
  const chains = useChains()
  return (chainId, what, id) => {
    const chain = chains.find((each) => each.id === chainId)
    const path = chain?.explorerPaths?.[what]
    if (chain === undefined || path === undefined || chain.explorerUrl === '') return null
    return `${chain.explorerUrl.replace(/\/$/, '')}${path.replace(/\{[A-Z_]+\}/, encodeURIComponent(id))}`
  }
}
