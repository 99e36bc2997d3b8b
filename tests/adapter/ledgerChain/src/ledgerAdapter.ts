import { type Hex, ServiceError } from '@causeway/core'
import type {
  BalanceQuery,
  Capabilities,
  ChainAdapter,
  ChainDeps,
  DepositRequest,
  Destination,
  DiagnosisRequest,
  FeeQuote,
  Payout,
  RecipientStatus,
  Simulation,
  StepItemDraft,
} from '@causeway/core/chain'
import {
  AdapterShell,
  EndpointMonitor,
  HeadPace,
  IndexedLedger,
  type JsonRpcEndpoint,
  type OpenTransport,
  SequenceLane,
} from '@causeway/core/chain-kit'
import { ledgerCodec, NATIVE, validateAddress } from './address.js'
import { diagnoseLedger } from './ledgerDiagnosis.js'
import { LedgerNode } from './ledgerNode.js'
import { LedgerPayments } from './ledgerPayments.js'
import { ledgerProbe } from './ledgerProbe.js'
import { LedgerDeposits } from './ledgerSource.js'
import { type LedgerOptions, type LedgerSettings, resolveOptions } from './options.js'
import { FEE, type LedgerRecord } from './transaction.js'

const ZERO = '0x0000000000000000000000000000000000000000'
const COIN = { address: NATIVE, symbol: 'LDG', name: 'Ledger coin', decimals: 6 }
const FEE_QUOTE: FeeQuote = { network: { currency: NATIVE, amount: FEE }, validForMs: 60_000 }

/** Usual time between blocks. */
const BLOCK_MS = 1000

/** The id of a currency; the zero address is the native one (wire.md K.1 10). */
export const normalizeCurrency = (text: string): string | null => {
  if (text === ZERO) return NATIVE
  return validateAddress(text).ok ? text : null
}

/** The kit's parts that make up an adapter. */
export interface LedgerParts {
  readonly shell: AdapterShell
  readonly ledger: IndexedLedger<JsonRpcEndpoint, LedgerRecord>
  readonly lane: SequenceLane<JsonRpcEndpoint>
}

/** What a ledger much like this one has otherwise. */
export interface LedgerVariant {
  /** How nodes are reached; over HTTP unless told. */
  readonly transport?: OpenTransport
  readonly parts?: (node: LedgerNode, settings: LedgerSettings, deps: ChainDeps) => LedgerParts
}

/** One configured ledger: what is its own is here, all else is parts of core's kit. */
export class LedgerAdapter implements ChainAdapter {
  readonly vmType = 'ledgervm'
  readonly depository: string
  readonly fillContract = null
  readonly maxAmount = 2n ** 63n - 1n
  readonly addressCodec = ledgerCodec
  readonly validateAddress = validateAddress
  readonly normalizeCurrency = normalizeCurrency
  readonly capabilities: Capabilities = {
    tokens: true,
    destinationCalls: false,
    simulation: 'full',
    bump: 'resign-after-expiry',
    mempoolVisibility: false,
    depositBinding: 'memo',
    destinationTag: true,
    maxOriginTxBytes: null,
    refundToDepositor: true,
  }
  readonly chainId: number
  readonly slug: string
  readonly native: ChainAdapter['native']
  readonly sameAddress: ChainAdapter['sameAddress']
  readonly start: ChainAdapter['start']
  readonly stop: ChainAdapter['stop']
  readonly endpoints: NonNullable<ChainAdapter['endpoints']>
  readonly onDisagreement: NonNullable<ChainAdapter['onDisagreement']>
  readonly tip: ChainAdapter['tip']
  readonly onHead: ChainAdapter['onHead']
  readonly poke: NonNullable<ChainAdapter['poke']>
  readonly watch: ChainAdapter['watch']
  readonly cursorAt: NonNullable<ChainAdapter['cursorAt']>
  readonly recheckDeposits: ChainAdapter['recheckDeposits']
  readonly confirmDeposit: ChainAdapter['confirmDeposit']
  readonly findTransaction: ChainAdapter['findTransaction']
  readonly lane: SequenceLane<JsonRpcEndpoint>
  protected readonly node: LedgerNode
  readonly #settings: LedgerSettings
  readonly #config: ChainDeps['config']

