import type { PoolClient } from 'pg'
import type { Arrival } from '../chain/address/depositAddresses.js'
import type { Chain } from '../chain/chainRegistry.js'
import { wakeLane } from '../database/notifier.js'
import { changeAddressBooks } from './addressBooks.js'
import { announceArrivals, withdrawAnnouncements } from './announcedDeposits.js'
import { type ChangedArrival, expectAt, rewindArrivals, saveArrivals } from './arrivalStore.js'

/** What came to addresses, of a page or of a part of one. */
export interface ArrivalPart {
  readonly arrivals: readonly Arrival[]
  /** What lay above it has left the chain, but for what is told again; null: nothing has. */
  readonly rewoundTo: bigint | null
}

/**
 * Stores arrivals with their books, in the transaction of their page: before its deposits, so that a deposit that a sweep made finds all
 * that came to its address up to its height. What is applied twice changes nothing.
 */
export const applyArrivals = async (
  client: PoolClient,
  chain: Chain,
  { arrivals, rewoundTo }: ArrivalPart,
  now: number,
): Promise<void> => {
  const { id: chainId } = chain.config
  const left = rewoundTo === null ? [] : await rewindArrivals(client, chainId, rewoundTo)
  const changed = [...left, ...(await saveArrivals(client, chainId, arrivals, now))]
  if (changed.length === 0) return
  const deps = { client, chain, now }
  await changeAddressBooks(
    client,
    changed.flatMap((arrival) => bookChange(chainId, arrival)),
    now,
  )
  const paid = await announceArrivals(changed.filter(isHere), deps)
  await withdrawAnnouncements(
    changed.filter((arrival) => !isHere(arrival)),
    deps,
  )
  const included = changed.filter(({ state }) => state === 'included')
  const addressIds = [...new Set(included.map(({ addressId }) => addressId))]
  await expectAt(client, chainId, { addressIds, paid }, now)
  if (included.length > 0) await wakeLane(client, chainId)
}

const isHere = ({ state }: ChangedArrival): boolean => state === 'seen' || state === 'included'

const bookChange = (chainId: number, { addressId, currency, amount, state, before }: ChangedArrival) => {
  const is = state === 'included' ? 1n : 0n
  const was = before === 'included' ? 1n : 0n
  return is === was ? [] : [{ addressId, chainId, currency, arrived: (is - was) * amount }]
}
