import { CURRENCIES, type CurrencyRegistry } from '@causeway/core'
import { describeUnconfigured, findUnconfigured } from '@causeway/core/host'
import type { ChainRegistry } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../config/loadConfig.js'
import type { OpenHost } from './opening/openHost.js'

/** Unfinished requests need a chain or currency that the configuration lacks (faults.md F126). */
export class UnconfiguredError extends Error {
  override readonly name = 'UnconfiguredError'
}

/** Chains and currencies as `findUnconfigured` takes them. */
export const configuredChains = (chains: ChainRegistry, currencies: CurrencyRegistry) =>
  chains.all().map(({ config: { id } }) => ({
    chainId: id,
    currencies: currencies.ofChain(id).map(({ address }) => address),
  }))

/**
 * Refuses to start over a database whose unfinished requests need what the configuration lacks, unless it says that they may wait.
 * @throws UnconfiguredError that names all of it
 */
export const checkConfigured = async (
  { config }: LoadedConfig,
  { pool, chains, container }: OpenHost,
  log: Logger,
): Promise<void> => {
  const missing = await findUnconfigured(pool, configuredChains(chains, container.resolve(CURRENCIES)))
  if (missing.length === 0) return
  const named = missing.map(describeUnconfigured).join('; ')
  if (config.database.allowUnconfigured) {
    log.error({ missing: named }, 'unfinished requests wait for what the configuration lacks')
    return
  }
  throw new UnconfiguredError(
    `Unfinished requests in this database need what the configuration lacks: ${named}. Add it to "chains" again until they are finished. To start without it, set "database.allowUnconfigured" to true: they wait then, and everything else goes on.`,
  )
}
