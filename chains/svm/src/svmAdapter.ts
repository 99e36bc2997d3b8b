import type {
  BlockRef,
  ChainAdapter,
  ChainDeps,
  ClaimedDeposit,
  DepositEvidence,
  DepositRequest,
  Destination,
  Diagnosis,
  DiagnosisRequest,
  Disagreement,
  EndpointHealth,
  FeeQuote,
  Hex,
  Json,
  Payout,
  RecipientStatus,
  Simulation,
  StepItemDraft,
  SwapCapability,
  TokenFacts,
  TxRef,
} from '@causeway/core'
import { EndpointMonitor, JsonRpcClient, ServiceError } from '@causeway/core'
import { NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { type BalanceQuery, readBalances } from './balances.js'
import { DepositBuilder } from './deposit/depositBuilder.js'
import { LookupTables } from './deposit/lookupTables.js'
import { diagnose } from './diagnose/diagnose.js'
import { SvmDirect } from './direct/svmDirect.js'
import { FeeSource } from './fees/feeSource.js'
import { HeadSource } from './head/headSource.js'
import { SvmLane } from './lane/svmLane.js'
import { resolveOptions, type SvmOptions, type SvmSettings } from './options.js'
import { estimatePayoutFee } from './payout/payoutFee.js'
import { PayoutForms } from './payout/payoutForm.js'
import { recipientStatus } from './payout/recipients.js'
import { RequestForm } from './payout/requestForm.js'
import { Simulator } from './payout/simulator.js'
import { SwapForms } from './payout/swapForm.js'
import { SwapPayments } from './payout/swapPayments.js'
import { programAddresses } from './program/programAddresses.js'
import { svmProbe } from './rpc/svmProbe.js'
import { svmProtocol } from './rpc/svmProtocol.js'
import { latestBlockhashCall } from './rpc/wire.js'
import { SwapSources } from './swap/swapSources.js'
import { UserSwaps } from './swap/userSwaps.js'
import { AccountReader } from './token/accountReader.js'
import { MintReader } from './token/mintReader.js'
import { readTokenFacts } from './token/tokenFacts.js'
import { confirmDeposit } from './watch/confirmDeposit.js'
import { findTransaction, look, recheckDeposits, UNSEEN } from './watch/depositLookup.js'
import { watchedAddresses } from './watch/watchedAddresses.js'
import { Watcher } from './watch/watcher.js'

/** Bytes of a transaction with its signatures (chains.md svm 10). */
const MAX_TRANSACTION_BYTES = 1232

/** What only tests and metrics need. */
export interface SvmHooks {
  /** Called once for each JSON-RPC call that goes out over HTTP, batched or not. */
  readonly onRpcCall?: (method: string) => void
}

/** One configured Solana chain. */
export class SvmAdapter implements ChainAdapter {
  readonly chainId: number
  readonly slug: string
  readonly vmType = 'svm'
  readonly capabilities
  readonly native
  readonly depository: string
  readonly fillContract = null
  readonly maxAmount = 2n ** 64n - 1n
  readonly lane: SvmLane
  readonly swaps?: SwapCapability
  readonly direct: SvmDirect
  readonly #deps: ChainDeps
  readonly #settings: SvmSettings
  readonly #rpc: JsonRpcClient
  readonly #heads: HeadSource
  readonly #monitor: EndpointMonitor
  readonly #mints: MintReader
  readonly #accounts: AccountReader
  readonly #fees: FeeSource
  readonly #deposits: DepositBuilder
  readonly #simulator: Simulator
  #addresses: Promise<readonly string[]> | null = null

  constructor(options: SvmOptions, deps: ChainDeps, hooks: SvmHooks = {}) {
    const { config, logger } = deps
    const settings = resolveOptions(options, config.id)
    this.#deps = deps
    this.#settings = settings
    this.chainId = config.id
    this.slug = config.slug
    this.depository = checkedDepository(settings)
    this.native = nativeOf(config.currencies)
    this.capabilities = {
      tokens: true,
      destinationCalls: false,
      simulation: 'full',
      bump: 'resign-after-expiry',
      mempoolVisibility: false,
      depositBinding: settings.depositoryProgram === null ? 'memo' : 'contract-arg',
      depositAddress: ['hd-key'],
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
    this.#heads = new HeadSource({ rpc, endpoints: config.rpc, pollIntervalMs, maxHeadAgeSeconds, logger })
    const headTime = () => this.#heads.latest?.time ?? null
    const probe = svmProbe(genesisHash)
    this.#monitor = new EndpointMonitor({ rpc, probe, intervalMs: settings.endpointCheckMs, headTime, logger })
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
    this.direct = new SvmDirect({ rpc, fees, mints, accounts, tables, swaps, look: (id) => this.#look(id) })
    const payments =
      sources === null
        ? null
        : new SwapPayments({ rpc, fees, forms: new SwapForms({ sources, mints, tables, settings }) })
    this.#simulator = new Simulator({ rpc, heads, fees, forms, swaps: payments, settings })
    const { confirmations } = config
    this.lane = new SvmLane({
      rpc,
      heads,
      fees,
      forms,
      swaps: payments,
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

  sameAddress(left: string, right: string): boolean {
    return left === right
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** The order names no contract on this chain: its memo proves a fill (chains.md svm 5). */
  orderExtraData(): Hex {
    return '0x'
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => void this.stop(), { once: true })
    const [checks] = await Promise.all([
      Promise.allSettled(this.#rpc.endpoints.map((endpoint) => endpoint.batch([latestBlockhashCall('confirmed')]))),
      this.#monitor.check(),
    ])
    const failed = checks.filter((check) => check.status === 'rejected')
    for (const check of failed) this.#deps.logger.error({ err: check.reason }, 'A node of this chain is not usable')
    if (failed.length === checks.length) {
      throw new ServiceError('SERVICE_UNAVAILABLE', `No node of chain ${this.chainId} is usable.`, {
        cause: failed[0]?.reason,
      })
    }
    const addresses = await this.#watched()
    if (signal.aborted) return
    this.#monitor.start()
    this.#heads.start(addresses)
    await this.#heads.tip()
  }

  async stop(): Promise<void> {
    this.#monitor.stop()
    this.#heads.stop()
    this.#rpc.close()
  }

  endpoints(): readonly EndpointHealth[] {
    return this.#monitor.health()
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    this.#monitor.onDisagreement(listener, signal)
  }

  async tip(): Promise<BlockRef> {
    const { height, hash, time } = await this.#heads.tip()
    return { height, hash, time }
  }

  async finalHeight(): Promise<bigint> {
    return (await this.#heads.finalized()).slot
  }

  onHead(listener: (head: BlockRef) => void, signal: AbortSignal): void {
    this.#heads.onHead(({ height, hash, time }) => listener({ height, hash, time }), signal)
  }

  getBalances(queries: readonly BalanceQuery[]) {
    return readBalances(queries, { rpc: this.#rpc, mints: this.#mints })
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

  watch(cursor: Json, signal: AbortSignal) {
    const watcher = new Watcher({
      rpc: this.#rpc,
      heads: this.#heads,
      addresses: () => this.#watched(),
      settings: this.#settings,
      monitor: this.#monitor,
      logger: this.#deps.logger,
    })
    return watcher.pages(cursor, signal)
  }

  poke(): void {
    this.#heads
      .refresh()
      .catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'The head of the chain could not be read'))
      .finally(() => this.#heads.wake())
  }

  recheckDeposits(
    deposits: readonly { readonly tx: TxRef; readonly position: number }[],
  ): Promise<readonly DepositEvidence[]> {
    return recheckDeposits(deposits, this.#lookup())
  }

  confirmDeposit(
    deposit: ClaimedDeposit,
    options: { readonly agreeing: number; readonly confirmations?: number },
  ): Promise<boolean> {
    const { settle } = this.#deps.config.confirmations
    return confirmDeposit(deposit, options, { ...this.#lookup(), monitor: this.#monitor, settle })
  }

  findTransaction(tx: TxRef) {
    return findTransaction(tx, this.#lookup())
  }

  diagnose(request: DiagnosisRequest): Promise<readonly Diagnosis[]> {
    return diagnose(request, { rpc: this.#rpc, config: this.#deps.config, settings: this.#settings })
  }

  readToken(currency: string): Promise<TokenFacts | null> {
    return readTokenFacts(currency, this.#accounts)
  }

  async #look(id: string) {
    const { sights } = await look([id], (calls) => this.#rpc.batch(calls), this.#lookup())
    const { transaction, block } = sights.get(id) ?? UNSEEN
    return transaction === null || block === null ? null : { transaction, block }
  }

  #lookup() {
    return { rpc: this.#rpc, depository: this.depository, program: this.#settings.depositoryProgram }
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

/** Name of the native currency, from the configured currencies. */
const nativeOf = (currencies: ChainDeps['config']['currencies']): ChainAdapter['native'] => {
  const listed = currencies.find(({ address }) => normalizeCurrency(address) === NATIVE)
  const { symbol, name, decimals } = listed ?? { symbol: 'SOL', name: 'Solana', decimals: 9 }
  return { address: NATIVE, symbol, name, decimals }
}
