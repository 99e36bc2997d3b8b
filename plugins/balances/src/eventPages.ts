import {
  type BalanceMovement,
  balanceChange,
  type DatabaseClient,
  type DatabasePool,
  NEWEST,
  readAppBalances,
  readMovements,
  readSnapshot,
  withTransaction,
} from '@causeway/core/plugin'

/** Entries read at a time, and for one page at most: what is filtered out costs as much as what is shown. */
const CHUNK = 500
const MOST_CHUNKS = 8

/** A movement, the change of the balance by it and what it left. */
export interface BalanceEvent {
  readonly movement: BalanceMovement
  readonly delta: bigint
  readonly balanceAfter: bigint
}

/** Where a page goes on: below the posting `before`, whose first `skip` movements of those left were told, from these balances. */
export interface EventPosition {
  readonly before: string
  readonly skip: number
  /** By `balanceKey`; what is 0 is left out. */
  readonly balances: ReadonlyMap<string, bigint>
  /** What the first page saw: the balances have nothing that was committed since. */
  readonly since: string
}

export interface EventPage {
  readonly events: readonly BalanceEvent[]
  /** As they are now, by `balanceKey`. */
  readonly balances: ReadonlyMap<string, bigint>
  readonly next: EventPosition | null
}

export const balanceKey = ({ chainId, currency }: { readonly chainId: number; readonly currency: string }): string =>
  `${chainId}:${currency}`

/** What money is in the balance itself (`balanceChange`), now. */
const readBalances = async (client: DatabaseClient, wallet: string): Promise<ReadonlyMap<string, bigint>> => {
  const found = await readAppBalances(client, wallet)
  return new Map(
    found.flatMap((item): [string, bigint][] => {
      const amount = balanceChange(item)
      return amount === 0n ? [] : [[balanceKey(item), amount]]
    }),
  )
}

/**
 * Events of a wallet, newest first: a page of at most `limit`, and of fewer where many have to be passed over for it. Each balance follows
 * from the one above, so that a deep page costs as little as the first.
 */
export const readEventPage = (
  pool: DatabasePool,
  ask: {
    readonly wallet: string
    readonly limit: number
    readonly from: EventPosition | null
    shows(movement: BalanceMovement): boolean
  },
): Promise<EventPage> =>
  withTransaction(
    pool,
    async (client) => {
      const balances = await readBalances(client, ask.wallet)
      const from = ask.from ?? { before: NEWEST, skip: 0, balances, since: await readSnapshot(client) }
      const page = new PageBuilder(ask, from)
      for (let chunk = 0; chunk < MOST_CHUNKS && !page.isDone; chunk += 1) {
        page.add(
          await readMovements(client, { wallet: ask.wallet, before: page.before, entries: CHUNK, since: from.since }),
        )
      }
      return { events: page.events, balances, next: page.next }
    },
    { isolation: 'repeatable read' },
  )

class PageBuilder {
  readonly events: BalanceEvent[] = []
  readonly #balances: Map<string, bigint>
  #before: string
  #skip: number
  #end: 'full' | 'last' | null = null

  constructor(
    private readonly ask: { readonly limit: number; shows(movement: BalanceMovement): boolean },
    private readonly from: EventPosition,
  ) {
    this.#balances = new Map(from.balances)
    this.#before = from.before
    this.#skip = from.skip
  }

  get isDone(): boolean {
    return this.#end !== null
  }

  get before(): string {
    return this.#before
  }

  get next(): EventPosition | null {
    if (this.#end === 'last') return null
    const balances = new Map([...this.#balances].filter(([, amount]) => amount !== 0n))
    return { before: this.#before, skip: this.#skip, balances, since: this.from.since }
  }

  add({ movements, next }: { readonly movements: readonly BalanceMovement[]; readonly next: string | null }): void {
    for (const movement of movements.slice(this.#skip)) {
      if (this.events.length === this.ask.limit) {
        this.#end = 'full'
        return
      }
      this.#take(movement)
    }
    this.#skip = 0
    if (next === null) this.#end = 'last'
    else this.#before = next
  }

  /** Goes on behind a movement, and shows it where it is asked for. */
  #take(movement: BalanceMovement): void {
    const above = (BigInt(movement.id) + 1n).toString()
    this.#skip = above === this.#before ? this.#skip + 1 : 1
    this.#before = above
    const key = balanceKey(movement)
    const delta = balanceChange(movement.changes)
    const balance = this.#balances.get(key) ?? 0n
    // What was committed since the first page is in no balance of it, so that what is older does not lose it either.
    const balanceAfter = movement.isLate ? balance + delta : balance
    this.#balances.set(key, balanceAfter - delta)
    const moves = delta !== 0n || movement.changes.sponsored !== 0n
    if (moves && this.ask.shows(movement)) this.events.push({ movement, delta, balanceAfter })
  }
}
