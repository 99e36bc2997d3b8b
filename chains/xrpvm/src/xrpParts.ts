import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import {
  AdapterShell,
  askInOrder,
  EndpointMonitor,
  HeadPace,
  IndexedLedger,
  JsonRpcClient,
  type JsonRpcEndpoint,
  requireExplained,
  taggedArrivals,
} from '@causeway/core/chain-kit'
import { readBalances } from './account/balances.js'
import { NATIVE, validateAddress } from './address/addresses.js'
import { DROPS_DECIMALS } from './currency/amounts.js'
import { normalizeCurrency } from './currency/currencies.js'
import { DepositSource } from './deposit/depositSource.js'
import { type XrpDepositAddresses, xrpDepositAddresses } from './depositAddress/depositAddresses.js'
import { taggedAccount } from './depositAddress/taggedAccount.js'
import { FeeSource, feeToOffer } from './fees/feeLevels.js'
import { TransferRates } from './fees/transferRates.js'
import { XrpFees } from './fees/xrpFees.js'
import { xrpLane } from './lane/xrpLane.js'
import type { LedgerTransaction } from './ledger/transactions.js'
import type { XrpSettings } from './options.js'
import { type XrpSimulator, xrpSimulator } from './payout/simulator.js'
import { askHead } from './rpc/xrpNode.js'
import { xrpProbe } from './rpc/xrpProbe.js'
import { xrpProtocol } from './rpc/xrpProtocol.js'
import { XrpStream } from './rpc/xrpStream.js'

/** Time between ledgers until it was seen. */
const ASSUMED_LEDGER_MS = 4000

/** Of every network whose configuration does not call it otherwise. */
export const NATIVE_CURRENCY = { address: NATIVE, symbol: 'XRP', name: 'XRP', decimals: DROPS_DECIMALS }

/** What only tests and metrics need. */
export interface XrpHooks {
  /** Called once for each request that goes out over HTTP. */
  readonly onRpcCall?: (method: string) => void
}

/** What an adapter is made of: parts of core's kit, and this chain's own. */
export interface XrpParts {
  readonly rpc: JsonRpcClient
  readonly shell: AdapterShell
  readonly ledger: IndexedLedger<JsonRpcEndpoint, LedgerTransaction>
  readonly balances: ChainAdapter['getBalances']
  readonly fees: XrpFees
  readonly simulator: XrpSimulator
  readonly lane: ReturnType<typeof xrpLane>
  /** Null where none are configured. */
  readonly deposits: XrpDepositAddresses | null
}

/** All parts over the nodes of one network. */
export const xrpParts = (settings: XrpSettings, deps: ChainDeps, hooks: XrpHooks): XrpParts => {
  const { config, keptSums, logger } = deps
  const rpc = new JsonRpcClient({
    protocol: xrpProtocol(settings.networkId),
    endpoints: config.rpc,
    timeoutMs: settings.rpcTimeoutMs,
    logger,
    onRpcCall: hooks.onRpcCall,
  })
  const pace = new HeadPace(ASSUMED_LEDGER_MS)
  const reading = readingSide(rpc, pace, settings, deps)
  const { ledger, monitor, source } = reading
  const balances: ChainAdapter['getBalances'] = async (queries) => {
    const found = await askInOrder(rpc, (node) => readBalances(node, queries))
    requireExplained(found.height, pace)
    return found
  }
  const [levels, rates] = [new FeeSource(rpc), new TransferRates(rpc)]
  const fee = async () => {
    const now = await levels.levels()
    return feeToOffer(now, settings.maxFeeDrops) ?? settings.maxFeeDrops
  }
  const { depositAccount: account } = settings
  const shared = { rpc, settings, config, logger }
  const deposits =
    account === null ? null : xrpDepositAddresses({ ...shared, keptSums, account, source, balances, fee })
  const paying = { rpc, settings, fees: levels, rates, sweeps: deposits?.sweeps ?? null }
  return {
    rpc,
    shell: reading.shell,
    ledger,
    balances,
    fees: new XrpFees({ source: levels, rates, settings }),
    simulator: xrpSimulator(paying),
    lane: xrpLane({ ...paying, monitor, heads: ledger.heads }),
    deposits,
  }
}

/** What follows the ledger and compares its nodes. */
const readingSide = (rpc: JsonRpcClient, pace: HeadPace, settings: XrpSettings, { config, logger }: ChainDeps) => {
  const { depository, networkId, startLedger, depositAccount, pollIntervalMs } = settings
  const monitor: EndpointMonitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: xrpProbe(networkId),
    intervalMs: settings.endpointCheckMs,
    pace,
    headTime: () => ledger.heads.latest?.time ?? null,
    logger,
  })
  const source = new DepositSource({ depository, startLedger })
  const currencies = new Set([NATIVE, ...config.currencies.map(({ address }) => address)])
  const arrivalsAt = (account: string) => taggedArrivals(taggedAccount({ account, networkId }), source, currencies)
  const ledger: IndexedLedger<JsonRpcEndpoint, LedgerTransaction> = new IndexedLedger({
    source,
    pool: rpc,
    monitor,
    account: depository,
    pace,
    pollIntervalMs,
    isLive: () => stream.isLive,
    settle: config.confirmations.settle,
    ...(startLedger === null ? {} : { startHeight: BigInt(startLedger) }),
    ...(depositAccount === null ? {} : { arrivals: arrivalsAt(depositAccount) }),
    logger,
  })
  const stream: XrpStream = new XrpStream({
    endpoints: config.rpc,
    pool: rpc,
    accounts: [depository, ...(depositAccount === null ? [] : [depositAccount])],
    onLedger: (head) => ledger.heads.push(head),
    onTransaction: () => ledger.wake.hint(),
    logger,
  })
  const shell = new AdapterShell({
    config,
    logger,
    native: NATIVE_CURRENCY,
    validateAddress: (text) => validateAddress(text, networkId),
    normalizeCurrency,
    pool: rpc,
    monitor,
    heads: ledger.heads,
    ask: (endpoint: JsonRpcEndpoint) => askHead(endpoint),
    follow: (signal) => {
      stream.open(signal)
      ledger.heads.start()
    },
    wake: () => ledger.wake.hint(),
  })
  return { monitor, source, ledger, shell }
}
