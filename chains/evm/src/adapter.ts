import type { Hex, Json } from '@causeway/core'
import { BoundedCache } from '@causeway/core'
import type {
  Approval,
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
  Spender,
  StepItemDraft,
  TokenFacts,
} from '@causeway/core/chain'
import {
  AdapterShell,
  EndpointMonitor,
  HeadPace,
  JsonRpcClient,
  prefixedHexId,
  requireExplained,
} from '@causeway/core/chain-kit'
import { pad } from 'viem/utils'
import {
  type Contracts,
  isOwnerless,
  normalizeCurrency,
  PLACEHOLDERS,
  validateAddress,
  ZERO_ADDRESS,
} from './address/addresses.js'
import type { Allowance, Spending } from './deposit/approvals.js'
import { buildDeposit, depositSize, depositSpending } from './deposit/buildDeposit.js'
import { evmDepositLookup } from './deposit/depositLookup.js'
import type { StepContext } from './deposit/stepItem.js'
import { EvmDepositAddresses } from './depositAddress/depositAddresses.js'
import { EvmDirect } from './direct/evmDirect.js'
import { EvmLane } from './lane/lane.js'
import { type EvmOptions, type EvmSettings, resolveOptions } from './options.js'
import { FailureExplainer } from './payout/failure/failureExplainer.js'
import { FeeSource } from './payout/fees/feeSource.js'
import { transactionBytes, typicalGas } from './payout/fees/gasTable.js'
import { Simulator } from './payout/simulator.js'
import { EvmSignedDeposits } from './permit/evmSignedDeposits.js'
import { readAccountGain } from './read/accountGain.js'
import { allowanceCall, type BalanceQuery, firstWord, readBalances } from './read/balances.js'
import { diagnose } from './read/diagnose.js'
import { verifyContracts } from './read/diagnosis/verifyContracts.js'
import { readTokens, TokenReader } from './read/tokenFacts.js'
import { encodeCursor } from './read/watch/cursor.js'
import { logFilters } from './read/watch/logReader.js'
import { cursorFrom, Watcher } from './read/watch/watcher.js'
import { evmProtocol } from './rpc/evmProtocol.js'
import { HeadSource } from './rpc/headSource.js'
import { evmProbe } from './rpc/probe.js'
import { EvmSwaps } from './swap/evmSwaps.js'
import { EvmContractWallets } from './wallet/evmContractWallets.js'

/** Time between blocks until it was seen: that of the slowest usual chain. */
const ASSUMED_BLOCK_MS = 12_000
const FEE_VALID_MS = 5000
/** A user who approves and asks again at once gets a step too many for this long. */
const ALLOWANCE_MS = 5_000
const MAX_ALLOWANCES = 10_000

/** Of every EVM chain whose configuration does not call it otherwise. */
const NATIVE_CURRENCY = { address: ZERO_ADDRESS, symbol: 'ETH', name: 'Ether', decimals: 18 }

const moneyAccountsOf = ({ depositAddressFactory, permits, swap }: EvmSettings): Readonly<Record<string, string>> => ({
  ...(depositAddressFactory === null ? {} : { depositAddressFactory }),
  ...(permits === null ? {} : { permitRouter: permits.router, permit2: permits.permit2 }),
  ...(swap === null ? {} : { swapRouter: swap.router }),
})

/** What only tests and metrics need. */
export interface EvmHooks {
  /** Called once for each JSON-RPC call that goes out over HTTP, batched or not. */
  readonly onRpcCall?: (method: string) => void
}

