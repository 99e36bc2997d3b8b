import type { Currency } from '@causeway/core'
import type { CurrencyListing } from '@causeway/core/plugin'
import type { Pool } from 'pg'

interface ListedRow {
  chain_id: string
  address: string
  symbol: string
  name: string
  decimals: number
  vm_type: string
  group_id: string
  logo_uri: string
  verified: boolean
  is_native: boolean
}

const FIND = {
  name: 'currencies_listed',
  text: `select c.chain_id::text as chain_id, c.address, c.symbol, c.name, c.decimals, c.vm_type, c.group_id, c.logo_uri, c.verified, c.is_native
    from unnest($1::bigint[], $2::text[]) p(chain_id, address) join currencies c using (chain_id, address)`,
}

/** A row of `currencies` as a currency. */
export const toCurrency = (row: ListedRow): Currency => ({
  chainId: Number(row.chain_id),
  address: row.address,
  symbol: row.symbol,
  name: row.name,
  decimals: row.decimals,
  vmType: row.vm_type,
  groupId: row.group_id,
  metadata: { logoURI: row.logo_uri, verified: row.verified, isNative: row.is_native },
})

/** The imported currencies, by place. */
export const importedListing = (pool: Pool): CurrencyListing => ({
  find: async (places) => {
    const values = [places.map(({ chainId }) => chainId), places.map(({ address }) => address)]
    const { rows } = await pool.query<ListedRow>({ ...FIND, values })
    const found = rows.map(toCurrency)
    return places.map((place) =>
      found.find(({ chainId, address }) => chainId === place.chainId && address === place.address),
    )
  },
})
