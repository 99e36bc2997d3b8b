import { ServiceError } from '@causeway/core'
import type {
  ChainConfig,
  ChainDeps,
  DepositAddresses,
  FeeQuote,
  Payout,
  Signer,
  StepItemDraft,
} from '@causeway/core/chain'
import {
  AccountSums,
  type AskedProviders,
  IndexedArrivals,
  type LedgerSource,
  type OrderedNodes,
  type WakeSignal,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { LedgerTransaction } from '../ledger/transactions.js'
import { numberOf } from '../ledger/transactions.js'
import type { XrpSettings } from '../options.js'
import { arrivalsOf, isSentBy, movesOf, opensAccount } from './accountMoves.js'
import { OpenSweeps } from './sweep/openSweeps.js'
import { sweepSigner } from './sweep/sweepKey.js'
import { type SweepPlan, SweepPlans, type SweepPlansDeps } from './sweep/sweepPlans.js'
import { deriveTagAddress, readTag, requireTag, spellTagAddress, type TaggedAccount, TURNS } from './tagAddress.js'

const FEE_VALID_MS = 5000
/** How rarely a page without arrivals is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const

/** What of an adapter deposit addresses are made with. */
export interface XrpAddressParts<Node extends object> extends Pick<SweepPlansDeps<Node>, 'holding' | 'transferRate'> {
  /** `options.depositAccount`. */
  readonly account: string
  readonly source: Pick<LedgerSource<Node, LedgerTransaction>, 'head' | 'page'>
  readonly pool: AskedProviders<Node> & OrderedNodes<Node>
  readonly wake: WakeSignal
  readonly config: Pick<ChainConfig, 'id' | 'currencies'>
  readonly settings: Pick<
    XrpSettings,
    'depository' | 'networkId' | 'pollIntervalMs' | 'maxFeeDrops' | 'depositHistoryLedgers'
  >
  readonly logger: ChainDeps['logger']
  /** What one transaction pays now, in drops. */
  fee(): Promise<bigint>
  /** The step by which a wallet pays so much to an account, with a tag and no memo. */
  buildPayment(request: {
    readonly from: string
    readonly to: { readonly address: string; readonly tag: number }
    readonly money: Parameters<DepositAddresses['buildPayment']>[0]['money']
  }): Promise<readonly StepItemDraft[]>
}

/** A signed transaction of the account of deposit addresses, as far as it tells which sweep it is. */
export interface SweepTransaction {
  readonly Account: string
  readonly SourceTag?: number
  readonly Sequence: number
  readonly TicketSequence?: number
  readonly LastLedgerSequence: number
}

/** Deposit addresses of one XRP Ledger and what its lane sweeps them with. */
export interface XrpDepositAddresses {
  readonly addresses: DepositAddresses
  /** What is to be sent for a sweep now, or why nothing is. @throws ServiceError when too few nodes tell the account's history */
  plan(payout: Payout): Promise<SweepPlan>
  /**
   * The key for a transaction of the account, which is noted as one that may land.
   * @throws ServiceError SERVICE_UNAVAILABLE without the seed, or where it is another one's
   */
  keyOf(transaction: SweepTransaction, currency: string, seed: Uint8Array | undefined): Signer
}

/** X-addresses of one account, each with a tag of its own (chains.md xrpvm 8): nothing of them is kept on the ledger. */
export const xrpDepositAddresses = <Node extends object>(parts: XrpAddressParts<Node>): XrpDepositAddresses => {
  const { account, config, settings } = parts
  const tagged: TaggedAccount = { account, networkId: settings.networkId }
  const open = new OpenSweeps()
  const sums = sumsOf(tagged, open, parts)
  const plans = new SweepPlans({ ...parts, ...settings, tagged, sums, open })
  return {
    addresses: addressesOf(tagged, sums, parts),
    plan: (payout) => plans.plan(payout),
    keyOf: (transaction, currency, seed) => {
      const signer = sweepSigner({ account, chainId: config.id }, seed)
      const { SourceTag, Sequence, TicketSequence, LastLedgerSequence } = transaction
      const sweep = { number: BigInt(TicketSequence ?? Sequence), until: BigInt(LastLedgerSequence) }
      if (SourceTag !== undefined) open.begin(`${SourceTag}`, currency, sweep)
      return signer
    },
  }
}

const sumsOf = <Node extends object>(
  tagged: TaggedAccount,
  open: OpenSweeps,
  { account, source, pool, settings, logger }: XrpAddressParts<Node>,
): AccountSums<Node, LedgerTransaction> =>
  new AccountSums({
    ...{ source, pool, account, logger },
    history: settings.depositHistoryLedgers,
    movesOf: (transaction) => {
      const { validated } = transaction
      if (validated !== null && isSentBy(tagged, transaction)) open.used(numberOf(transaction), validated.block.height)
      return movesOf(tagged, transaction)
    },
    isFirst: (transaction) => opensAccount(tagged, transaction),
  })

const addressesOf = <Node extends object>(
  tagged: TaggedAccount,
  sums: AccountSums<Node, LedgerTransaction>,
  parts: XrpAddressParts<Node>,
): DepositAddresses => {
  const { source, pool, account, wake, config, settings, logger } = parts
  const currencies = new Set([NATIVE, ...config.currencies.map(({ address }) => address)])
  const arrivals = new IndexedArrivals({
    ...{ source, pool, account, wake, logger },
    pollIntervalMs: settings.pollIntervalMs,
    quiet: QUIET,
    arrivalsOf: (transaction) => arrivalsOf(tagged, transaction, currencies),
  })
  return {
    forms: ['tag'],
    isSweptByKey: true,
    sweepsOneCurrency: true,
    turns: TURNS,
    derive: (terms, turn) => deriveTagAddress(tagged, terms, turn),
    spell: (named) => spellTagAddress(tagged, named),
    buildPayment: async ({ from, to, money }) => {
      if (from === account) throw new ServiceError('INVALID_ADDRESS', 'The account of deposit addresses pays none.')
      return parts.buildPayment({ from, to: { address: account, tag: requireTag(tagged, to) }, money })
    },
    watch: arrivals.watch,
    holdings: async (addresses, asked) => {
      const view = await sums.read()
      return addresses.map(({ destination }) => {
        // One of an account that was configured before does not hold the others up.
        const tag = readTag(tagged, destination)
        const held = tag === null ? [] : asked.map((currency) => ({ currency, amount: view.sumOf(`${tag}`, currency) }))
        return held.filter(({ amount }) => amount > 0n)
      })
    },
    sweepFee: async (): Promise<FeeQuote> => ({
      network: { currency: NATIVE, amount: await parts.fee() },
      validForMs: FEE_VALID_MS,
    }),
  }
}
