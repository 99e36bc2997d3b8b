import type { ChainDeps } from '@causeway/core/chain'
import { AdapterShell, EndpointMonitor, HeadPace, JsonRpcClient } from '@causeway/core/chain-kit'
import { NATIVE } from './address/addresses.js'
import { DepositBuilder } from './deposit/buildDeposit.js'
import { svmDepositLookup } from './deposit/depositLookup.js'
import { LookupTables } from './deposit/lookupTables.js'
import { SvmDepositAddresses } from './depositAddress/depositAddresses.js'
import { SweepForms } from './depositAddress/sweep/sweepForm.js'
import { svmLane } from './lane/lane.js'
import type { SvmSettings } from './options.js'
import { FeeSource } from './payout/fees/feeSource.js'
import { PayoutForms } from './payout/payoutForms.js'
import { RequestForm } from './payout/requestForm.js'
import { Simulator } from './payout/simulator.js'
import { SwapForms } from './payout/swapForm.js'
import { SwapPayments } from './payout/swapPayments.js'
import { AccountReader } from './read/token/accountReader.js'
import { MintReader } from './read/token/mintReader.js'
import { watchedAddresses } from './read/watch/watchedAddresses.js'
import { HeadSource } from './rpc/head/headSource.js'
import { svmProbe } from './rpc/probe.js'
import { svmProtocol } from './rpc/protocol.js'
import { latestBlockhashCall } from './rpc/wire.js'
import { SwapSources } from './swap/swapSources.js'
import { UserSwaps } from './swap/userSwaps.js'

/** Slot time until the pace of the chain is measured. */
const ASSUMED_SLOT_MS = 400

/** Native currency of chains whose configuration does not list it. */
export const NATIVE_CURRENCY = { address: NATIVE, symbol: 'SOL', name: 'Solana', decimals: 9 }

/** Hooks of tests and metrics. */
export interface SvmHooks {
  /** Called once for each JSON-RPC call that goes out over HTTP, batched or not. */
  readonly onRpcCall?: (method: string) => void
}

export type SvmParts = ReturnType<typeof svmParts>

/** All parts over the nodes of one chain. */
export const svmParts = (settings: SvmSettings, deps: ChainDeps, hooks: SvmHooks) => {
  const { config, logger } = deps
  const rpc = new JsonRpcClient({
    protocol: svmProtocol(settings.genesisHash),
    endpoints: config.rpc,
    timeoutMs: settings.rpcTimeoutMs,
    logger,
    onRpcCall: hooks.onRpcCall,
  })
  const [accounts, mints, fees] = [
    new AccountReader({ rpc }),
    new MintReader({ rpc }),
    new FeeSource({ rpc, settings }),
  ]
  const shared = { rpc, settings, accounts, mints, fees, tables: new LookupTables({ accounts }) }
  const reading = readingSide(shared, deps)
  return { ...shared, ...reading, ...payingSide({ ...shared, ...reading }, deps) }
}

interface Shared {
  readonly rpc: JsonRpcClient
  readonly settings: SvmSettings
  readonly accounts: AccountReader
  readonly mints: MintReader
  readonly fees: FeeSource
  readonly tables: LookupTables
}

/** Follows the chain and compares its nodes. */
const readingSide = ({ rpc, settings, mints }: Shared, { config, logger }: ChainDeps) => {
  const pace = new HeadPace(ASSUMED_SLOT_MS)
  const { genesisHash, pollIntervalMs, maxHeadAgeSeconds } = settings
  const heads = new HeadSource({ rpc, endpoints: config.rpc, pollIntervalMs, maxHeadAgeSeconds, pace, logger })
  const monitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: svmProbe(genesisHash),
    intervalMs: settings.endpointCheckMs,
    pace,
    headTime: () => heads.latest?.time ?? null,
    logger,
  })
  const watched = readOnce(() => watchedAddresses(settings.depository, { config, mints, logger }))
  const shell = new AdapterShell({
    config,
    logger,
    pool: rpc,
    monitor,
    heads,
    ask: (endpoint) => endpoint.batch([latestBlockhashCall('confirmed')]),
    follow: async (signal) => {
      const addresses = await watched()
      if (signal.aborted) return
      heads.start(addresses)
      await heads.tip()
    },
    wake: () => heads.wake(),
  })
  const lookup = svmDepositLookup({
    ...formOf(settings),
    rpc,
    monitor,
    settle: config.confirmations.settle,
  })
  return { pace, heads, monitor, watched, shell, lookup }
}

/** Builds, simulates and pays. */
const payingSide = (
  parts: Shared & Pick<ReturnType<typeof readingSide>, 'heads' | 'monitor'>,
  { config, logger }: ChainDeps,
) => {
  const { rpc, settings, accounts, mints, fees, tables, heads } = parts
  const { depositoryProgram: program, depositPoolKey, swapSources } = settings
  const requests = program === null ? null : new RequestForm({ program, accounts })
  const forms = new PayoutForms({ mints, accounts, settings, requests })
  const sources = swapSources.length === 0 ? null : new SwapSources({ sources: swapSources, logger })
  const userSwaps = sources === null ? null : new UserSwaps({ sources, mints })
  const swaps =
    sources === null
      ? null
      : new SwapPayments({ rpc, fees, forms: new SwapForms({ sources, mints, tables, settings }) })
  const tokens = config.currencies.map(({ address }) => address).filter((address) => address !== NATIVE)
  const sweeps = depositPoolKey === null ? null : new SweepForms({ mints, accounts, fees, settings, tokens })
  const paying = { ...parts, forms, swaps, sweeps }
  return {
    /** Null where none are configured. */
    sources,
    userSwaps,
    deposits: new DepositBuilder({ mints, accounts, tables, fees, settings, rpc, swaps: userSwaps }),
    depositAddresses:
      depositPoolKey === null
        ? null
        : new SvmDepositAddresses(depositPoolKey, { rpc, accounts, mints, fees, config, settings }),
    simulator: new Simulator({ ...paying, heads }),
    lane: svmLane({ ...paying, requests, confirmations: config.confirmations }),
  }
}

/** The accounts by which deposits are recognised. */
export const formOf = ({ depository, depositoryProgram }: SvmSettings) => ({ depository, program: depositoryProgram })

/** Keeps the first answer; a failure is asked again. */
const readOnce = <Answer>(read: () => Promise<Answer>): (() => Promise<Answer>) => {
  let answer: Promise<Answer> | null = null
  return () => {
    answer ??= read().catch((error: unknown) => {
      answer = null
      throw error
    })
    return answer
  }
}
