import { Grace, resultOf } from '@causeway/core/chain-kit'
import type { Ask } from '../../rpc/head/blockReader.js'
import type { RpcContext, RpcSignatureStatus } from '../../rpc/wire.js'
import type { Hit, Listing } from './signatureReader.js'

/** Signatures in one getSignatureStatuses. */
const MAX_STATUSES = 256

/** Finds delivered deposits that a fork took away. */
export class ForkCheck {
  readonly #lag = new Grace()

  /** Slots of those of `open` that are not where they were seen; the listing is complete above the floors. */
  async lost(open: ReadonlyMap<string, bigint>, listing: Listing, ask: Ask): Promise<ReadonlyMap<string, bigint>> {
    const listed = new Map<string, Hit>()
    for (const hits of listing.hits.values()) for (const hit of hits) listed.set(hit.signature, hit)
    const absent = [...open].filter(([signature, slot]) => {
      const hit = listed.get(signature)
      return hit === undefined || hit.failed || hit.slot !== slot
    })
    if (absent.length === 0 || this.#mayLag(absent, listing)) return new Map()
    const lost = new Map<string, bigint>()
    for (let from = 0; from < absent.length; from += MAX_STATUSES) {
      const part = absent.slice(from, from + MAX_STATUSES)
      const signatures = part.map(([signature]) => signature)
      const [outcome] = await ask([
        { method: 'getSignatureStatuses', params: [signatures, { searchTransactionHistory: true }] },
      ])
      const { value } = resultOf<RpcContext<readonly (RpcSignatureStatus | null)[]>>(outcome, 'getSignatureStatuses')
      for (const [at, [signature, slot]] of part.entries()) {
        if (!stands(value[at], slot)) lost.set(signature, slot)
      }
    }
    return lost
  }

  /** True for a while after a node turned out not to have come as far as a deposit that was delivered. */
  #mayLag(absent: readonly (readonly [string, bigint])[], { confirmed }: Listing): boolean {
    if (absent.every(([, slot]) => slot <= confirmed)) {
      this.#lag.end()
      return false
    }
    return this.#lag.lasts()
  }
}

/** The listing left it out, but the node knows it, where it was. */
const stands = (status: RpcSignatureStatus | null | undefined, slot: bigint): boolean =>
  status !== null &&
  status !== undefined &&
  BigInt(status.slot) === slot &&
  status.err === null &&
  status.confirmationStatus !== 'processed'
