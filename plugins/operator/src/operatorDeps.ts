import type { Chain, ChainRegistry, Clock, CurrencyRegistry, DatabasePool, Prices } from '@causeway/core'

/** What the commands work with. */
export interface OperatorDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  /** Starts a chain's adapter for the work and stops it again. Throws ServiceError when no node of it answers. */
  withChain<T>(chain: Chain, work: () => Promise<T>): Promise<T>
  /** Asks the operator a question that is answered with yes or no. */
  confirm(question: string): Promise<boolean>
}
