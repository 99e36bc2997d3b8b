import type { NodeServer, OpenLedgerOptions } from '@causeway/core/testing'
import { startLocalBitcoin } from './localBitcoin.js'

/** Starts a local chain in this process. */
export const open = async (options: OpenLedgerOptions): Promise<NodeServer> => {
  const chain = await startLocalBitcoin(options)
  return { port: Number(new URL(chain.url).port), close: () => chain.close() }
}
