import { type Hex, type Json, systemClock } from '@causeway/core'
import type {
  AddressCodec,
  Capabilities,
  ChainAdapter,
  ChainDeps,
  DepositAddresses,
  DepositRequest,
  Destination,
  Diagnosis,
  DiagnosisRequest,
  FeeQuote,
  Live,
  Payout,
  RecipientStatus,
  Simulation,
  StepItemDraft,
} from '@causeway/core/chain'
import {
  AdapterShell,
  bareHexId,
  EndpointMonitor,
  HeadFollower,
  HeadPace,
  requireExplained,
  WakeSignal,
} from '@causeway/core/chain-kit'
import { bitcoinAddressCodec } from './address/addressCodec.js'
import {
  isOwnerless,
  NATIVE,
  normalizeCurrency,
  parseAddress,
  placeholdersOn,
  validateAddress,
} from './address/addresses.js'
import { type BalanceQuery, readBalances } from './balances.js'
import { buildDeposit } from './deposit/buildDeposit.js'
import { fingerprintOf } from './derive/depositAddress.js'
import { bvmDepositAddresses } from './derive/depositAddresses.js'
import { diagnose, diagnoseDepository } from './diagnose/diagnose.js'
import { depositFeeQuote, payoutFeeQuote } from './fees/feeQuotes.js'
import { FeeSource } from './fees/feeSource.js'
import { scriptGain } from './lane/accountGain.js'
import { BvmLane } from './lane/bvmLane.js'
import { type BvmOptions, type BvmSettings, resolveOptions } from './options.js'
import { PayoutBuilder } from './payout/payoutBuilder.js'
import { recipientStatus } from './payout/recipients.js'
import { simulatePayout } from './payout/simulatePayout.js'
import { openSourcePool, type SourceMonitor, type SourcePool } from './source/sourcePool.js'
import { sourceProbe } from './source/sourceProbe.js'
import { firstBlock } from './watch/commonHeight.js'
import { encodeCursor } from './watch/cursor.js'
import { bvmDepositLookup } from './watch/depositLookup.js'
import { watchPages } from './watch/watcher.js'

/** All satoshis that there can ever be. */
const MAX_SATOSHIS = 2_100_000_000_000_000n

/** A head that was read so lately is not asked for again. */
const FRESH_MS = 500

const CAPABILITIES: Capabilities = {
  tokens: false,
  destinationCalls: false,
  simulation: 'balance-checks',
  bump: 'replace',
  mempoolVisibility: true,
  depositBinding: 'memo',
  destinationTag: false,
  maxOriginTxBytes: null,
  refundToDepositor: true,
  // On average; one block in four hundred takes more than an hour.
  headIntervalSeconds: 600,
}

/** Of every Bitcoin chain whose configuration does not call it otherwise. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'BTC', name: 'Bitcoin', decimals: 8 }
/** Time between blocks until it was seen. */
const ASSUMED_BLOCK_MS = 600_000

/** One configured Bitcoin chain. */
export class BvmAdapter implements ChainAdapter {
  readonly chainId
  readonly slug
  readonly vmType = 'bvm'
  readonly checkTransactionId = bareHexId
  readonly capabilities = CAPABILITIES
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
  readonly maxAmount = MAX_SATOSHIS
  readonly placeholders: readonly string[]
  readonly addressCodec?: AddressCodec
  readonly lane: BvmLane
  readonly depositAddresses?: DepositAddresses
  readonly #deps: ChainDeps
  readonly #settings: BvmSettings
  readonly #pool: SourcePool
  readonly #pace = new HeadPace(ASSUMED_BLOCK_MS)
  readonly #monitor: SourceMonitor
  readonly #fees: FeeSource
  readonly #builder: PayoutBuilder
  readonly #wake = new WakeSignal()

