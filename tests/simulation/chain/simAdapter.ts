import type { ChainAdapter, ChainDeps, FeeQuote, Payout } from '@causeway/core/chain'
import { defineAdapter, type JsonRpcEndpoint, type LedgerSource, type OpenTransport } from '@causeway/core/chain-kit'
import { ledgerPorts, simulateTransfer, transferOf } from '../../adapter/ledgerChain/src/adapter.js'
import { NATIVE } from '../../adapter/ledgerChain/src/address.js'
import { LedgerNode } from '../../adapter/ledgerChain/src/ledgerNode.js'
import type { LedgerDeposits } from '../../adapter/ledgerChain/src/ledgerSource.js'
import { type LedgerOptions, resolveOptions } from '../../adapter/ledgerChain/src/options.js'
import { type LedgerParts, ledgerParts } from '../../adapter/ledgerChain/src/parts.js'
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
export const simAdapter = (
  { kind, addresses, permits, ...options }: SimAdapterOptions,
  deps: ChainDeps,
  transport?: OpenTransport,
): ChainAdapter => {
  const settings = resolveOptions(options)
  const { depository, network } = settings
  const node = new LedgerNode(settings, deps, transport)
  const payments = new SimPayments(node, { network, depository, settle: deps.config.confirmations.settle })
  const parts = simParts({ kind, addresses, payments }, node, ledgerParts(node, settings, deps))
  const { identity, reader, payouts, deposits, forms } = ledgerPorts(node, settings, deps.config, parts)
  const feeQuote = async (): Promise<FeeQuote> => ({
    network: { currency: NATIVE, amount: await payments.fee() },
    validForMs: FEE_VALID_MS,
  })
  const final = { bump: 'replace', absoluteFinality: true } as const
  return defineAdapter({
    forms,
    // Seeds depend on the node that the client chooses.
    reader: { ...reader, getBalances: (queries) => node.balances(queries, node.rpc) },
    identity: {
      ...identity,
      native: COIN,
      capabilities: { ...identity.capabilities, ...(kind === 'final' ? final : {}) },
    },
    payouts: {
      ...payouts,
      simulate: (payout) => simulateTransfer(node, simTransferOf(payout, depository)),
      estimatePayoutFee: feeQuote,
    },
    deposits: {
      ...deposits,
      estimateDepositFee: feeQuote,
      ...(permits === null ? {} : { signedDeposits: new SimSignedDeposits({ network, token: permits, feeQuote }) }),
      ...(addresses ? { depositAddresses: new SimDepositAddresses({ node, feeQuote }) } : {}),
    },
  })
}

/** The transfer of a payout as the ledger checks it; a withdrawal takes the depository's money, and its fee the payer's. */
const simTransferOf = (payout: Payout, depository: string): object => {
  const { sweep } = payout
  const permit = broughtInBy(payout)
  const own = sweep === undefined ? {} : { sweep: sweepOf(sweep) }
  const signed = permit === undefined ? {} : { permit, currency: permit.currency, amount: permit.amount }
  return { ...transferOf(payout), account: payout.from, from: sourceOf(payout, depository), ...own, ...signed }
}

/** The parts of a simulated ledger, where they differ from those of the example. */
const simParts = (
  {
    kind,
    addresses,
    payments: chain,
  }: Pick<SimAdapterOptions, 'kind' | 'addresses'> & { readonly payments: SimPayments },
  node: LedgerNode,
  parts: LedgerParts,
): LedgerParts => {
  const { config, depository, probe, payments } = parts
  const source = new SimDeposits(node, depository)
  const { replace, cancel } = chain
  return {
    ...parts,
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
