import type {
  Capabilities,
  ChainAdapter,
  ChainDeps,
  DepositAddresses,
  FeeQuote,
  Payout,
  SignedDeposits,
} from '@causeway/core/chain'
import type { JsonRpcEndpoint, LedgerSource, OpenTransport } from '@causeway/core/chain-kit'
import { NATIVE } from '../../adapter/ledgerChain/src/address.js'
import { LedgerAdapter, type LedgerParts } from '../../adapter/ledgerChain/src/ledgerAdapter.js'
import type { LedgerNode } from '../../adapter/ledgerChain/src/ledgerNode.js'
import type { LedgerDeposits } from '../../adapter/ledgerChain/src/ledgerSource.js'
import type { LedgerOptions } from '../../adapter/ledgerChain/src/options.js'
import type { LedgerRecord } from '../../adapter/ledgerChain/src/transaction.js'
import { blockArrivals } from './address/simArrivals.js'
import { SimDepositAddresses } from './address/simDepositAddresses.js'
import { SimDeposits } from './address/simDeposits.js'
import { broughtInBy } from './permit/simCalls.js'
import { SimSignedDeposits } from './permit/simSignedDeposits.js'
import { SimPayments, sourceOf, sweepOf } from './simPayments.js'
import type { SimKind } from './simPool.js'

const COIN = { address: NATIVE, symbol: 'COIN', name: 'Coin', decimals: 6 }
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
  /** By the client's own choice of a node, which seeds depend on. */
  override readonly getBalances: ChainAdapter['getBalances'] = (queries) => this.node.balances(queries, this.node.rpc)
  readonly depositAddresses?: DepositAddresses
  readonly signedDeposits?: SignedDeposits
  readonly #payments: SimPayments

  constructor({ kind, addresses, permits, ...options }: SimAdapterOptions, deps: ChainDeps, transport?: OpenTransport) {
    const { depository, network } = options
    const { settle } = deps.config.confirmations
    super(options, deps, {
      ...(transport === undefined ? {} : { transport }),
      change: (parts, node) => simParts({ kind, addresses }, parts, node, network),
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

/** The parts of a simulated ledger, where they differ from those of the example. */
const simParts = (
  { kind, addresses }: Pick<SimAdapterOptions, 'kind' | 'addresses'>,
  parts: LedgerParts,
  node: LedgerNode,
  network: string,
): LedgerParts => {
  const { config, depository, probe, payments } = parts
  const source = new SimDeposits(node, depository)
  const chain = new SimPayments(node, { network, depository, settle: config.confirmations.settle })
  const { replace, cancel } = chain
  return {
    ...parts,
    native: COIN,
    probe: { ...probe, final: kind === 'final' },
    source: kind === 'final' ? withoutBlocks(source) : source,
    ...(addresses ? { arrivals: blockArrivals(config.currencies.map(({ address }) => address)) } : {}),
    payments: {
      ...payments,
      chain,
      order: kind === 'final' ? { kind: 'strict', replace, cancel } : { kind: 'free' },
      cosigns: true,
    },
  }
}

/** Blocks that stay need no looking after. */
const withoutBlocks = (source: LedgerDeposits): LedgerSource<JsonRpcEndpoint, LedgerRecord> => ({
  head: (node) => source.head(node),
  page: (node, request) => source.page(node, request),
  transactions: (node, txs) => source.transactions(node, txs),
  readingOf: (record) => source.readingOf(record),
})
