import type { MempoolReading } from '../bitcoinSource.js'
import { inTurns } from '../inTurns.js'
import type { RawTransaction } from '../rawTransaction.js'

/** Transactions that one reading asks for, each by a question of its own: above what comes in a minute on the main network. */
const MAX_READ = 512
const AT_ONCE = 8

/** Which of the waiting transactions an Esplora is asked for: those that came since the last reading, then others. */
export class EsploraMempool {
  #before: ReadonlySet<string> = new Set()

  /** @param read null for one that left the mempool meanwhile */
  async since(
    known: ReadonlySet<string>,
    ids: readonly string[],
    read: (txId: string) => Promise<RawTransaction | null>,
  ): Promise<MempoolReading> {
    const unknown = ids.filter((id) => !known.has(id))
    const latest = unknown.filter((id) => !this.#before.has(id))
    const others = unknown.filter((id) => this.#before.has(id))
    this.#before = new Set(ids)
    const found = await inTurns([...latest, ...others].slice(0, MAX_READ), AT_ONCE, read)
    return { ids, read: found.flatMap((transaction) => transaction ?? []) }
  }
}
