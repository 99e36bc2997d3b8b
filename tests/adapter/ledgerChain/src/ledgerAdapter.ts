import { type Hex, ServiceError } from '@causeway/core'
import type {
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
  type AccountChainParts,
  type AccountQuestions,
  accountChain,
  type JsonRpcEndpoint,
  type JsonRpcNode,
  nativeCurrency,
  type OpenTransport,
  type SequenceLane,
  sameAddressBy,
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

type Questions = AccountQuestions<JsonRpcEndpoint, LedgerRecord>

/** What is this ledger's own of the parts that the kit wires. */
export type LedgerParts = AccountChainParts<JsonRpcNode, JsonRpcEndpoint, LedgerRecord, Questions>

/** What a ledger much like this one has otherwise. */
export interface LedgerVariant {
  /** How nodes are reached; over HTTP unless told. */
  readonly transport?: OpenTransport
  readonly change?: (parts: LedgerParts, node: LedgerNode) => LedgerParts
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
  readonly sameAddress = sameAddressBy(validateAddress)
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
  readonly getBalances: ChainAdapter['getBalances']
  readonly lane: SequenceLane<JsonRpcEndpoint>
  protected readonly node: LedgerNode
  readonly #settings: LedgerSettings
  readonly #config: ChainDeps['config']

  constructor(options: LedgerOptions, deps: ChainDeps, { transport, change = same }: LedgerVariant = {}) {
    const settings = resolveOptions(options)
    const { config } = deps
    this.#settings = settings
    this.#config = config
    this.depository = settings.depository
    this.node = new LedgerNode(settings, deps, transport)
    const parts = change(partsOf(this.node, settings, deps), this.node)
    const { reader, lane } = accountChain(parts)
    this.chainId = config.id
    this.slug = config.slug
    this.native = nativeCurrency(config.currencies, parts.native, normalizeCurrency)
    this.start = reader.start
    this.stop = reader.stop
    this.endpoints = reader.endpoints
    this.onDisagreement = reader.onDisagreement
    this.tip = reader.tip
    this.onHead = reader.onHead
    this.poke = reader.poke
    this.watch = reader.watch
    this.cursorAt = reader.cursorAt
    this.recheckDeposits = reader.recheckDeposits
    this.confirmDeposit = reader.confirmDeposit
    this.findTransaction = reader.findTransaction
    this.getBalances = reader.getBalances
    this.lane = lane
  }

  explorerPaths() {
    return { transaction: '/transfer/{TX_HASH}', address: '/account/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** The tag of whom is paid, four bytes; empty without one. */
  orderExtraData({ tag }: Destination): Hex {
    return tag === undefined ? '0x' : `0x${tag.toString(16).padStart(8, '0')}`
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

const same = (parts: LedgerParts): LedgerParts => parts

const partsOf = (node: LedgerNode, settings: LedgerSettings, { config, logger }: ChainDeps): LedgerParts => {
  const { depository, expiryBlocks, network, pollIntervalMs, rangeBlocks } = settings
  const { settle } = config.confirmations
  return {
    config,
    logger,
    pool: node.rpc,
    probe: ledgerProbe(network, settle),
    blockMs: BLOCK_MS,
    settings: { pollIntervalMs, endpointCheckMs: pollIntervalMs },
    native: COIN,
    forms: { validateAddress, normalizeCurrency },
    depository,
    source: new LedgerDeposits(node, depository),
    range: BigInt(rangeBlocks),
    questions: { balances: (asked, queries) => node.balances(queries, asked) },
    payments: { chain: new LedgerPayments(node, settle), order: { kind: 'free' }, lifetime: BigInt(expiryBlocks) },
  }
}

const refusalOf = (reason: string): Simulation =>
  reason === 'INSUFFICIENT'
    ? { ok: false, kind: 'insufficient-funds', message: 'The solver does not hold enough of this currency now.' }
    : reason === 'CLOSED'
      ? { ok: false, kind: 'recipient-cannot-receive', message: 'The account of the recipient is closed.' }
      : { ok: false, kind: 'revert', message: 'The ledger would refuse the payment.' }
