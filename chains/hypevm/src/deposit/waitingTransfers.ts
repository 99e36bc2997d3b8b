import type { NonceMapping, NonceMappings } from '@causeway/core/chain'
import type { Transfer } from '../read/transfers.js'
import { type MappedTransfer, timely } from './readDeposits.js'

/** Transfers that may wait at once: beyond, the oldest count as deposits without an order. */
const MOST_WAITING = 2_000

interface Waiting {
  readonly transfer: Transfer
  /** The end of the range that reported it; null: it still waits. */
  readonly reportedUpTo: bigint | null
}

export interface WaitingDeps {
  readonly chainId: number
  /** Null: a command without a database, which reads no deposits. */
  readonly mappings: Pick<NonceMappings, 'find'> | null
  /** How long a transfer waits for its mapping, milliseconds. */
  readonly waitMs: number
}

/** A range that a watcher reads. */
export interface ReadRange {
  readonly after: bigint
  readonly upTo: bigint
  /** False: a part of the range follows. Earlier transfers are reported with the last part, which alone moves the cursor on. */
  readonly isWhole: boolean
}

/**
 * Transfers without a mapping wait for it before they are reported as deposits without an order (chains.md hypevm 4). A reported one is kept
 * until the watcher reads beyond its range, since a page that failed is read again.
 */
export class WaitingTransfers {
  readonly #deps: WaitingDeps
  readonly #waiting = new Map<string, Waiting>()

  constructor(deps: WaitingDeps) {
    this.#deps = deps
  }

  /** Mappings of transfers, in their order. */
  async mapped(transfers: readonly Transfer[]): Promise<readonly MappedTransfer[]> {
    const { mappings, chainId } = this.#deps
    const bound = transfers.flatMap(({ from: wallet, nonce }) => (nonce === null ? [] : [{ wallet, nonce }]))
    const found = bound.length === 0 || mappings === null ? [] : await mappings.find(chainId, bound)
    const byKey = new Map(bound.map((key, at) => [keyOf(key), found[at] ?? null]))
    return transfers.map((transfer) => ({ ...transfer, mapping: timely(mappingOf(transfer, byKey), transfer) }))
  }

  /** Transfers of a range that are deposits now: all but those that may still get a mapping. */
  async settled(transfers: readonly Transfer[], upTo: bigint): Promise<readonly MappedTransfer[]> {
    return (await this.mapped(transfers)).filter((transfer) => !this.#waits(transfer, upTo))
  }

  /** As `settled`, together with earlier transfers whose waiting ended; the others of the range wait. */
  async settle(transfers: readonly Transfer[], range: ReadRange): Promise<readonly MappedTransfer[]> {
    const { after, upTo, isWhole } = range
    for (const [key, { reportedUpTo }] of this.#waiting)
      if (reportedUpTo !== null && reportedUpTo <= after) this.#waiting.delete(key)
    const known = new Set(transfers.map(({ hash }) => hash))
    const waiting = isWhole ? [...this.#waiting.values()] : []
    const earlier = waiting.map(({ transfer }) => transfer).filter(({ hash }) => !known.has(hash))
    const reported: MappedTransfer[] = []
    for (const transfer of await this.mapped([...earlier, ...transfers])) {
      const waits = this.#waits(transfer, upTo)
      if (!waits) reported.push(transfer)
      if (waits || this.#waiting.has(transfer.hash))
        this.#waiting.set(transfer.hash, { transfer, reportedUpTo: waits ? null : upTo })
    }
    return isWhole ? [...reported, ...this.#overflow(upTo)] : reported
  }

  #waits(transfer: MappedTransfer, upTo: bigint): boolean {
    return transfer.mapping === null && transfer.nonce !== null && BigInt(transfer.time + this.#deps.waitMs) > upTo
  }

  /** The oldest of too many: dust of an untrusted sender must not fill the memory. */
  #overflow(upTo: bigint): readonly MappedTransfer[] {
    const open = [...this.#waiting.values()].filter(({ reportedUpTo }) => reportedUpTo === null)
    return open.slice(0, Math.max(open.length - MOST_WAITING, 0)).map(({ transfer }) => {
      this.#waiting.set(transfer.hash, { transfer, reportedUpTo: upTo })
      return { ...transfer, mapping: null }
    })
  }
}

const keyOf = ({ wallet, nonce }: { readonly wallet: string; readonly nonce: number }): string => `${wallet} ${nonce}`

const mappingOf = ({ from: wallet, nonce }: Transfer, found: ReadonlyMap<string, NonceMapping | null>) =>
  nonce === null ? null : (found.get(keyOf({ wallet, nonce })) ?? null)
