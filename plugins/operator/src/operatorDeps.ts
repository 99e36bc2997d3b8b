import type { Clock, CurrencyRegistry } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import type { Chain, ChainRegistry, DatabasePool } from '@causeway/core/plugin'

/** What the commands work with. */
export interface OperatorDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  /** What fills of the last week delivered, from memory for some minutes; absent: it is read each time. */
  readonly paidInWeek?: () => Promise<ReadonlyMap<string, bigint>>
  /** Does the work while the chain's adapter runs (`ChainUse`). Throws ServiceError when no node of it answers. */
  withChain<T>(chain: Chain, work: () => Promise<T>): Promise<T>
  /** Asks the operator a question that is answered with yes or no. */
  confirm(question: string): Promise<boolean>
}
