import type { Pool } from 'pg'
import { addressParts, type NewDepositAddress } from '../address/newAddress.js'
import { joinParts } from '../quote/parts/quoteParts.js'

/** Writes an address to pay to as its quote would; `now` is Unix milliseconds. */
export const giveTestAddress = async (pool: Pool, address: NewDepositAddress, now: number): Promise<void> => {
  const { text, values } = joinParts(addressParts(address, now), [])
  await pool.query(`with stored as (select)${text} select`, values)
}
