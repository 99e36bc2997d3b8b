import { ServiceError } from '@causeway/core'
import type { ChainAdapter, TxRef } from '@causeway/core/chain'

export type OnChain = Awaited<ReturnType<ChainAdapter['findTransaction']>>

/**
 * State of a transaction as the chain tells it, or null when the chain does not answer within `milliseconds`.
 * The lookup then goes on unheard; its failure is nobody's.
 */
export const findOnChain = async (adapter: ChainAdapter, tx: TxRef, milliseconds: number): Promise<OnChain | null> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds)
  })
  const asked = adapter.findTransaction(tx).catch((error: unknown) => {
    if (ServiceError.is(error)) return null
    throw error
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
    // Lost the race: a later failure must not become an unhandled one.
    asked.catch(() => {})
  }
}
