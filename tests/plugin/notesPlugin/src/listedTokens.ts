import type { Currency } from '@causeway/core'
import type { ChainRegistry, CurrencySearchSource } from '@causeway/core/plugin'
import type { NotesOptions } from './options.js'

/** Finds the tokens of the configuration by their names. */
export const listedTokens = (tokens: NotesOptions['tokens'], chains: ChainRegistry): CurrencySearchSource => ({
  name: 'example',
  search: async ({ chainIds, term = '', limit }) => {
    const wanted = term.toLowerCase()
    return tokens
      .filter(({ chainId, name }) => chainIds.includes(chainId) && name.toLowerCase().includes(wanted))
      .slice(0, limit)
      .flatMap((token): Currency[] => {
        const chain = chains.find(token.chainId)
        if (chain === undefined) return []
        const metadata = { logoURI: '', verified: false, isNative: false }
        return [{ ...token, vmType: chain.adapter.vmType, groupId: `${token.chainId}:${token.address}`, metadata }]
      })
  },
})