  constructor(options: BvmOptions, deps: ChainDeps) {
    const { config, logger } = deps
    const settings = resolveOptions(options, config.id)
    const {
      network,
      depository,
      fees: bounds,
      feeTarget: target,
      pollIntervalMs,
      pace,
      payoutsPerTransaction,
      depositAccount: account,
      creditSweeps,
    } = settings
    this.#deps = deps
    this.#settings = settings
    this.depository = depository.address
    if (account !== null) this.moneyAccounts = { depositAccount: fingerprintOf(account) }
    this.placeholders = placeholdersOn(network)
    // The bytes of the main network are core's own.
    if (network.name !== 'mainnet') this.addressCodec = bitcoinAddressCodec(network)
    const settle = BigInt(Math.max(1, config.confirmations.settle))
    const pool = openSourcePool({ endpoints: config.rpc, settings, logger })
    this.#pool = pool
    const read = () => pool.ask((source) => source.tip())
    const freshMs = Math.min(FRESH_MS, pollIntervalMs)
    const heads = new HeadFollower({ read, pace: this.#pace, pollIntervalMs, freshMs, logger })
    this.#monitor = new EndpointMonitor({
      pool,
      probe: sourceProbe(settings.genesisHash, settle),
      intervalMs: settings.endpointCheckMs,
      pace: this.#pace,
      headTime: () => heads.latest?.time ?? null,
      logger,
    })
    this.#fees = new FeeSource({ pool, bounds, target, needsEstimate: network.name === 'mainnet', clock: systemClock })
    const [monitor, fees] = [this.#monitor, this.#fees]
    this.#builder = new PayoutBuilder({ pool, network, depository, fees, bounds, settle, creditSweeps })
    const builder = this.#builder
    const shell = new AdapterShell({
      config,
      logger,
      native: NATIVE_CURRENCY,
      validateAddress: (text) => this.validateAddress(text),
      normalizeCurrency,
      pool,
      monitor,
      heads: {
        tip: () => heads.tip(),
        onHead: (listener, signal) => heads.onHead(listener, signal),
        stop: () => heads.stop(),
      },
      ask: (endpoint) => endpoint.ask((source) => source.tip()),
      follow: (signal) => {
        heads.start()
        heads.onHead(() => this.#wake.hint(), signal)
      },
      wake: () => this.#wake.hint(),
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
    const rules = { network, depository: depository.script }
    const lookup = bvmDepositLookup({ pool, monitor, rules, watched: depository, settle: Number(settle) })
    this.recheckDeposits = lookup.recheckDeposits
    this.confirmDeposit = lookup.confirmDeposit
    this.findTransaction = lookup.findTransaction
    this.accountGain = async ({ id }, { address }) => {
      const account = parseAddress(address, network)
      const transaction = account.ok ? await pool.ask((source) => source.transaction(id)) : null
      return account.ok && transaction !== null ? scriptGain(transaction, account.script) : null
    }
    if (account !== null) {
      const shared = { pool, network, depository, fees, creditSweeps }
      this.depositAddresses = bvmDepositAddresses({ ...shared, account })
    }
    this.lane = new BvmLane({
      pool,
      heads,
      fees,
      builder,
      monitor,
      network,
      depository,
      bounds,
      settle,
      pace,
      payoutsPerTransaction,
    })
  }

  validateAddress(text: string) {
    return validateAddress(text, this.#settings.network)
  }

  ownerless(address: string): boolean {
    return isOwnerless(address, this.#settings.network)
  }

  normalizeCurrency(text: string): string | null {
    return normalizeCurrency(text)
  }

  explorerPaths() {
    return { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/address/{ADDRESS}' }
  }

  /** The order names no contract on this chain: the text of an output proves a fill (chains.md bvm 5). */
  orderExtraData(): Hex {
    return '0x'
  }

  async getBalances(queries: readonly BalanceQuery[]) {
    const found = await readBalances(queries, { pool: this.#pool, network: this.#settings.network })
    requireExplained(found.height, this.#pace)
    return found
  }

  async recipientStatus(to: Destination, currency: string): Promise<RecipientStatus> {
    return recipientStatus(to, currency, this.#settings)
  }

  async estimateDepositFee({ from }: DepositRequest): Promise<FeeQuote> {
    return depositFeeQuote(from, await this.#fees.rate(), this.#settings)
  }

  async estimatePayoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote> {
    return payoutFeeQuote(payout, simulation, await this.#fees.rate(), this.#settings)
  }

  simulate(payout: Payout): Promise<Simulation> {
    return simulatePayout(payout, this.#builder)
  }

  buildDeposit(request: DepositRequest): Promise<readonly StepItemDraft[]> {
    const { network, depository } = this.#settings
    return buildDeposit(request, { pool: this.#pool, network, depository, fees: this.#fees })
  }

  async cursorAt(height: bigint): Promise<Json> {
    return encodeCursor({
      blocks: [await this.#pool.ask((source) => firstBlock(source, height))],
      candidates: new Map(),
      waiting: new Map(),
    })
  }

  watch(cursor: Json, live: Live, signal: AbortSignal) {
    const { network, depository, startHeight, pollIntervalMs } = this.#settings
    const { logger } = this.#deps
    const [pool, wake, rules] = [this.#pool, this.#wake, { network, depository: depository.script }]
    const reading = { pool, watched: depository, rules, live, startHeight, pollIntervalMs, wake, logger }
    return watchPages(cursor, signal, reading)
  }

  async verifyContracts(expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]> {
    return [diagnoseDepository(expected, { config: this.#deps.config, settings: this.#settings })]
  }

  diagnose(request: DiagnosisRequest): Promise<readonly Diagnosis[]> {
    return diagnose(request, { pool: this.#pool, config: this.#deps.config, settings: this.#settings })
  }
}
