/** Where everything of an id is told. */
export const explainHref = (id: string): string => `/console/explain/${encodeURIComponent(id)}`
export const chainHref = (slug: string): string => `/console/chains/${encodeURIComponent(slug)}`
export const laneHref = (chain: string, signer: string): string =>
  `/console/lanes/${encodeURIComponent(`${chain}:${signer}`)}`
export const parkedHref = (deposit: string): string => `/console/parked/${encodeURIComponent(deposit)}`
export const addressHref = (address: string): string => `/console/addresses/${encodeURIComponent(address)}`
export const balanceHref = (wallet: string): string => `/console/balances/${encodeURIComponent(wallet)}`
