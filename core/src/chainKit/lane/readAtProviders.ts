import { type AskedProviders, askProviders, leastAnswers } from '../quorum/askProviders.js'

/** What one provider shows of a lane. */
export interface ProviderSight<Item> {
  /** Transactions that may be the lane's own. */
  readonly found: readonly Item[]
  /** Whether it surely shows all. */
  readonly complete: boolean
  /** Why there may be more, where it can tell (`gap` of `LaneReading`). */
  readonly gap?: string
}

/** What all providers together show of a lane. */
export interface SharedSight<Item, Sight extends ProviderSight<Item>> {
  readonly sights: readonly Sight[]
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
export const readAtProviders = async <Endpoint, Item, Sight extends ProviderSight<Item>>(
  asked: AskedProviders<Endpoint>,
  lookAt: (endpoint: Endpoint) => Promise<Sight & ProviderSight<Item>>,
  nameOf: (item: Item) => { readonly id: string; readonly included: boolean },
): Promise<SharedSight<Item, Sight>> => {
  const sights = await askProviders(asked, lookAt)
  const all = new Map<string, Item>()
  for (const item of sights.flatMap(({ found }) => found)) {
    const { id, included } = nameOf(item)
    if (included || !all.has(id)) all.set(id, item)
  }
  const found = [...all.values()]
  if (sights.filter(({ complete }) => complete).length >= leastAnswers(asked)) return { sights, found, complete: true }
  const gap = sights.find(({ complete }) => !complete)?.gap
  return { sights, found, complete: false, ...(gap === undefined ? {} : { gap }) }
}
