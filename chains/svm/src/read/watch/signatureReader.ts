import { type RpcCall, type RpcOutcome, resultOf, strangeAnswer } from '@causeway/core/chain-kit'
import type { Ask } from '../../rpc/head/blockReader.js'
import { type RpcSignature, slotCall } from '../../rpc/wire.js'
import type { Floor } from './cursor.js'

/** Pages that one reading of an address goes through: more signatures than a year of the busiest one. */
const MOST_PAGES = 10_000

/** Pages held at most of one address; what is newer is read after the older part was delivered. */
const HELD_PAGES = 20

/** One transaction that mentions a watched address. */
export interface Hit {
  readonly signature: string
  readonly slot: bigint
  readonly failed: boolean
}

/** What one node shows above the floors. */
export interface Listing {
  readonly confirmed: bigint
  readonly finalized: bigint
  /** By address, oldest first. */
  readonly hits: ReadonlyMap<string, readonly Hit[]>
  /** Newest final signature below a floor that has none, by address: with it, nobody lists what is older again. */
  readonly below: ReadonlyMap<string, string>
  /** Slot up to which all addresses are listed; null when each is up to the node's newest. */
  readonly until: bigint | null
}

/** Reads the signatures of addresses above their floors, without a gap, all from one node. Long backlogs come in parts, oldest first. */
export class SignatureReader {
  readonly #page: number
  /** Signatures below which the parts of a backlog begin, newest first, by address. */
  readonly #parts = new Map<string, readonly string[]>()

  constructor(page: number) {
    this.#page = page
  }

  /** True while newer parts of a backlog wait. */
  get isBehind(): boolean {
    return this.#parts.size > 0
  }

  async read(floors: ReadonlyMap<string, Floor>, ask: Ask): Promise<Listing> {
    const addresses = [...floors]
    const calls = addresses.map(([address, floor]) => this.#call(address, floor, this.#parts.get(address)?.at(-1)))
    // Finality first: what is listed up to it then cannot change any more.
    const outcomes = await ask([slotCall('finalized'), slotCall('confirmed'), ...calls])
    const finalized = BigInt(resultOf<number>(outcomes[0], 'getSlot'))
    const confirmed = BigInt(resultOf<number>(outcomes[1], 'getSlot'))
    const hits = new Map<string, readonly Hit[]>()
    const below = new Map<string, string>()
    let until: bigint | null = null
    for (const [at, [address, floor]] of addresses.entries()) {
      const page = pageOf(outcomes[at + 2])
      const list = await this.#whole(address, floor, page, ask)
      hits.set(address, list)
      const older = page.find((entry) => isBelow(entry, floor) && BigInt(entry.slot) <= finalized)
      if (older !== undefined && floor.signature === null) below.set(address, older.signature)
      const newest = list.at(-1)?.slot
      if (!this.#parts.has(address) || newest === undefined) continue
      if (until === null || newest < until) until = newest
    }
    return { confirmed, finalized, hits, below, until }
  }

  /** The floor of an address rose: when it passed a part of the backlog, the next one is due. */
  passed(address: string, newest: string | undefined, floor: Floor): void {
    const parts = this.#parts.get(address)
    if (parts === undefined || (newest !== undefined && newest !== floor.signature)) return
    if (parts.length === 1) this.#parts.delete(address)
    else this.#parts.set(address, parts.slice(0, -1))
  }

  /** All signatures from the first page down to the floor, oldest first, or the oldest part of them. */
  async #whole(address: string, floor: Floor, first: readonly RpcSignature[], ask: Ask): Promise<readonly Hit[]> {
    const parts = [...(this.#parts.get(address) ?? [])]
    let held: RpcSignature[] = [...first]
    let page = first
    let pages = 0
    for (let last = page.at(-1); page.length >= this.#page && last !== undefined; last = page.at(-1)) {
      if (isBelow(last, floor)) break
      page = pageOf((await ask([this.#call(address, floor, last.signature)]))[0])
      const [next] = page
      if (next === undefined || isBelow(next, floor)) break
      pages += 1
      if (next.slot > last.slot || pages > MOST_PAGES) throw strangeAnswer('a list of signatures that does not end')
      if (held.length + page.length > HELD_PAGES * this.#page) {
        parts.push(last.signature)
        held = []
      }
      held.push(...page)
    }
    if (parts.length > 0) this.#parts.set(address, parts)
    // A fork took the signature that the part begins below: begin at the top again.
    if (held.length === 0 && parts.length > 0) this.#parts.delete(address)
    const end = held.findIndex((entry) => isBelow(entry, floor))
    return (end === -1 ? held : held.slice(0, end)).reverse().map(toHit)
  }

  #call(address: string, { signature }: Floor, before: string | undefined): RpcCall {
    return signaturesCall(address, {
      limit: this.#page,
      ...(signature === null ? {} : { until: signature }),
      ...(before === undefined ? {} : { before }),
    })
  }
}

export const signaturesCall = (
  address: string,
  span: { readonly limit: number; readonly until?: string; readonly before?: string },
): RpcCall => ({ method: 'getSignaturesForAddress', params: [address, { commitment: 'confirmed', ...span }] })

export const pageOf = (outcome: RpcOutcome | undefined): readonly RpcSignature[] =>
  resultOf<readonly RpcSignature[]>(outcome, 'getSignaturesForAddress')

const isBelow = ({ signature, slot }: RpcSignature, floor: Floor): boolean =>
  signature === floor.signature || BigInt(slot) < floor.slot

/** A node that leaves `err` out has not said that the transaction succeeded, but its own page will tell. */
export const toHit = ({ signature, slot, err }: RpcSignature): Hit => ({
  signature,
  slot: BigInt(slot),
  failed: err !== null && err !== undefined,
})
