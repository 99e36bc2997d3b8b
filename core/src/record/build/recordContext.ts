import type { ChainRegistry } from '../../chain/chainRegistry.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'

/** What a record needs to know beside its facts. Nothing of it is asked of a chain. */
export interface RecordContext {
  readonly currencies: Pick<CurrencyRegistry, 'find' | 'native'>
  readonly chains: Pick<ChainRegistry, 'find' | 'all'>
  /** Name of the partner identifier (wire.md K.3 7). */
  readonly partnerKey: string
}
