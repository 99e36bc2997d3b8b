import type { Capabilities, ChainDeps, DepositAddresses, FeeQuote, Payout, SignedDeposits } from '@causeway/core/chain'
import {
  AdapterShell,
  EndpointMonitor,
  HeadPace,
  IndexedLedger,
  type JsonRpcEndpoint,
  type LedgerSource,
  type OpenTransport,
  SequenceLane,
} from '@causeway/core/chain-kit'
import { NATIVE, validateAddress } from '../../adapter/ledgerChain/src/address.js'
import { LedgerAdapter, type LedgerParts, normalizeCurrency } from '../../adapter/ledgerChain/src/ledgerAdapter.js'
import type { LedgerNode } from '../../adapter/ledgerChain/src/ledgerNode.js'
import { ledgerProbe } from '../../adapter/ledgerChain/src/ledgerProbe.js'
import type { LedgerDeposits } from '../../adapter/ledgerChain/src/ledgerSource.js'
import type { LedgerOptions, LedgerSettings } from '../../adapter/ledgerChain/src/options.js'
import type { LedgerRecord } from '../../adapter/ledgerChain/src/transaction.js'
import { blockArrivals } from './address/simArrivals.js'
import { SimDepositAddresses } from './address/simDepositAddresses.js'
import { SimDeposits } from './address/simDeposits.js'
import { broughtInBy } from './permit/simCalls.js'
import { SimSignedDeposits } from './permit/simSignedDeposits.js'
import { SimPayments, sourceOf, sweepOf } from './simPayments.js'
import type { SimKind } from './simPool.js'

const COIN = { address: NATIVE, symbol: 'COIN', name: 'Coin', decimals: 6 }
/** Usual time between blocks. */
const BLOCK_MS = 1000
/** For how long a told fee is kept. */
const FEE_VALID_MS = 5_000

export interface SimAdapterOptions extends LedgerOptions {
  readonly kind: SimKind
  /** Whether it has `depositAddresses`. */
  readonly addresses: boolean
  /** The token that `signedDeposits` are of; null: it has none. */
  readonly permits: string | null
}

/** The adapter of a simulated ledger: the example's, with fees that vary and, where it is final, numbers strictly in order. */
export class SimAdapter extends LedgerAdapter {
  override readonly capabilities: Capabilities
  readonly depositAddresses?: DepositAddresses
  readonly signedDeposits?: SignedDeposits
  readonly #payments: SimPayments

  constructor({ kind, addresses, permits, ...options }: SimAdapterOptions, deps: ChainDeps, transport?: OpenTransport) {
    const { depository, network } = options
    const { settle } = deps.config.confirmations
    super(options, deps, {
      ...(transport === undefined ? {} : { transport }),
      parts: (node, settings) => simParts({ kind, addresses }, node, settings, deps),
    })
    this.capabilities = { ...capabilitiesOf(kind) }
    this.#payments = new SimPayments(this.node, { network, depository, settle })
    if (permits !== null) {
      this.signedDeposits = new SimSignedDeposits({ network, token: permits, feeQuote: () => this.#feeQuote() })
    }
    if (addresses)
      this.depositAddresses = new SimDepositAddresses({ node: this.node, feeQuote: () => this.#feeQuote() })
  }

  override estimateDepositFee(): Promise<FeeQuote> {
    return this.#feeQuote()
  }

  override estimatePayoutFee(): Promise<FeeQuote> {
    return this.#feeQuote()
  }

  /** A withdrawal is money of the depository's; its fee is not. */
  protected override transferOf(payout: Payout): object {
    const { sweep } = payout
    const permit = broughtInBy(payout)
    const from = sourceOf(payout, this.depository)
    const own = sweep === undefined ? {} : { sweep: sweepOf(sweep) }
    const signed = permit === undefined ? {} : { permit, currency: permit.currency, amount: permit.amount }
    return { ...super.transferOf(payout), account: payout.from, from, ...own, ...signed }
  }

  async #feeQuote(): Promise<FeeQuote> {
    return { network: { currency: NATIVE, amount: await this.#payments.fee() }, validForMs: FEE_VALID_MS }
  }
}

const capabilitiesOf = (kind: SimKind): Capabilities => ({
  tokens: true,
  destinationCalls: false,
  simulation: 'full',
  bump: kind === 'final' ? 'replace' : 'resign-after-expiry',
  mempoolVisibility: false,
  depositBinding: 'memo',
  destinationTag: true,
  maxOriginTxBytes: null,
  refundToDepositor: true,
  ...(kind === 'final' ? { absoluteFinality: true } : {}),
})

/** The kit's parts over one ledger's nodes. */
const simParts = (
  { kind, addresses }: Pick<SimAdapterOptions, 'kind' | 'addresses'>,
  node: LedgerNode,
  settings: LedgerSettings,
  { config, logger }: ChainDeps,
): LedgerParts => {
  const { rpc } = node
  const { depository, expiryBlocks, network, pollIntervalMs, rangeBlocks } = settings
  const { settle } = config.confirmations
  const pace = new HeadPace(BLOCK_MS)
  const monitor: EndpointMonitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: { ...ledgerProbe(network, settle), final: kind === 'final' },
    intervalMs: pollIntervalMs,
    pace,
    headTime: () => ledger.heads.latest?.time ?? null,
    logger,
  })
  const shared = { pool: rpc, monitor, settle }
  const source = new SimDeposits(node, depository)
  const ledger: IndexedLedger<JsonRpcEndpoint, LedgerRecord> = new IndexedLedger({
    ...shared,
    source: kind === 'final' ? withoutBlocks(source) : source,
    account: depository,
    range: BigInt(rangeBlocks),
    ...(addresses ? { arrivals: blockArrivals(config.currencies.map(({ address }) => address)) } : {}),
    pace,
    pollIntervalMs,
    logger,
  })
  const chain = new SimPayments(node, { network, depository, settle })
  const { replace, cancel } = chain
  const lane = new SequenceLane({
    ...shared,
    chain,
    order: kind === 'final' ? { kind: 'strict', replace, cancel } : { kind: 'free' },
    lifetime: BigInt(expiryBlocks),
    newest: () => ledger.heads.latest?.height ?? null,
    extras: { cosigns: true },
  })
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

/** Blocks that stay need no looking after. */
const withoutBlocks = (source: LedgerDeposits): LedgerSource<JsonRpcEndpoint, LedgerRecord> => ({
  head: (node) => source.head(node),
  page: (node, request) => source.page(node, request),
  transactions: (node, txs) => source.transactions(node, txs),
  readingOf: (record) => source.readingOf(record),
})
