import { CLOCK, CURRENCIES } from '@causeway/core'
import { boundedSigner, PRICES, type Signer } from '@causeway/core/chain'
import { allocatorOf, TRANSFER_OBSERVER, WALLET_POLICY } from '@causeway/core/money-path'
import {
  BALANCE_CURRENCY,
  CHAINS,
  type Chain,
  DEPLOYMENT,
  DEPOSIT_ADDRESS_RULES,
  definePlugin,
  KEYS,
  LEASES,
  LOGGER,
  NOTIFIER,
  POOL,
  QUOTE_ENGINE,
} from '@causeway/core/plugin'
import type { LaneContext, SolverDeps } from './laneContext.js'
import { laneCommands } from './lanes/laneCommands.js'
import { spendLimitsOf } from './limits/spendLimits.js'
import { SolverOptions } from './options.js'
import { boundedCalls, boundedChains } from './running/boundedCalls.js'
import { FormerLanes } from './running/formerLanes.js'
import { LaneRunner } from './running/laneRunner.js'
import { SignedOrders } from './wallet/signedOrders.js'

export default definePlugin({
  name: '@causeway/plugin-solver',
  version: '1.0.0',
  coreRange: '~1.0.0',
  requires: [
    CHAINS,
    CURRENCIES,
    PRICES,
    QUOTE_ENGINE,
    KEYS,
    POOL,
    CLOCK,
    NOTIFIER,
    LEASES,
    LOGGER,
    TRANSFER_OBSERVER,
    DEPLOYMENT,
    WALLET_POLICY,
    BALANCE_CURRENCY,
  ],
  options: SolverOptions,
  jobs({ container, options }) {
    const deps: SolverDeps = {
      pool: container.resolve(POOL),
      chains: boundedChains(container.resolve(CHAINS), options.callTimeoutMs),
      currencies: container.resolve(CURRENCIES),
      engine: boundedCalls(container.resolve(QUOTE_ENGINE), options.callTimeoutMs, 'The quote engine'),
      prices: boundedCalls(container.resolve(PRICES), options.callTimeoutMs, 'The price source'),
      clock: container.resolve(CLOCK),
      keys: container.resolve(KEYS),
      leases: container.resolve(LEASES),
      notifier: container.resolve(NOTIFIER),
      log: container.resolve(LOGGER),
      observer: container.resolve(TRANSFER_OBSERVER),
      options,
      network: container.resolve(DEPLOYMENT).network,
      wallet: container.resolve(WALLET_POLICY),
      balanceCurrency: container.resolve(BALANCE_CURRENCY),
      addressRules: container.resolve(DEPOSIT_ADDRESS_RULES),
    }
    return deps.chains.all().flatMap((chain) => {
      const lanes = KINDS.filter((kind) => deps.keys.has(`${kind}.${chain.config.id}`))
      return lanes.map((kind) => ({
        name: kind === 'payout' ? `lane ${chain.config.slug}` : `origin lane ${chain.config.slug}`,
        role: 'solver' as const,
        run: (signal: AbortSignal) => runLane({ ...deps, chain, kind }, signal),
      }))
    })
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

const KINDS = ['payout', 'origin'] as const

const runLane = (
  deps: SolverDeps & { readonly chain: Chain; readonly kind: LaneContext['kind'] },
  signal: AbortSignal,
): Promise<void> => {
  const { keys, currencies, options, chain, kind } = deps
  const signer = boundedSigner(keys.signer(`${kind}.${chain.config.id}`), options.signTimeoutMs)
  const pays = kind === 'payout'
  const lane = {
    ...deps,
    signer,
    limits: pays ? spendLimitsOf(chain, currencies) : [],
    address: chain.adapter.lane.addressOf(signer),
    allocator: pays ? withdrawer(deps, chain) : null,
    seed: pays && keys.has('hd') ? keys.seed() : null,
    signedOrders: new SignedOrders(),
  }
  return Promise.all([new LaneRunner(lane).run(signal), new FormerLanes(lane).run(signal)]).then(() => undefined)
}

const withdrawer = ({ keys, options }: SolverDeps, { config, adapter }: Chain): Signer | null => {
  const { cosigns, authorizeWithdrawal } = adapter.lane
  if (!options.withdrawals || (cosigns !== true && authorizeWithdrawal === undefined)) return null
  const allocator = allocatorOf(keys, config.id)
  return allocator === null ? null : boundedSigner(allocator, options.signTimeoutMs)
}
