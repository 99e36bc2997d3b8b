import type { DepositEvent, WatchPage } from '../../chain/chainAdapter.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import { larger, smaller } from '../../money/compare.js'
import type { LookupEndpoint } from '../deposit/depositLookup.js'
import { SecondReader } from '../deposit/secondReader.js'
import type { OrderedNodes } from '../quorum/askInOrder.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import type { WatchStep } from '../watch/watchLoop.js'
import { cursorJson, type LedgerCursor } from './ledgerCursor.js'
import { pagesOf } from './ledgerPages.js'
import type { LedgerSource } from './ledgerSource.js'

/** A deposit that a node left out is found this late, unless told. */
const AGAIN_MS = 30_000
/** Heights read in one go. */
const RANGE = 500n

export interface LedgerAgainDeps<Node, Transaction> {
  readonly source: LedgerSource<Node, Transaction>
  readonly pool: AskedProviders<Node> & OrderedNodes<Node>
  readonly account: string
  readonly settle: number
  readonly range?: bigint
  readonly againMs?: number
  readonly logger: ChainDeps['logger']
}

/** What another node listed. */
interface Second {
  readonly deposits: readonly DepositEvent[]
  readonly upTo: bigint
  readonly tip: bigint
}

/**
 * Reads what has settled a second time at another provider, by turns: a node may leave a transaction out, or be believed to have come
 * further than it has (faults.md F107).
 */
export class LedgerAgain<Node extends LookupEndpoint, Transaction> {
  readonly #deps: LedgerAgainDeps<Node, Transaction>
  readonly #second: SecondReader<Node>
  #last = performance.now()

  constructor(deps: LedgerAgainDeps<Node, Transaction>) {
    this.#deps = deps
    this.#second = new SecondReader({ pool: deps.pool, unit: 'Heights', logger: deps.logger })
  }

  /** The step of the reader, and with it what a second reading showed where one is due. */
  async after(step: WatchStep<LedgerCursor>): Promise<WatchStep<LedgerCursor>> {
    const { cursor, page } = step
    const { settle, range = RANGE, againMs = AGAIN_MS } = this.#deps
    const upTo = smaller(cursor.height - BigInt(settle), cursor.checked + range)
    if (upTo <= cursor.checked || cursor.part !== null || (page !== null && page.rewoundTo !== null)) return step
    if (performance.now() - this.#last < againMs) return step
    this.#last = performance.now()
    const second = await this.#second.read((node) => this.#read(node, cursor.checked, upTo))
    return second === null ? step : withSecond(step, second)
  }

  async #read(other: Node | null, after: bigint, most: bigint): Promise<Second | null> {
    const { source, pool, account, settle } = this.#deps
    const node = other ?? pool.ordered()[0]
    if (node === undefined) return null
    const { height: tip } = await source.head(node)
    // It may be behind: about heights that it has not, its silence says nothing.
    const upTo = smaller(most, tip - BigInt(settle))
    if (upTo <= after) return null
    const deposits: DepositEvent[] = []
    for await (const transactions of pagesOf(source, node, { account, after, upTo })) {
      deposits.push(...transactions.flatMap((transaction) => source.readingOf(transaction).deposits))
    }
    return { deposits, upTo, tip }
  }
}

const withSecond = (step: WatchStep<LedgerCursor>, { deposits, upTo, tip }: Second): WatchStep<LedgerCursor> => {
  const cursor = { ...step.cursor, checked: upTo }
  const { height } = cursor
  const page: WatchPage = step.page ?? { deposits: [], cursor: null, height, tip: larger(tip, height), rewoundTo: null }
  const again = { after: step.cursor.checked, upTo }
  return {
    ...step,
    cursor,
    page: { ...page, deposits: [...deposits, ...page.deposits], cursor: cursorJson(cursor), again },
  }
}
