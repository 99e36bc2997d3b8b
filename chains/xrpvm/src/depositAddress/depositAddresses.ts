import type { ChainAdapter, ChainConfig, ChainDeps } from '@causeway/core/chain'
import {
  accountKeyOf,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type LedgerSource,
  requireLabel,
  type SweepKey,
  type SweepRules,
  type SweepTerms,
  TaggedAddresses,
} from '@causeway/core/chain-kit'
import { accountOfKey, NATIVE } from '../address/addresses.js'
import { amountJson, payableAmount } from '../address/amounts.js'
import { buildPaymentStep } from '../deposit/buildDeposit.js'
import { memosOf } from '../deposit/memos.js'
import type { XrpSettings } from '../options.js'
import type { PaymentForm } from '../payout/paymentForm.js'
import { askTransferRate } from '../payout/transferRates.js'
import type { LedgerTransaction } from '../read/transactions.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { askAccount } from '../rpc/xrpNode.js'
import { taggedAccount } from './taggedAccount.js'

/** Parts of an adapter that deposit addresses are made with. */
export interface XrpAddressParts {
  /** `options.depositAccount`. */
  readonly account: string
  readonly rpc: JsonRpcClient
  readonly source: Pick<LedgerSource<JsonRpcEndpoint, LedgerTransaction>, 'head' | 'page'>
  readonly balances: ChainAdapter['getBalances']
  readonly config: Pick<ChainConfig, 'id'>
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops' | 'depositHistoryLedgers'>
  readonly keptSums?: ChainDeps['keptSums']
  readonly logger: ChainDeps['logger']
  /** Network fee of one transaction now, in drops. */
  fee(): Promise<bigint>
}

export type XrpDepositAddresses = TaggedAddresses<JsonRpcEndpoint, LedgerTransaction, PaymentForm>

/** Destination tags of one account: the ledger stores no part of an address (chains.md xrpvm 8). */
export const xrpDepositAddresses = (parts: XrpAddressParts): XrpDepositAddresses => {
  const { account, rpc, config, settings, ...shared } = parts
  const { networkId } = settings
  const tagged = taggedAccount({ account, networkId })
  return new TaggedAddresses({
    ...{ ...shared, tagged, pool: rpc, chainId: config.id },
    ...sweepRules(account, settings, (currency) => askTransferRate(rpc, currency)),
    history: settings.depositHistoryLedgers,
    isThere: async (node) => (await askAccount(node, account)) !== null,
    keyOf: (seed) => depositAccountOf(seed, config.id),
    buildPayment: ({ from, to, money }) => {
      const paid = {
        from,
        to: { address: account, tag: Number(requireLabel(tagged.labels, to)) },
        money,
        orderId: null,
      }
      return buildPaymentStep(paid, { rpc, chainId: config.id, networkId })
    },
  })
}

/** Rules of sweeps. @param rateOf - what the issuer takes of transfers, in `TRANSFER_RATE_UNIT` */
export const sweepRules = (
  account: string,
  { depository, maxFeeDrops }: Pick<XrpSettings, 'depository' | 'maxFeeDrops'>,
  rateOf: (currency: string) => Promise<bigint>,
): SweepRules<PaymentForm> => ({
  native: { address: NATIVE, symbol: 'XRP' },
  maxFee: maxFeeDrops,
  // The issuer's transfer fee comes out of what leaves the account.
  movable: async (currency, most) => {
    const [taken, rate] = [payableAmount(currency, most), await rateOf(currency)]
    return { taken, amount: payableAmount(currency, (taken * TRANSFER_RATE_UNIT) / rate) }
  },
  paymentOf: (terms) => sweepForm(account, depository, terms),
})

/** The memo is the order id alone, as of any deposit: attestations read no other text (chains.md xrpvm 3). */
const sweepForm = (
  Account: string,
  Destination: string,
  { label, orderId, currency, amount, taken }: SweepTerms,
): PaymentForm => ({
  ...{ TransactionType: 'Payment', Account, Destination, SourceTag: Number(label) },
  Amount: amountJson(currency, amount),
  ...(taken === amount ? {} : { SendMax: amountJson(currency, taken) }),
  Memos: memosOf(orderId),
})

/** The account of the deposit addresses of a chain and its key, so that chains have different keys (chains.md xrpvm 8). */
export const depositAccountOf = (seed: Uint8Array, chainId: number): SweepKey =>
  accountKeyOf(seed, `causeway/xrp/deposit-account/${chainId}`, accountOfKey)
