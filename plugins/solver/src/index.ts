import {
  boundedSigner,
  CHAINS,
  type Chain,
  CLOCK,
  CURRENCIES,
  definePlugin,
  KEYS,
  LEASES,
  LOGGER,
  NOTIFIER,
  POOL,
  PRICES,
  QUOTE_ENGINE,
  TRANSFER_OBSERVER,
} from '@causeway/core'
import type { SolverDeps } from './laneContext.js'
import { LaneRunner } from './laneRunner.js'
import { laneCommands } from './lanes/laneCommands.js'
import { SolverOptions } from './options.js'
import { spendLimitsOf } from './spendLimits.js'

export default definePlugin({
  name: '@causeway/plugin-solver',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, PRICES, QUOTE_ENGINE, KEYS, POOL, CLOCK, NOTIFIER, LEASES, LOGGER, TRANSFER_OBSERVER],
  options: SolverOptions,
  jobs({ container, options }) {
    const deps: SolverDeps = {
      pool: container.resolve(POOL),
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      engine: container.resolve(QUOTE_ENGINE),
      prices: container.resolve(PRICES),
      clock: container.resolve(CLOCK),
      keys: container.resolve(KEYS),
      leases: container.resolve(LEASES),
      notifier: container.resolve(NOTIFIER),
      log: container.resolve(LOGGER),
      observer: container.resolve(TRANSFER_OBSERVER),
      options: { ...options, withdrawals: options.withdrawals && container.resolve(KEYS).has('allocator') },
    }
    return deps.chains
      .all()
      .filter(({ config }) => deps.keys.has(`payout.${config.id}`))
      .map((chain) => ({
        name: `lane ${chain.config.slug}`,
        role: 'solver' as const,
        run: (signal: AbortSignal) => runLane(deps, chain, signal),
      }))
  },
  commands: ({ container }) =>
    laneCommands({
      pool: container.resolve(POOL),
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      keys: container.resolve(KEYS),
      clock: container.resolve(CLOCK),
    }),
})

const runLane = (deps: SolverDeps, chain: Chain, signal: AbortSignal): Promise<void> => {
  const signer = boundedSigner(deps.keys.signer(`payout.${chain.config.id}`), deps.options.signTimeoutMs)
  const limits = spendLimitsOf(chain, deps.currencies)
  return new LaneRunner({ ...deps, chain, signer, limits, address: chain.adapter.lane.addressOf(signer) }).run(signal)
}