/** One configured EVM chain. */
export class EvmAdapter implements ChainAdapter {
  readonly chainId
  readonly slug
  readonly vmType = 'evm'
  readonly checkTransactionId = prefixedHexId
  readonly capabilities
  readonly native
  readonly nativeDecimals = NATIVE_CURRENCY.decimals
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
  readonly explainFailure: NonNullable<ChainAdapter['explainFailure']>
  readonly depository: string
  readonly moneyAccounts: Readonly<Record<string, string>>
  readonly fillContract: string | null
  readonly maxAmount = 2n ** 256n - 1n
  readonly placeholders = PLACEHOLDERS
  readonly ownerless = isOwnerless
  readonly lane: EvmLane
  readonly swaps?: EvmSwaps
  readonly spenders: readonly Spender[]
  readonly direct: EvmDirect
  readonly depositAddresses?: EvmDepositAddresses
  readonly signedDeposits?: EvmSignedDeposits
  readonly contractWallets: EvmContractWallets
  readonly #deps: ChainDeps
  readonly #settings: EvmSettings
  readonly #contracts: Contracts
  readonly #rpc: JsonRpcClient
  readonly #pace = new HeadPace(ASSUMED_BLOCK_MS)
  readonly #heads: HeadSource
  readonly #monitor: EndpointMonitor
  readonly #fees: FeeSource
  /** What users allow depository and swap router to take, by spender, token and user. */
  readonly #allowances: BoundedCache<bigint>
  readonly #simulator: Simulator
  readonly #tokens: TokenReader

