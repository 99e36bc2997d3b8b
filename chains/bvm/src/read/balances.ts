import { ServiceError } from '@causeway/core'
import { NATIVE, parseAddress } from '../address/addresses.js'
import type { BitcoinNetwork } from '../address/networks.js'
import type { WatchedScript } from '../rpc/bitcoinSource.js'
import type { SourcePool } from '../rpc/sourcePool.js'

export interface BalanceQuery {
  readonly address: string
  readonly currency: string
}

/**
 * Satoshis in blocks, and the height up to which that was read. What waits in the mempool counts for nothing, neither the
 * service's own payments: those are counted where they are stored.
 * @throws ServiceError INVALID_ADDRESS, and when no node answers
 */
export const readBalances = (
  queries: readonly BalanceQuery[],
  { pool, network }: { readonly pool: SourcePool; readonly network: BitcoinNetwork },
): Promise<{ readonly amounts: readonly bigint[]; readonly height: bigint }> => {
  const wanted = queries.map(({ address, currency }) => (currency === NATIVE ? watchedAddress(address, network) : null))
  return pool.ask(async (source) => {
    const { height } = await source.tip()
    const asked = new Map<string, Promise<bigint>>()
    for (const watched of wanted) {
      if (watched !== null && !asked.has(watched.address)) asked.set(watched.address, source.balance(watched))
    }
    const amounts = await Promise.all(
      wanted.map(async (watched) => (watched && (await asked.get(watched.address))) ?? 0n),
    )
    return { amounts, height }
  })
}

/** @throws ServiceError INVALID_ADDRESS */
export const watchedAddress = (text: string, network: BitcoinNetwork): WatchedScript => {
  const parsed = parseAddress(text, network)
  if (!parsed.ok) throw new ServiceError('INVALID_ADDRESS', parsed.why)
  return { address: parsed.canonical, script: parsed.script }
}