  constructor(options: LedgerOptions, deps: ChainDeps, { transport, parts = partsOf }: LedgerVariant = {}) {
    const settings = resolveOptions(options)
    this.#settings = settings
    this.#config = deps.config
    this.depository = settings.depository
    this.node = new LedgerNode(settings, deps, transport)
    const { shell, ledger, lane } = parts(this.node, settings, deps)
    this.chainId = shell.chainId
    this.slug = shell.slug
    this.native = shell.native
    this.sameAddress = shell.sameAddress
    this.start = shell.start
    this.stop = shell.stop
    this.endpoints = shell.endpoints
    this.onDisagreement = shell.onDisagreement
    this.tip = shell.tip
    this.onHead = shell.onHead
    this.poke = shell.poke
    this.watch = ledger.watch
    this.cursorAt = ledger.cursorAt
    this.recheckDeposits = ledger.recheckDeposits
    this.confirmDeposit = ledger.confirmDeposit
    this.findTransaction = ledger.findTransaction
    this.lane = lane
  }

  explorerPaths() {
    return { transaction: '/transfer/{TX_HASH}', address: '/account/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** The tag of whom is paid, four bytes; empty without one. */
  orderExtraData({ tag }: Destination): Hex {
    return tag === undefined ? '0x' : `0x${tag.toString(16).padStart(8, '0')}`
  }

  getBalances(queries: readonly BalanceQuery[]) {
    return this.node.balances(queries)
  }

  diagnose(request: DiagnosisRequest) {
    return diagnoseLedger(request, { node: this.node, config: this.#config, depository: this.depository })
  }

  async recipientStatus({ address }: Destination): Promise<RecipientStatus> {
    if (address !== this.depository) return { canReceive: true }
    return { canReceive: false, why: 'The depository is not a recipient.' }
  }

  async estimateDepositFee(): Promise<FeeQuote> {
    return FEE_QUOTE
  }

  async estimatePayoutFee(): Promise<FeeQuote> {
    return FEE_QUOTE
  }

  async simulate(payout: Payout): Promise<Simulation> {
    try {
      const { height } = await this.node.head()
      const reason = await this.node.check(this.transferOf(payout))
      return reason === null ? { ok: true, gas: 1n, block: BigInt(height) } : refusalOf(reason)
    } catch (error) {
      if (ServiceError.is(error)) return { ok: false, kind: 'transient', message: error.message }
      throw error
    }
  }

  /** What the ledger is asked about before it is sent. */
  protected transferOf({ from, to, money: { currency, amount } }: Payout): object {
    return { from, to: to.address, currency, amount: amount.toString() }
  }

  async buildDeposit({ from, money, orderId }: DepositRequest): Promise<readonly StepItemDraft[]> {
    const { currency, amount } = money
    const data = { from, to: this.depository, currency, amount: amount.toString(), memo: orderId }
    return [
      {
        stepId: 'deposit',
        kind: 'transaction',
        action: 'Confirm transaction in your wallet',
        description: 'Deposits the funds so that the transfer can be filled',
        data: { ...data, expiryBlocks: this.#settings.expiryBlocks },
      },
    ]
  }
}

/** The kit's parts over one ledger's nodes. */
const partsOf = (node: LedgerNode, settings: LedgerSettings, { config, logger }: ChainDeps): LedgerParts => {
  const { rpc } = node
  const { depository, expiryBlocks, network, pollIntervalMs, rangeBlocks } = settings
  const { settle } = config.confirmations
  const pace = new HeadPace(BLOCK_MS)
  const monitor: EndpointMonitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: ledgerProbe(network, settle),
    intervalMs: pollIntervalMs,
    pace,
    headTime: () => ledger.heads.latest?.time ?? null,
    logger,
  })
  const shared = { pool: rpc, monitor, settle }
  const source = new LedgerDeposits(node, depository)
  const ledger: IndexedLedger<JsonRpcEndpoint, LedgerRecord> = new IndexedLedger({
    ...shared,
    source,
    account: depository,
    range: BigInt(rangeBlocks),
    pace,
    pollIntervalMs,
    logger,
  })
  const chain = new LedgerPayments(node, settle)
  const lane = new SequenceLane({ ...shared, chain, order: { kind: 'free' }, lifetime: BigInt(expiryBlocks) })
  const shell = new AdapterShell({
    config,
    logger,
    native: COIN,
    validateAddress,
    normalizeCurrency,
    pool: rpc,
    monitor,
    heads: ledger.heads,
    ask: (endpoint) => node.head(endpoint),
    follow: () => ledger.heads.start(),
    wake: () => ledger.wake.hint(),
  })
  return { shell, ledger, lane }
}

const refusalOf = (reason: string): Simulation =>
  reason === 'INSUFFICIENT'
    ? { ok: false, kind: 'insufficient-funds', message: 'The solver does not hold enough of this currency now.' }
    : reason === 'CLOSED'
      ? { ok: false, kind: 'recipient-cannot-receive', message: 'The account of the recipient is closed.' }
      : { ok: false, kind: 'revert', message: 'The ledger would refuse the payment.' }
