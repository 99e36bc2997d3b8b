import type { ChainDeps } from '@causeway/core/chain'
import { AdapterShell, EndpointMonitor, HeadPace, JsonRpcClient, requireExplained } from '@causeway/core/chain-kit'
import { type Contracts, ZERO_ADDRESS } from './address/addresses.js'
import { evmDepositLookup } from './deposit/depositLookup.js'
import { type UserDeps, UserSteps } from './deposit/userSteps.js'
import { evmDepositAddresses } from './depositAddress/depositAddresses.js'
import { EvmLane } from './lane/lane.js'
import type { EvmSettings } from './options.js'
import { FailureExplainer } from './payout/failure/failureExplainer.js'
import { FeeSource } from './payout/fees/feeSource.js'
import { PayoutFees } from './payout/payoutFees.js'
import { Simulator } from './payout/simulator.js'
import { EvmSignedDeposits } from './permit/evmSignedDeposits.js'
import { type BalanceQuery, readBalances } from './read/balances.js'
import { TokenReader } from './read/tokenFacts.js'
import { logFilters } from './read/watch/logReader.js'
import { evmProtocol } from './rpc/evmProtocol.js'
import { HeadSource } from './rpc/headSource.js'
import { evmProbe } from './rpc/probe.js'
import { evmContractWallets } from './wallet/evmContractWallets.js'

/** Assumed block interval until one is measured: that of the slowest common chain. */
const ASSUMED_BLOCK_MS = 12_000

/** The native currency where the configuration does not list it. */
export const NATIVE_CURRENCY = { address: ZERO_ADDRESS, symbol: 'ETH', name: 'Ether', decimals: 18 }

/** Hooks of tests and metrics. */
export interface EvmHooks {
  /** Called once for each JSON-RPC call that goes out over HTTP, batched or not. */
  readonly onRpcCall?: (method: string) => void
}

/** All parts over the nodes of one chain. */
export const evmParts = (settings: EvmSettings, deps: ChainDeps, hooks: EvmHooks) => {
  const { config, clock, logger } = deps
  const contracts: Contracts = { ...settings, chainId: config.id }
  const rpc = new JsonRpcClient({
    protocol: evmProtocol(config.id),
    endpoints: config.rpc,
    timeoutMs: settings.rpcTimeoutMs,
    logger,
    onRpcCall: hooks.onRpcCall,
  })
  const shared = { rpc, contracts, settings }
  const reading = readingSide(shared, deps)
  const paying = payingSide({ ...shared, ...reading }, deps)
  const contractWallets = evmContractWallets(rpc, settings.signatureGasLimit)
  const users: UserDeps = { rpc, contracts, clock, contractWallets, steps: paying.steps, fees: paying.payoutFees }
  const { depositAddressFactory: factory, permits } = settings
  return {
    ...shared,
    ...reading,
    ...paying,
    users,
    shell: shellOver({ ...shared, ...reading, ...paying }, deps),
    tokenFacts: new TokenReader({ rpc, clock }),
    /** Null where the chain is configured without them. */
    depositAddresses: factory === null ? null : evmDepositAddresses(factory, users),
    signedDeposits: permits === null ? null : new EvmSignedDeposits(users),
  }
}

export type EvmParts = ReturnType<typeof evmParts>

interface Shared {
  readonly rpc: JsonRpcClient
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

/** Heads, the comparison of nodes, and deposits by their receipts. */
const readingSide = ({ rpc, contracts, settings }: Shared, { config, logger }: ChainDeps) => {
  const pace = new HeadPace(ASSUMED_BLOCK_MS)
  const { settle } = config.confirmations
  const heads = new HeadSource({
    rpc,
    endpoints: config.rpc,
    pollIntervalMs: settings.pollIntervalMs,
    maxHeadAgeSeconds: settings.maxHeadAgeSeconds,
    pace,
    logFilters: logFilters({ ...contracts, tokens: [] }),
    logger,
  })
  const monitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: evmProbe(config.id, settle),
    intervalMs: settings.endpointCheckMs,
    pace,
    headTime: () => heads.latest?.time ?? null,
    logger,
  })
  return {
    heads,
    monitor,
    /** Lower-case addresses of the configured tokens. */
    tokens: config.currencies.map(({ address }) => address.toLowerCase()).filter((token) => token !== ZERO_ADDRESS),
    lookup: evmDepositLookup({ rpc, monitor, depository: settings.depository, settle }),
    balances: async (queries: readonly BalanceQuery[]) => {
      const found = await readBalances(queries, rpc)
      requireExplained(found.height, pace)
      return found
    },
  }
}

const payingSide = (shared: Shared & ReturnType<typeof readingSide>, { config, clock }: ChainDeps) => {
  const fees = new FeeSource({ ...shared, clock })
  const simulator = new Simulator(shared)
  return {
    fees,
    simulator,
    payoutFees: new PayoutFees(fees),
    failures: new FailureExplainer(shared),
    lane: new EvmLane({ ...shared, fees, simulator, confirmations: config.confirmations }),
    steps: new UserSteps({ ...shared, fees, clock, chainId: config.id }),
  }
}

const shellOver = (
  { rpc, heads, monitor, fees }: Shared & ReturnType<typeof readingSide> & ReturnType<typeof payingSide>,
  { config, logger }: ChainDeps,
) =>
  new AdapterShell({
    config,
    logger,
    pool: rpc,
    monitor,
    heads,
    ask: (endpoint) => endpoint.batch([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]),
    follow: async (signal) => {
      heads.start()
      fees.follow(signal)
      await heads.tip()
    },
    wake: () => heads.wake(),
  })
