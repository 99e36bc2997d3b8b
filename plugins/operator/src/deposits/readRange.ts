import { type DepositEvent, NOTHING_LIVE } from '@causeway/core/chain'
import { ActionRefusedError, type Chain } from '@causeway/core/plugin'

/** Heights of a chain, both included. */
export interface HeightRange {
  readonly from: bigint
  readonly to: bigint
}

/** Deposits of one part, unless a single page of the watcher holds more. */
const PART = 500
/** Deposits whose ids are kept: a watcher shows those of its last pages again. */
const KEPT = 10_000

/**
 * Deposits of a range as the chain shows them now, each once, in parts: no more of them are held at once, however long the range is.
 * @throws ActionRefusedError where the adapter cannot read a range again
 */
export async function* readRange(
  { adapter, config }: Chain,
  range: HeightRange,
): AsyncGenerator<readonly DepositEvent[]> {
  const cursor = await adapter.cursorAt?.(range.from)
  if (cursor === undefined)
    throw new ActionRefusedError(`The adapter of ${config.slug} cannot read a range of blocks again.`)
  const stop = new AbortController()
  const recent = new RecentIds()
  let part: DepositEvent[] = []
  try {
    for await (const { deposits, height } of adapter.watch(cursor, NOTHING_LIVE, stop.signal)) {
      part.push(...deposits.filter((deposit) => isWithin(deposit, range) && recent.add(deposit)))
      const isLast = height >= range.to
      if (part.length >= PART || isLast) {
        yield part
        part = []
      }
      if (isLast) return
    }
  } finally {
    stop.abort()
  }
}

/** The ids that were added last. */
class RecentIds {
  readonly #ids = new Set<string>()

  /** False for one that is among them. */
  add({ tx, position }: DepositEvent): boolean {
    const id = `${tx.id}:${position}`
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > KEPT && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }
}

const isWithin = ({ state, block }: DepositEvent, { from, to }: HeightRange): boolean =>
  state === 'included' && block !== null && block.height >= from && block.height <= to