  constructor(options: EvmOptions, deps: ChainDeps, hooks: EvmHooks = {}) {
    const { config, logger } = deps
    const settings = resolveOptions(options, config.id)
    this.#deps = deps
    this.#settings = settings
    this.depository = settings.depository
    this.fillContract = settings.fillRouter
    this.moneyAccounts = moneyAccountsOf(settings)
    this.capabilities = {
      tokens: true,
      destinationCalls: settings.fillRouter !== null || ('not-configured' as const),
      simulation: 'full',
      bump: 'replace',
      mempoolVisibility: false,
      depositBinding: 'contract-arg',
      destinationTag: false,
      maxOriginTxBytes: null,
      refundToDepositor: true,
      gasTopup: settings.fillRouter !== null,
      walletSignIn: 'eip-4361',
    } as const
    const { depository, fillRouter, depositAddressFactory, formerDepositAddressFactories } = settings
    const { swap, permits, directCallTargets, recipientGasLimit } = settings
    this.spenders = [
      ...(settings.fillRouter === null ? [] : [{ name: 'fill-router', address: settings.fillRouter }]),
      ...(settings.swap === null ? [] : [{ name: 'swap-router', address: settings.swap.router }]),
    ]
    const factories = { depositAddressFactory, formerDepositAddressFactories }
    const routers = { fillRouter, swap, permits, directCallTargets }
    this.#contracts = { chainId: config.id, depository, ...factories, ...routers, recipientGasLimit }
    this.#rpc = new JsonRpcClient({
      protocol: evmProtocol(config.id),
      endpoints: config.rpc,
      timeoutMs: settings.rpcTimeoutMs,
      logger,
      onRpcCall: hooks.onRpcCall,
    })
    const pace = this.#pace
    this.#heads = new HeadSource({
      rpc: this.#rpc,
      endpoints: config.rpc,
      pollIntervalMs: settings.pollIntervalMs,
      maxHeadAgeSeconds: settings.maxHeadAgeSeconds,
      pace,
      logFilters: logFilters({ ...this.#contracts, tokens: [] }),
      logger,
    })
    this.#monitor = new EndpointMonitor({
      pool: this.#rpc.pool,
      probe: evmProbe(config.id, config.confirmations.settle),
      intervalMs: settings.endpointCheckMs,
      pace,
      headTime: () => this.#heads.latest?.time ?? null,
      logger,
    })
    const parts = { rpc: this.#rpc, heads: this.#heads, contracts: this.#contracts, settings }
    this.#fees = new FeeSource(parts)
    this.#allowances = new BoundedCache({ clock: deps.clock, maxEntries: MAX_ALLOWANCES, lifeOf: () => ALLOWANCE_MS })
    this.#simulator = new Simulator(parts)
    const explainer = new FailureExplainer(parts)
    this.explainFailure = (payout, simulation) => explainer.explain(payout, simulation)
    this.#tokens = new TokenReader({ rpc: this.#rpc, clock: deps.clock })
    this.contractWallets = new EvmContractWallets({ rpc: this.#rpc, gasLimit: settings.signatureGasLimit })
    if (settings.swap !== null) {
      const {
        clock,
        environment,
        config: { id: chainId },
      } = deps
      this.swaps = new EvmSwaps({
        chainId,
        settings: settings.swap,
        rpc: this.#rpc,
        clock,
        logger,
        environment,
      })
    }
    const shell = new AdapterShell({
      config,
      logger,
      native: NATIVE_CURRENCY,
      validateAddress,
      normalizeCurrency,
      pool: this.#rpc,
      monitor: this.#monitor,
      heads: this.#heads,
      ask: (endpoint) => endpoint.batch([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]),
      follow: async (signal) => {
        this.#heads.start()
        this.#fees.follow(signal)
        await this.#heads.tip()
      },
      wake: () => this.#heads.wake(),
    })
    this.chainId = shell.chainId
    this.slug = shell.slug
    this.native = shell.native
    this.start = shell.start
    this.stop = shell.stop
    this.tip = shell.tip
    this.onHead = shell.onHead
    this.poke = shell.poke
    this.endpoints = shell.endpoints
    this.onDisagreement = shell.onDisagreement
    const { settle } = config.confirmations
    const lookup = evmDepositLookup({ rpc: this.#rpc, monitor: this.#monitor, depository, settle })
    this.recheckDeposits = lookup.recheckDeposits
    this.confirmDeposit = lookup.confirmDeposit
    this.findTransaction = lookup.findTransaction
    this.accountGain = (tx, account) => readAccountGain(this.#rpc, depository, tx, account)
    this.lane = new EvmLane({
      ...parts,
      monitor: this.#monitor,
      fees: this.#fees,
      simulator: this.#simulator,
      confirmations: config.confirmations,
      tokens: config.currencies.map(({ address }) => address).filter((address) => address !== ZERO_ADDRESS),
    })
    this.direct = new EvmDirect({
      ...parts,
      stepContext: () => this.#stepContext(),
      allowance: (spending) => this.#allowance(spending),
      feeQuote: (gas, bytes) => this.#feeQuote(gas, bytes),
    })
    if (permits !== null) {
      this.signedDeposits = new EvmSignedDeposits({
        ...parts,
        clock: deps.clock,
        contractWallets: this.contractWallets,
        stepContext: () => this.#stepContext(),
        allowance: (spending) => this.#allowance(spending),
        feeQuote: (gas, bytes) => this.#feeQuote(gas, bytes),
      })
    }
    if (depositAddressFactory === null) return
    this.depositAddresses = new EvmDepositAddresses({
      ...parts,
      factory: depositAddressFactory,
      stepContext: () => this.#stepContext(),
      feeQuote: (gas, bytes) => this.#feeQuote(gas, bytes),
    })
  }

  validateAddress(text: string) {
    return validateAddress(text)
  }

  normalizeCurrency(text: string): string | null {
    return normalizeCurrency(text)
  }

  sameAddress(left: string, right: string): boolean {
    return left.toLowerCase() === right.toLowerCase()
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** ABI encoding of the fill contract's address (chains.md evm 5). */
  orderExtraData(): Hex {
    return pad((this.#settings.fillRouter ?? ZERO_ADDRESS) as Hex, { size: 32 })
  }

  async getBalances(queries: readonly BalanceQuery[]) {
    const found = await readBalances(queries, this.#rpc)
    requireExplained(found.height, this.#pace)
    return found
  }

  async readToken(currency: string): Promise<TokenFacts | null> {
    if (currency !== ZERO_ADDRESS) return this.#tokens.read(currency)
    const { symbol, name, decimals } = this.native
    return { symbol, name, decimals }
  }

  verifyContracts(expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]> {
    return verifyContracts(this.#rpc, { config: this.#deps.config, settings: this.#settings }, expected)
  }

  providerViews() {
    const { providers, providerCount } = this.#rpc
    const deps = { config: this.#deps.config, settings: this.#settings }
    return {
      providerCount,
      providers: providers.map(
        (node): ProviderView => ({
          provider: node.provider,
          readTokens: (currencies) => readTokens(currencies, (calls) => node.batch(calls)),
          verifyContracts: (expected) => verifyContracts(node, deps, expected),
        }),
      ),
    }
  }

  async recipientStatus(to: Destination): Promise<RecipientStatus> {
    const address = to.address.toLowerCase()
    const refused = (why: string) => ({ canReceive: false, why })
    if (address === ZERO_ADDRESS) return refused('The zero address burns what it gets.')
    if (address === this.depository) return refused('The depository is not a recipient.')
    if (address === this.fillContract) return refused('The fill contract is not a recipient.')
    const { depositAddressFactory, formerDepositAddressFactories } = this.#contracts
    if (address === depositAddressFactory || formerDepositAddressFactories.includes(address))
      return refused('The factory of deposit addresses is not a recipient.')
    if (address === this.#contracts.permits?.router) return refused('The permit router is not a recipient.')
    if (address === this.#contracts.swap?.router) return refused('The swap router is not a recipient.')
    return { canReceive: true }
  }

  async estimateDepositFee(request: DepositRequest): Promise<FeeQuote> {
    const { gas, bytes } = depositSize(request)
    return this.#feeQuote(gas, bytes)
  }

  async estimatePayoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote> {
    const gas = simulation?.ok ? simulation.gas : typicalGas(payout)
    return this.#feeQuote(gas, transactionBytes(payout))
  }

  simulate(payout: Payout, gas: 'exact' | 'bound' = 'exact'): Promise<Simulation> {
    return this.#simulator.simulate(payout, gas)
  }

  prefetchDeposit(request: Omit<DepositRequest, 'orderId'>): void {
    const spending = depositSpending(request, this.#contracts)
    // Whoever builds the deposit meets the failure.
    if (spending !== null) this.#allowance(spending).catch(() => undefined)
  }

  async buildDeposit(request: DepositRequest): Promise<readonly StepItemDraft[]> {
    const spending = depositSpending(request, this.#contracts)
    const [context, allowance] = await Promise.all([
      this.#stepContext(),
      spending === null ? null : this.#allowance(spending),
    ])
    return buildDeposit(request, { ...context, contracts: this.#contracts, allowance })
  }

  async cursorAt(height: bigint): Promise<Json> {
    return encodeCursor(await cursorFrom(height, this.#rpc))
  }

  watch(cursor: Json, live: Live, signal: AbortSignal) {
    const watcher = new Watcher({
      live,
      rpc: this.#rpc,
      heads: this.#heads,
      watched: { ...this.#contracts, tokens: this.#tokenAddresses() },
      monitor: this.#monitor,
      settings: this.#settings,
      logger: this.#deps.logger,
    })
    return watcher.pages(cursor, signal)
  }

  /** Lower-case addresses of the configured tokens. */
  #tokenAddresses(): readonly string[] {
    const { currencies } = this.#deps.config
    return currencies.map(({ address }) => address.toLowerCase()).filter((token) => token !== ZERO_ADDRESS)
  }

  async #stepContext(): Promise<StepContext> {
    const fees = await this.#fees.current()
    return { chainId: this.chainId, fees, legacy: this.#settings.feeMode === 'legacy' }
  }

  async readAllowance({ owner, token, spender }: Omit<Approval, 'amount'>): Promise<bigint> {
    const [outcome] = await this.#rpc.gather([allowanceCall(owner, token, spender)])
    return outcome?.ok ? firstWord(String(outcome.result)) : 0n
  }

  async #allowance({ owner, token, spender }: Spending): Promise<Allowance> {
    const allowance = await this.#allowances.get(`${spender}:${token}:${owner}`, () =>
      this.readAllowance({ owner, token, spender }),
    )
    return { allowance, zeroReset: this.#settings.zeroResetTokens.has(token) }
  }

  diagnose(request: DiagnosisRequest): Promise<readonly Diagnosis[]> {
    const { config } = this.#deps
    return diagnose(request, { rpc: this.#rpc, config, settings: this.#settings })
  }

  async #feeQuote(gas: bigint, bytes: number): Promise<FeeQuote> {
    const [level, rollupFee] = await Promise.all([this.#fees.current(), this.#fees.rollupFee(bytes, gas)])
    return {
      network: { currency: ZERO_ADDRESS, amount: gas * level.expected + rollupFee },
      validForMs: FEE_VALID_MS,
    }
  }
}
