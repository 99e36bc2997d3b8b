import { NONCE_MAPPING_DOMAIN, type NonceMapping, type NonceMappings } from '@causeway/core/chain'

/** Nonce mappings in memory, with the rules of those in the database. */
export const memoryMappings = (now: () => number = Date.now): NonceMappings & { readonly stored: NonceMapping[] } => {
  const stored: NonceMapping[] = []
  const lower = (text: string) => text.toLowerCase() as `0x${string}`
  const findOne = (chainId: number, wallet: string, nonce: number) =>
    stored.find((one) => one.chainId === chainId && one.wallet === wallet.toLowerCase() && one.nonce === nonce) ?? null
  return {
    stored,
    domainName: NONCE_MAPPING_DOMAIN,
    find: async (chainId, keys) => keys.map(({ wallet, nonce }) => findOne(chainId, wallet, nonce)),
    register: async ({ chainId, wallet, nonce, id, depositor }) => {
      const known = findOne(chainId, wallet, nonce)
      if (known !== null) return known.id === lower(id) && known.depositor === lower(depositor) ? 'known' : 'taken'
      stored.push({
        chainId,
        nonce,
        wallet: lower(wallet),
        depositor: lower(depositor),
        id: lower(id),
        createdAt: now(),
      })
      return 'registered'
    },
  }
}
