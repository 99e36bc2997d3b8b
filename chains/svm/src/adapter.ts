import type { Hex, Json } from '@causeway/core'
import type {
  BalanceQuery,
  ChainAdapter,
  ChainDeps,
  DepositRequest,
  Destination,
  Diagnosis,
  DiagnosisRequest,
  FeeQuote,
  Live,
  Payout,
  ProviderView,
  RecipientStatus,
  Simulation,
  StepItemDraft,
  SwapCapability,
  TokenFacts,
} from '@causeway/core/chain'
import {
  AdapterShell,
  base58SignatureId,
  EndpointMonitor,
  HeadPace,
  JsonRpcClient,
  requireExplained,
} from '@causeway/core/chain-kit'
import { isOwnerless, NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { DepositBuilder } from './deposit/buildDeposit.js'
import { readTransactions, svmDepositLookup, UNREAD } from './deposit/depositLookup.js'
import { LookupTables } from './deposit/lookupTables.js'
import { programAddresses } from './deposit/program/programAddresses.js'
import { SvmDepositAddresses } from './depositAddress/depositAddresses.js'
import { SweepForms } from './depositAddress/sweep/sweepForm.js'
import { SvmDirect } from './direct/svmDirect.js'
import { SvmLane } from './lane/lane.js'
import { resolveOptions, type SvmOptions, type SvmSettings } from './options.js'
import { FeeSource } from './payout/fees/feeSource.js'
import { estimatePayoutFee } from './payout/payoutFees.js'
import { PayoutForms } from './payout/payoutForms.js'
import { recipientStatus } from './payout/recipients.js'
import { RequestForm } from './payout/requestForm.js'
import { Simulator } from './payout/simulator.js'
import { SwapForms } from './payout/swapForm.js'
import { SwapPayments } from './payout/swapPayments.js'
import { readAccountGain } from './read/accountGain.js'
import { readBalances, reservedOf } from './read/balances.js'
import { diagnoseAccounts } from './read/diagnose/diagnoseAccounts.js'
import { diagnose } from './read/diagnose.js'
import { AccountReader } from './read/token/accountReader.js'
import { MintReader } from './read/token/mintReader.js'
import { readTokens } from './read/tokenFacts.js'
import { cursorAt, encodeCursor } from './read/watch/cursor.js'
import { watchedAddresses } from './read/watch/watchedAddresses.js'
import { Watcher } from './read/watch/watcher.js'
import { HeadSource } from './rpc/head/headSource.js'
import { svmProbe } from './rpc/probe.js'
import { svmProtocol } from './rpc/protocol.js'
import { latestBlockhashCall } from './rpc/wire.js'
import { SwapSources } from './swap/swapSources.js'
import { UserSwaps } from './swap/userSwaps.js'

/** Time between slots until it was seen. */
const ASSUMED_SLOT_MS = 400

/** Of every chain of this VM whose configuration does not call it otherwise. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'SOL', name: 'Solana', decimals: 9 }

/** Bytes of a transaction with its signatures (chains.md svm 10). */
const MAX_TRANSACTION_BYTES = 1232

/** What only tests and metrics need. */
export interface SvmHooks {
  /** Called once for each JSON-RPC call that goes out over HTTP, batched or not. */
  readonly onRpcCall?: (method: string) => void
}

/** One configured Solana chain. */
export class SvmAdapter implements ChainAdapter {
  readonly chainId
  readonly slug
  readonly vmType = 'svm'
  readonly checkTransactionId = base58SignatureId
  readonly capabilities
  readonly native
  readonly nativeDecimals = NATIVE_CURRENCY.decimals
  readonly sameAddress
  readonly start
  readonly stop
  readonly tip
  readonly onHead
  readonly poke
  readonly endpoints
  readonly onDisagreement
  readonly recheckDeposits
  readonly confirmDeposit
  readonly findTransaction
  readonly accountGain: NonNullable<ChainAdapter['accountGain']>
  readonly depository: string
  readonly moneyAccounts?: Readonly<Record<string, string>>
  readonly fillContract = null
  readonly maxAmount = 2n ** 64n - 1n
  /** Of Solana and of Eclipse. */
  readonly placeholders = [
    'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr',
    'CrfbABN2sSvmoZLu9eDDfXpaC2nHg42R7AXbHs9eg4S9',
  ]
  readonly ownerless = isOwnerless
  readonly lane: SvmLane
  readonly swaps?: SwapCapability
  readonly direct: SvmDirect
  readonly depositAddresses?: SvmDepositAddresses
  readonly #deps: ChainDeps
  readonly #settings: SvmSettings
  readonly #rpc: JsonRpcClient
  readonly #pace = new HeadPace(ASSUMED_SLOT_MS)
  readonly #heads: HeadSource
  readonly #monitor: EndpointMonitor
  readonly #mints: MintReader
  readonly #accounts: AccountReader
  readonly #fees: FeeSource
  readonly #deposits: DepositBuilder
  readonly #simulator: Simulator
  #addresses: Promise<readonly string[]> | null = null

  constructor(options: SvmOptions, deps: ChainDeps, hooks: SvmHooks = {}) {
    const { config, logger, environment } = deps
    const settings = resolveOptions(options, config.id, environment)
    this.#deps = deps
    this.#settings = settings
    this.depository = checkedDepository(settings)
    const { depositoryProgram } = settings
    if (depositoryProgram !== null) this.moneyAccounts = { depositoryProgram }
    this.capabilities = {
      tokens: true,
      destinationCalls: false,
      simulation: 'full',
      bump: 'resign-after-expiry',
      mempoolVisibility: false,
      depositBinding: settings.depositoryProgram === null ? 'memo' : 'contract-arg',
      destinationTag: false,
      maxOriginTxBytes: MAX_TRANSACTION_BYTES,
      refundToDepositor: true,
      depositFeePayer: true,
      gasTopup: true,
    } as const
    const { genesisHash, pollIntervalMs, maxHeadAgeSeconds } = settings
    this.#rpc = new JsonRpcClient({
      protocol: svmProtocol(genesisHash),
      endpoints: config.rpc,
      timeoutMs: settings.rpcTimeoutMs,
      logger,
      onRpcCall: hooks.onRpcCall,
    })
    const rpc = this.#rpc
    const pace = this.#pace
    this.#heads = new HeadSource({ rpc, endpoints: config.rpc, pollIntervalMs, maxHeadAgeSeconds, pace, logger })
    const headTime = () => this.#heads.latest?.time ?? null
    const probe = svmProbe(genesisHash)
    this.#monitor = new EndpointMonitor({
      pool: rpc.pool,
      probe,
      intervalMs: settings.endpointCheckMs,
      pace,
      headTime,
      logger,
    })
    this.#mints = new MintReader({ rpc })
    this.#accounts = new AccountReader({ rpc })
    this.#fees = new FeeSource({ rpc, settings })
    const { depositoryProgram: program } = settings
    const [accounts, mints, fees, heads] = [this.#accounts, this.#mints, this.#fees, this.#heads]
    const requests = program === null ? null : new RequestForm({ program, accounts })
    const forms = new PayoutForms({ mints, accounts, settings, requests })
    const tables = new LookupTables({ accounts })
    const sources =
      settings.swapSources.length === 0 ? null : new SwapSources({ sources: settings.swapSources, logger })
    if (sources !== null) this.swaps = sources
    const swaps = sources === null ? null : new UserSwaps({ sources, mints })
    this.#deposits = new DepositBuilder({ mints, accounts, tables, fees, settings, rpc, swaps })
    this.direct = new SvmDirect({
      ...{ rpc, heads, fees, mints, accounts, tables, swaps, settings },
      status: (address, currency) => this.recipientStatus({ address }, currency),
      read: (id) => this.#readTransaction(id),
    })
    const payments =
      sources === null
        ? null
        : new SwapPayments({ rpc, fees, forms: new SwapForms({ sources, mints, tables, settings }) })
    const { depositPoolKey } = settings
    const tokens = config.currencies.map(({ address }) => address).filter((address) => address !== NATIVE)
    const sweeps = depositPoolKey === null ? null : new SweepForms({ mints, accounts, fees, settings, tokens })
    this.#simulator = new Simulator({ rpc, heads, fees, forms, swaps: payments, sweeps, settings })
    if (depositPoolKey !== null) {
      const read = { rpc, accounts, mints, fees, config, settings }
      this.depositAddresses = new SvmDepositAddresses(depositPoolKey, read)
    }
    const shell = new AdapterShell({
      config,
      logger,
      native: NATIVE_CURRENCY,
      validateAddress,
      normalizeCurrency,
      pool: rpc,
      monitor: this.#monitor,
      heads,
      ask: (endpoint) => endpoint.batch([latestBlockhashCall('confirmed')]),
      follow: async (signal) => {
        const addresses = await this.#watched()
        if (signal.aborted) return
        heads.start(addresses)
        await heads.tip()
      },
      wake: () => heads.wake(),
    })
    this.chainId = shell.chainId
    this.slug = shell.slug
    this.native = shell.native
    this.sameAddress = shell.sameAddress
    this.start = shell.start
    this.stop = shell.stop
    this.tip = shell.tip
    this.onHead = shell.onHead
    this.poke = shell.poke
    this.endpoints = shell.endpoints
    this.onDisagreement = shell.onDisagreement
    const { confirmations } = config
    const lookup = svmDepositLookup({ ...this.#form(), rpc, monitor: this.#monitor, settle: confirmations.settle })
    this.recheckDeposits = lookup.recheckDeposits
    this.confirmDeposit = lookup.confirmDeposit
    this.findTransaction = lookup.findTransaction
    this.accountGain = (tx, account) => readAccountGain((calls) => rpc.batch(calls), this.#form(), tx, account)
    this.lane = new SvmLane({
      rpc,
      heads,
      fees,
      forms,
      swaps: payments,
      sweeps,
      accounts,
      requests,
      settings,
      confirmations,
      monitor: this.#monitor,
    })
  }

  validateAddress(text: string) {
    return validateAddress(text)
  }

  normalizeCurrency(text: string): string | null {
    return normalizeCurrency(text)
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** The order names no contract on this chain: its memo proves a fill (chains.md svm 5). */
  orderExtraData(): Hex {
    return '0x'
  }

  async finalHeight(): Promise<bigint> {
    return (await this.#heads.finalized()).slot
  }

  async getBalances(queries: readonly BalanceQuery[]) {
    const found = await readBalances(queries, { rpc: this.#rpc, mints: this.#mints })
    requireExplained(found.height, this.#pace)
    const { depository } = this
    return { ...found, reserved: await reservedOf(queries, found.amounts, { depository, fees: this.#fees }) }
  }

  recipientStatus(to: Destination, currency: string): Promise<RecipientStatus> {
    const { depository } = this
    return recipientStatus(to, currency, { accounts: this.#accounts, mints: this.#mints, fees: this.#fees, depository })
  }

  estimateDepositFee(request: DepositRequest): Promise<FeeQuote> {
    return this.#deposits.estimate(request)
  }

  estimatePayoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote> {
    return estimatePayoutFee(payout, simulation, { fees: this.#fees, settings: this.#settings, mints: this.#mints })
  }

  simulate(payout: Payout): Promise<Simulation> {
    return this.#simulator.simulate(payout)
  }

  buildDeposit(request: DepositRequest): Promise<readonly StepItemDraft[]> {
    return this.#deposits.build(request)
  }

  prefetchDeposit({ money }: Omit<DepositRequest, 'orderId'>): void {
    // Whoever builds the deposit meets the failure.
    if (money.currency !== NATIVE) this.#mints.read(money.currency).catch(() => undefined)
  }

  async cursorAt(slot: bigint): Promise<Json> {
    return encodeCursor(cursorAt(slot))
  }

  watch(cursor: Json, live: Live, signal: AbortSignal) {
    const watcher = new Watcher({
      live,
      config: this.#deps.config,
      directKinds: this.direct.kinds,
      rpc: this.#rpc,
      heads: this.#heads,
      addresses: () => this.#watched(),
      settings: this.#settings,
      monitor: this.#monitor,
      logger: this.#deps.logger,
    })
    return watcher.pages(cursor, signal)
  }

  diagnose(request: DiagnosisRequest): Promise<readonly Diagnosis[]> {
    return diagnose(request, { rpc: this.#rpc, config: this.#deps.config, settings: this.#settings })
  }

  verifyContracts(expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]> {
    return diagnoseAccounts(
      this.#rpc,
      { rpc: this.#rpc, config: this.#deps.config, settings: this.#settings },
      expected,
    )
  }

  providerViews() {
    const { providers, providerCount } = this.#rpc
    const deps = { rpc: this.#rpc, config: this.#deps.config, settings: this.#settings }
    return {
      providerCount,
      providers: providers.map((node): ProviderView => {
        const accounts = new AccountReader({ rpc: { gather: (calls) => node.batch(calls) } })
        return {
          provider: node.provider,
          readTokens: (currencies) => readTokens(currencies, accounts),
          verifyContracts: (expected) => diagnoseAccounts(node, deps, expected),
        }
      }),
    }
  }

  async readToken(currency: string): Promise<TokenFacts | null> {
    const [facts = null] = await readTokens([currency], this.#accounts)
    return facts
  }

  async #readTransaction(id: string) {
    const { readings } = await readTransactions([id], (calls) => this.#rpc.batch(calls), this.#form())
    const { transaction, block } = readings.get(id) ?? UNREAD
    return transaction === null || block === null ? null : { transaction, block }
  }

  #form() {
    return { depository: this.depository, program: this.#settings.depositoryProgram }
  }

  /** Addresses that deposits mention, read once. */
  #watched(): Promise<readonly string[]> {
    const { config, logger } = this.#deps
    this.#addresses ??= watchedAddresses(this.depository, { config, mints: this.#mints, logger }).catch(
      (error: unknown) => {
        this.#addresses = null
        throw error
      },
    )
    return this.#addresses
  }
}

/** Deposits of a program arrive at its own vault and nowhere else. */
const checkedDepository = ({ depository, depositoryProgram }: SvmSettings): string => {
  const vault = depositoryProgram === null ? depository : programAddresses(depositoryProgram).vault
  if (vault === depository) return depository
  throw new Error(`options.depository must be the vault of options.depositoryProgram, which is ${vault}.`)
}
