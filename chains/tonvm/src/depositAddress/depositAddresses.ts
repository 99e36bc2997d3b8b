import type { ChainAdapter, ChainConfig, ChainDeps, DepositAddresses, Payout } from '@causeway/core/chain'
import {
  accountSecretOf,
  type LedgerSource,
  requireLabel,
  type SweepKey,
  sweepKeyOf,
  TaggedAddresses,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { addressOfKey } from '../address/wallets.js'
import { buildDepositStep } from '../deposit/buildDeposit.js'
import type { SourceTransaction } from '../deposit/depositSource.js'
import { sweepMemo } from '../lane/readPayment.js'
import type { TonSettings } from '../options.js'
import { formOf, type PaymentForm, type PaymentFormDeps } from '../payout/paymentForm.js'
import type { TonFees } from '../payout/payoutFees.js'
import { askAccount, askNewest } from '../read/accounts.js'
import type { TonNode } from '../rpc/tonApi.js'
import { commentAccount } from './commentAccount.js'
import type { SweepForms } from './sweepForms.js'

export interface TonAddressParts extends PaymentFormDeps {
  /** `options.depositAccount`. */
  readonly account: string
  readonly source: Pick<LedgerSource<TonNode, SourceTransaction>, 'head' | 'page'>
  readonly settings: Pick<
    TonSettings,
    'depository' | 'isTestnet' | 'networkId' | 'maxFeeNanotons' | 'depositHistoryBlocks'
  >
  readonly config: Pick<ChainConfig, 'id'>
  readonly fees: TonFees
  readonly balances: ChainAdapter['getBalances']
  readonly logger: ChainDeps['logger']
  readonly keptSums?: ChainDeps['keptSums']
}

export interface TonAddresses {
  readonly addresses: DepositAddresses
  readonly sweeps: SweepForms
}

/** A sweep before its message is made. */
interface SweepTermsOfLabel {
  readonly label: string
  readonly orderId: `0x${string}`
  readonly currency: string
  readonly amount: bigint
}

/** Comments of one wallet, which pays the fee of a sweep (chains.md tonvm 8). */
export const commentAddresses = (parts: TonAddressParts): TonAddresses => {
  const { account, settings, config, fees, pool, wallets, source, balances, logger, keptSums } = parts
  const tagged = commentAccount(account, settings)
  const { addresses, sweeps } = new TaggedAddresses<TonNode, SourceTransaction, SweepTermsOfLabel>({
    ...{ tagged, source, pool, balances, logger, chainId: config.id, ...(keptSums && { keptSums }) },
    ...{ native: { address: NATIVE, symbol: 'TON' }, maxFee: settings.maxFeeNanotons, expiresByTime: true },
    history: settings.depositHistoryBlocks,
    isThere: async (node) => {
      const { height } = await askNewest(node)
      return (await askAccount(node, account, height)).last !== null
    },
    keyOf: (seed) => depositAccountOf(seed, { chainId: config.id, networkId: settings.networkId }),
    movable: async (_, most) => ({ taken: most, amount: most }),
    paymentOf: ({ label, orderId, currency, amount }) => ({ label, orderId, currency, amount }),
    fee: () => fees.cost('native'),
    buildPayment: ({ from, to, money }) =>
      buildDepositStep(
        { from, depository: account, money, orderId: requireLabel(tagged.labels, to) },
        { pool, wallets },
      ),
  })
  const formOfSweep = ({ label, orderId, currency, amount }: SweepTermsOfLabel): Promise<PaymentForm> => {
    const to = settings.depository
    return formOf({ from: account, to, currency, amount, memo: sweepMemo(orderId, label), responseTo: account }, parts)
  }
  return {
    addresses: { ...addresses, sweepFee: (currency) => fees.depositFee(currency) },
    sweeps: {
      begun: (payout, slot) => sweeps.begun(payout, slot),
      accountSigner: (seed) => sweeps.signer(seed),
      plan: async (payout) => {
        const plan = await sweeps.plan(payout)
        return plan.ok ? { ok: true, payment: await formOfSweep(plan.payment) } : plan
      },
      message: async (payout: Payout) => {
        const plan = await sweeps.form(payout)
        return plan === null ? null : formOfSweep(plan)
      },
    },
  }
}

/** The wallet of the deposit addresses of a chain and its key, so that chains have different keys (chains.md tonvm 8). */
export const depositAccountOf = (
  seed: Uint8Array,
  { chainId, networkId }: { readonly chainId: number; readonly networkId: number },
): SweepKey =>
  sweepKeyOf(accountSecretOf(seed, `causeway/ton/deposit-account/${chainId}`), {
    scheme: 'ed25519',
    addressOf: (publicKey) => addressOfKey(publicKey, networkId),
  })
