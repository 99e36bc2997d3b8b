import { ServiceError } from '@causeway/core'
import type { ChainAdapter, ChainConfig, ChainDeps, DepositAddresses, FeeQuote } from '@causeway/core/chain'
import {
  AccountSums,
  type AskedProviders,
  type JsonRpcEndpoint,
  type LedgerSource,
  type OrderedNodes,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { buildPaymentStep } from '../deposit/buildDeposit.js'
import type { XrpSettings } from '../options.js'
import type { SweepForms } from '../payout/sweepForms.js'
import { askTransferRate } from '../payout/transferRates.js'
import type { LedgerTransaction } from '../read/transactions.js'
import { numberOf } from '../read/transactions.js'
import { type Asked, askAccount } from '../rpc/xrpNode.js'
import { isSentBy, movesOf, opensAccount } from './accountMoves.js'
import { OpenSweeps } from './sweep/openSweeps.js'
import { sweepSigner } from './sweep/sweepKey.js'
import { SweepPlans } from './sweep/sweepPlans.js'
import { deriveTagAddress, readTag, requireTag, spellTagAddress, type TaggedAccount, TURNS } from './tagAddress.js'

const FEE_VALID_MS = 5000

/** What of an adapter deposit addresses are made with. */
export interface XrpAddressParts {
  /** `options.depositAccount`. */
  readonly account: string
  /** The client of the chain's nodes. */
  readonly rpc: Asked & AskedProviders<JsonRpcEndpoint> & OrderedNodes<JsonRpcEndpoint>
  /** As for deposits: it lists the transactions of whichever account is asked for. */
  readonly source: Pick<LedgerSource<JsonRpcEndpoint, LedgerTransaction>, 'head' | 'page'>
  readonly balances: ChainAdapter['getBalances']
  readonly config: Pick<ChainConfig, 'id' | 'currencies'>
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops' | 'depositHistoryLedgers'>
  readonly keptSums?: ChainDeps['keptSums']
  readonly logger: ChainDeps['logger']
  /** What one transaction pays now, in drops. */
  fee(): Promise<bigint>
}

/** Deposit addresses of one XRP Ledger and what its lane sweeps them with. */
export interface XrpDepositAddresses {
  readonly addresses: DepositAddresses
  readonly sweeps: SweepForms
}

/** X-addresses of one account, each with a tag of its own (chains.md xrpvm 8): nothing of them is kept on the ledger. */
export const xrpDepositAddresses = (parts: XrpAddressParts): XrpDepositAddresses => {
  const { account, settings } = parts
  const tagged: TaggedAccount = { account, networkId: settings.networkId }
  const open = new OpenSweeps()
  const sums = sumsOf(tagged, open, parts)
  const plans = new SweepPlans({
    ...settings,
    ...{ tagged, sums, open },
    holding: (currency) => holdingOf(account, currency, parts),
    transferRate: (currency) => askTransferRate(parts.rpc, currency),
  })
  return { addresses: addressesOf(tagged, sums, parts), sweeps: sweepsOf(tagged, plans, open, parts) }
}

const holdingOf = async (address: string, currency: string, { balances }: XrpAddressParts) => {
  const { amounts, reserved } = await balances([{ address, currency }])
  const [amount = null] = amounts
  if (amount === null)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'What the account of deposit addresses holds is not known.')
  return { amount, reserved: reserved?.[0] ?? 0n }
}

const sweepsOf = (
  tagged: TaggedAccount,
  plans: SweepPlans<JsonRpcEndpoint>,
  open: OpenSweeps,
  { account, config }: XrpAddressParts,
): SweepForms => ({
  account,
  plan: (payout) => plans.plan(payout),
  form: async (payout) => {
    const plan = await plans.plan(payout)
    return plan.ok ? plan.payment : null
  },
  begun: ({ sweep, money }, { sequence, until }) => {
    if (sweep === undefined) return
    open.drafted(`${requireTag(tagged, sweep.address.destination)}`, money.currency, { number: sequence, until })
  },
  signer: (seed) => {
    const signer = sweepSigner({ account, chainId: config.id }, seed)
    open.signing()
    return signer
  },
})

const sumsOf = (
  tagged: TaggedAccount,
  open: OpenSweeps,
  { account, source, rpc, settings, config, keptSums, logger }: XrpAddressParts,
): AccountSums<JsonRpcEndpoint, LedgerTransaction> =>
  new AccountSums({
    ...{ source, pool: rpc, account, logger },
    history: settings.depositHistoryLedgers,
    ...(keptSums && {
      kept: {
        load: () => keptSums.load(config.id, account),
        save: (changed, after) => keptSums.save(config.id, account, changed, after),
      },
    }),
    movesOf: (transaction) => {
      const { validated } = transaction
      if (validated !== null && isSentBy(tagged, transaction)) open.used(numberOf(transaction), validated.block.height)
      return movesOf(tagged, transaction)
    },
    isFirst: (transaction) => opensAccount(tagged, transaction),
    isThere: async (node) => (await askAccount(node, account)) !== null,
  })

const addressesOf = (
  tagged: TaggedAccount,
  sums: AccountSums<JsonRpcEndpoint, LedgerTransaction>,
  parts: XrpAddressParts,
): DepositAddresses => {
  const { rpc, account, config, settings } = parts
  return {
    forms: ['tag'],
    isSweptByKey: true,
    sweepsOneCurrency: true,
    turns: TURNS,
    derive: (terms, turn) => deriveTagAddress(tagged, terms, turn),
    spell: (named) => spellTagAddress(tagged, named),
    buildPayment: async ({ from, to, money }) => {
      const paid = { from, to: { address: account, tag: requireTag(tagged, to) }, money, orderId: null }
      return buildPaymentStep(paid, { rpc, chainId: config.id, networkId: settings.networkId })
    },
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
