import { systemClock } from '@causeway/core'
import type { BlockRef, ChainDeps, Live } from '@causeway/core/chain'
import {
  AdapterShell,
  EndpointMonitor,
  HeadFollower,
  HeadPace,
  requireExplained,
  WakeSignal,
} from '@causeway/core/chain-kit'
import { NATIVE } from './address/addresses.js'
import { bvmDepositLookup } from './deposit/depositLookup.js'
import { bvmDepositAddresses } from './depositAddress/depositAddresses.js'
import { BvmLane } from './lane/lane.js'
import type { BvmSettings } from './options.js'
import { FeeSource } from './payout/feeSource.js'
import { PayoutBuilder } from './payout/payoutBuilder.js'
import { type BalanceQuery, readBalances } from './read/balances.js'
import { sourceProbe } from './rpc/probe.js'
import { openSourcePool, type SourceMonitor, type SourcePool } from './rpc/sourcePool.js'

/** A head that was read within this time is not requested again. */
const FRESH_MS = 500
/** Assumed block interval until one is measured. */
const ASSUMED_BLOCK_MS = 600_000

/** The native currency where the configuration does not list it. */
export const NATIVE_CURRENCY = { address: NATIVE, symbol: 'BTC', name: 'Bitcoin', decimals: 8 }

/** All parts over the nodes of one network. */
export const bvmParts = (settings: BvmSettings, deps: ChainDeps) => {
  const { network, depository, fees: bounds, feeTarget: target, depositAccount: account, creditSweeps } = settings
  const pool = openSourcePool({ endpoints: deps.config.rpc, settings, logger: deps.logger })
  const reading = readingSide(pool, settings, deps)
  const { settle, monitor, heads } = reading
  const fees = new FeeSource({ pool, bounds, target, needsEstimate: network.name === 'mainnet', clock: systemClock })
  const shared = { pool, network, depository, fees, bounds, settle, creditSweeps }
  const builder = new PayoutBuilder(shared)
  const { pace, payoutsPerTransaction } = settings
  return {
    ...reading,
    pool,
    fees,
    builder,
    lane: new BvmLane({ ...shared, heads, builder, monitor, pace, payoutsPerTransaction }),
    /** Null where none are configured. */
    depositAddresses: account === null ? null : bvmDepositAddresses({ ...shared, account }),
  }
}

export type BvmParts = ReturnType<typeof bvmParts>

/** Follows the chain and compares its nodes. */
const readingSide = (pool: SourcePool, settings: BvmSettings, { config, logger }: ChainDeps) => {
  const { network, depository, genesisHash, endpointCheckMs, startHeight, pollIntervalMs } = settings
  const pace = new HeadPace(ASSUMED_BLOCK_MS)
  const settle = BigInt(Math.max(1, config.confirmations.settle))
  const read = () => pool.ask((source) => source.tip())
  const freshMs = Math.min(FRESH_MS, pollIntervalMs)
  const heads = new HeadFollower({ read, pace, pollIntervalMs, freshMs, logger })
  const monitor: SourceMonitor = new EndpointMonitor({
    pool,
    probe: sourceProbe(genesisHash, settle),
    intervalMs: endpointCheckMs,
    pace,
    headTime: () => heads.latest?.time ?? null,
    logger,
  })
  const wake = new WakeSignal()
  const watched = { pool, watched: depository, rules: { network, depository: depository.script } }
  return {
    settle,
    heads,
    monitor,
    shell: shellOver({ pool, heads, monitor, wake }, { config, logger }),
    lookup: bvmDepositLookup({ ...watched, monitor, settle: Number(settle) }),
    watcherOf: (live: Live) => ({ ...watched, live, startHeight, pollIntervalMs, wake, logger }),
    balances: async (queries: readonly BalanceQuery[]) => {
      const found = await readBalances(queries, { pool, network })
      requireExplained(found.height, pace)
      return found
    },
  }
}

interface Followed {
  readonly pool: SourcePool
  readonly heads: HeadFollower<BlockRef>
  readonly monitor: SourceMonitor
  readonly wake: WakeSignal
}

const shellOver = ({ pool, heads, monitor, wake }: Followed, deps: Pick<ChainDeps, 'config' | 'logger'>) =>
  new AdapterShell({
    ...deps,
    pool,
    monitor,
    // Without `refresh`: the watcher reads the head itself.
    heads: {
      tip: () => heads.tip(),
      onHead: (listener, signal) => heads.onHead(listener, signal),
      stop: () => heads.stop(),
    },
    ask: (endpoint) => endpoint.ask((source) => source.tip()),
    follow: (signal) => {
      heads.start()
      heads.onHead(() => wake.hint(), signal)
    },
    wake: () => wake.hint(),
  })
