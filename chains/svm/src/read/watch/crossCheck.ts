import { smaller } from '@causeway/core'
import type { ChainDeps, DepositEvent } from '@causeway/core/chain'
import {
  type JsonRpcClient,
  type JsonRpcEndpoint,
  resultOf,
  SecondReader,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { type ReadDeps, readDeposits } from '../../deposit/readDeposits.js'
import { slotCall } from '../../rpc/wire.js'
import { type BoundNode, bindTo, readingNode } from './boundNode.js'
import { type Hit, pageOf, signaturesCall, toHit } from './signatureReader.js'

/** Pages that one reading goes through at most. */
const MOST_PAGES = 10_000
/** Transactions read at once; the rest is found by the next reading. */
const MAX_HITS = 200

export interface CrossCheckDeps {
  readonly rpc: JsonRpcClient
  /** Signatures in one page. */
  readonly page: number
  readonly read: ReadDeps
  readonly logger: ChainDeps['logger']
}

export interface Span {
  readonly addresses: readonly string[]
  readonly from: bigint
  readonly to: bigint
  /** What the watcher has read. */
  readonly seen: ReadonlyMap<string, bigint>
}

/** What a second reading showed that the watcher had not read. */
export interface SecondReading {
  /** Who showed it: another provider than the one the watcher reads from, where there is one. */
  readonly shownBy: string
  readonly deposits: readonly DepositEvent[]
  readonly read: readonly Hit[]
  /** Newest final slot of the node asked. */
  readonly finalized: bigint
  /** Slot up to which nothing final is missing any more. */
  readonly to: bigint
}

/** Lists signatures a second time, by turns from every other provider, to find what a node left out of a page (faults.md F107). */
export class CrossCheck {
  readonly #deps: CrossCheckDeps
  readonly #second: SecondReader<JsonRpcEndpoint>

  constructor(deps: CrossCheckDeps) {
    this.#deps = deps
    const { rpc, logger } = deps
    this.#second = new SecondReader({ pool: rpc, unit: 'Slots', logger })
  }

  /** Null when the node asked does not answer; another one is asked next time. */
  read(span: Span): Promise<SecondReading | null> {
    const { rpc } = this.#deps
    return this.#second.read((endpoint) =>
      this.#readSpan(span, endpoint === null ? readingNode(rpc) : bindTo(endpoint)),
    )
  }

  async #readSpan(span: Span, node: BoundNode): Promise<SecondReading> {
    const [slot] = await node.ask([slotCall('finalized')])
    const finalized = BigInt(resultOf<number>(slot, 'getSlot'))
    const unseen = await this.#unseen(span, node)
    const due = unseen.slice(0, MAX_HITS)
    const { deposits, read, missing } = await readDeposits(due, finalized, node.ask, this.#deps.read)
    const end = smaller(span.to, finalized)
    const unread = missing ?? unseen[due.length]
    const to = unread === undefined ? end : smaller(unread.slot - 1n, end)
    return { shownBy: node.endpoint.name, deposits, read, finalized, to }
  }

  /** Listed between the slots and not read, oldest first. */
  async #unseen({ addresses, from, to, seen }: Span, { ask }: BoundNode): Promise<readonly Hit[]> {
    const unseen = new Map<string, Hit>()
    for (const address of addresses) {
      let before: Hit | undefined
      for (let pages = 0; ; pages += 1) {
        const [outcome] = await ask([
          signaturesCall(address, {
            limit: this.#deps.page,
            ...(before === undefined ? {} : { before: before.signature }),
          }),
        ])
        const page = pageOf(outcome).map(toHit)
        const isUpward = before !== undefined && (page[0]?.slot ?? 0n) > before.slot
        if (isUpward || pages > MOST_PAGES) throw strangeAnswer('a list of signatures that does not end')
        for (const hit of page) {
          const inside = hit.slot >= from && hit.slot <= to && !hit.failed
          if (inside && !seen.has(hit.signature)) unseen.set(hit.signature, hit)
        }
        const last = page.at(-1)
        if (last === undefined || page.length < this.#deps.page || last.slot < from) break
        before = last
      }
    }
    return [...unseen.values()].sort((left, right) => Number(left.slot - right.slot))
  }
}
