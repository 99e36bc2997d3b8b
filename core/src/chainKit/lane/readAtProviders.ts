import { type AskedProviders, askProviders, leastAnswers } from '../quorum/askProviders.js'

/** What one provider shows of a lane. */
export interface ProviderReading<Item> {
  /** Transactions that may be the lane's own. */
  readonly found: readonly Item[]
  /** Whether it surely shows all. */
  readonly complete: boolean
  /** Why there may be more, where it can tell (`gap` of `LaneReading`). */
  readonly gap?: string
}

/** What all providers together show of a lane. */
export interface SharedReading<Item, Reading extends ProviderReading<Item>> {
  readonly readings: readonly Reading[]
  /** Each transaction once, in a block where some provider shows it in one, as first shown. */
  readonly found: readonly Item[]
  /** Whether so many providers show all that nothing is hidden: two where two are configured. */
  readonly complete: boolean
  readonly gap?: string
}

/**
 * Reads a lane at every trusted provider: what one leaves out another one shows. Serves `read` of a lane, where a transaction that
 * is overlooked is money sent twice (faults.md F107).
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const readAtProviders = async <Endpoint, Item, Reading extends ProviderReading<Item>>(
  asked: AskedProviders<Endpoint>,
  readAt: (endpoint: Endpoint) => Promise<Reading & ProviderReading<Item>>,
  nameOf: (item: Item) => { readonly id: string; readonly included: boolean },
): Promise<SharedReading<Item, Reading>> => {
  const readings = await askProviders(asked, readAt)
  const all = new Map<string, Item>()
  for (const item of readings.flatMap(({ found }) => found)) {
    const { id, included } = nameOf(item)
    if (included || !all.has(id)) all.set(id, item)
  }
  const found = [...all.values()]
  if (readings.filter(({ complete }) => complete).length >= leastAnswers(asked))
    return { readings, found, complete: true }
  const gap = readings.find(({ complete }) => !complete)?.gap
  return { readings, found, complete: false, ...(gap === undefined ? {} : { gap }) }
}
