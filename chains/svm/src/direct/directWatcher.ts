import type { Json } from '@causeway/core'
import type { ChainDeps, DirectCandidate, DirectPage } from '@causeway/core/chain'
import { type JsonRpcClient, type WatchStep, watchLoop } from '@causeway/core/chain-kit'
import type { HeadSource } from '../head/headSource.js'
import { MEMO_PROGRAM } from '../memo/memoInstruction.js'
import { readOrderIds } from '../memo/memoText.js'
import type { SvmSettings } from '../options.js'
import { isNewVersion } from '../rpc/rpcErrors.js'
import { type RpcTransaction, transactionCall } from '../rpc/wire.js'
import { type BoundNode, readingNode } from '../watch/boundNode.js'
import { type Cursor, cursorAt, decodeCursor, encodeCursor } from '../watch/cursor.js'
import { viewTransaction } from '../watch/recognise/transactionView.js'
import { type Hit, type Listing, SignatureReader } from '../watch/signatureReader.js'
import { directMark } from './directMark.js'

/** How rarely a page without candidates is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const
/** Transactions that are remembered as read. */
const MAX_SEEN = 10_000

export interface DirectWatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly settings: SvmSettings
  readonly logger: ChainDeps['logger']
}

type Step = WatchStep<Cursor, DirectPage>

/**
 * Lists the transactions that mention the deployment's mark, so one request finds those of all quotes. A transaction above the newest final
 * one is listed again until it is final, and read once. One instance is one run; `pages` is its life.
 */
export class DirectWatcher {
  readonly #deps: DirectWatcherDeps
  readonly #mark: string
  readonly #signatures: SignatureReader
  readonly #seen = new Set<string>()

  constructor(deps: DirectWatcherDeps) {
    this.#deps = deps
    this.#mark = directMark(deps.settings.depository)
    this.#signatures = new SignatureReader(deps.settings.signaturePage)
  }

  pages(stored: Json, signal: AbortSignal): AsyncGenerator<DirectPage> {
    const { heads, settings, logger } = this.#deps
    return watchLoop<Cursor, DirectPage>(signal, {
      begin: async () => (stored === null ? cursorAt((await heads.tip()).height) : decodeCursor(stored)),
      step: (cursor) => this.#step(cursor),
      wake: heads.wakeSignal,
      pollIntervalMs: settings.pollIntervalMs,
      quiet: QUIET,
      logger,
    })
  }

  async #step(cursor: Cursor): Promise<Step> {
    const node = readingNode(this.#deps.rpc)
    const floor = cursor.floors.get(this.#mark) ?? { signature: null, slot: cursor.slot }
    const listing = await this.#signatures.read(new Map([[this.#mark, floor]]), node.ask)
    const hits = listing.hits.get(this.#mark) ?? []
    const { candidates, isWhole } = await this.#read(hits, node)
    const next = isWhole ? this.#advanced(cursor, listing) : cursor
    const height = next.slot
    const page = { candidates, cursor: encodeCursor(next), height, tip: listing.confirmed, rewoundTo: null }
    return { cursor: next, page, rest: isWhole && this.#signatures.isBehind ? 'none' : 'full' }
  }

  /** `isWhole`: false where the node lists a transaction that it does not show yet. */
  async #read(
    hits: readonly Hit[],
    { ask }: BoundNode,
  ): Promise<{ readonly candidates: readonly DirectCandidate[]; readonly isWhole: boolean }> {
    const fresh = hits.filter(({ signature }) => !this.#seen.has(signature))
    const candidates: DirectCandidate[] = []
    let isWhole = true
    for (let from = 0; from < fresh.length; from += this.#deps.settings.transactionBatch) {
      const part = fresh.slice(from, from + this.#deps.settings.transactionBatch)
      const outcomes = await ask(part.map(({ signature }) => transactionCall(signature)))
      for (const [at, { signature }] of part.entries()) {
        const outcome = outcomes[at]
        const transaction = outcome?.ok ? (outcome.result as RpcTransaction | null) : null
        // A version that this release does not read is passed over, or it would hold up all others.
        if (transaction === null && !(outcome?.ok === false && isNewVersion(outcome.error))) isWhole = false
        else this.#seen.add(signature)
        if (transaction !== null) candidates.push(...candidatesIn(transaction))
      }
    }
    return { candidates, isWhole }
  }

  #advanced(cursor: Cursor, { hits, below, confirmed, finalized, until }: Listing): Cursor {
    const listed = hits.get(this.#mark) ?? []
    const floor = cursor.floors.get(this.#mark) ?? { signature: null, slot: cursor.slot }
    const last = listed.findLast(({ slot }) => slot <= finalized)
    const older = floor.signature ?? below.get(this.#mark) ?? null
    const next = last === undefined ? { ...floor, signature: older } : { signature: last.signature, slot: last.slot }
    this.#signatures.passed(this.#mark, listed.at(-1)?.signature, next)
    if (this.#seen.size > MAX_SEEN) this.#seen.clear()
    return { ...cursor, slot: until ?? confirmed, floors: new Map([[this.#mark, next]]) }
  }
}

/** Every request that the memos of a transaction name, whether it succeeded or not; `DirectCapability.outcome` judges it. */
const candidatesIn = (transaction: RpcTransaction): readonly DirectCandidate[] => {
  const { meta } = transaction
  const view = viewTransaction(meta === null ? transaction : { ...transaction, meta: { ...meta, err: null } })
  if (view === null) return []
  const senders = view.keys.slice(0, transaction.transaction.signatures.length)
  const memos = view.instructions.filter(({ program }) => program === MEMO_PROGRAM)
  const ids = new Set(memos.flatMap(({ data }) => readOrderIds(Buffer.from(data).toString('utf8'))))
  return [...ids].map((requestId) => ({ requestId, tx: { id: view.id }, senders }))
}
