import type { ChainDeps } from '@causeway/core/chain'
import {
  accountSecretOf,
  requireLabel,
  type SweepKey,
  type SweepTerms,
  sweepKeyOf,
  TaggedAddresses,
  taggedArrivals,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { addressOfKey } from '../address/wallets.js'
import { buildDepositStep } from '../deposit/buildDeposit.js'
import type { SourceTransaction } from '../deposit/depositSource.js'
import { sweepMemo } from '../lane/readPayment.js'
import type { TonSettings } from '../options.js'
import { formOf } from '../payout/paymentForm.js'
import { askAccountNow } from '../read/accounts.js'
import type { TonNode } from '../rpc/tonApi.js'
import { commentAccount } from './commentAccount.js'
import type { TonAddresses, TonAddressParts } from './depositAddresses.js'

export interface CommentAddressParts extends TonAddressParts {
  readonly settings: Pick<TonSettings, 'maxFeeNanotons' | 'depositHistoryBlocks'>
  readonly logger: ChainDeps['logger']
  readonly keptSums: ChainDeps['keptSums']
}

/** Comments of one wallet, which pays the fee of a sweep (chains.md tonvm 8). */
export const commentAddresses = (account: string, parts: CommentAddressParts): TonAddresses => {
  const { settings, config, networkId, depository, forms, fees, source, balances, logger, keptSums } = parts
  const { pool, wallets } = forms
  const tagged = commentAccount(account)
  const { addresses, sweeps } = new TaggedAddresses<TonNode, SourceTransaction, SweepTerms>({
    ...{ tagged, source, pool, balances, logger, chainId: config.id, ...(keptSums && { keptSums }) },
    ...{ native: { address: NATIVE, symbol: 'TON' }, maxFee: settings.maxFeeNanotons, expiresByTime: true },
    history: settings.depositHistoryBlocks,
    isThere: async (node) => (await askAccountNow(node, account)).last !== null,
    keyOf: (seed) => depositAccountOf(seed, { chainId: config.id, networkId }),
    movable: async (_, most) => ({ taken: most, amount: most }),
    paymentOf: (terms) => terms,
    fee: () => fees.cost(NATIVE),
    buildPayment: ({ from, to, money }) =>
      buildDepositStep({ from, depository: account, money, orderId: requireLabel(tagged.labels, to) }, forms),
  })
  return {
    addresses: { ...addresses, sweepFee: (currency) => fees.depositFee(currency) },
    arrivals: taggedArrivals(tagged, source, new Set([NATIVE, ...wallets.masters])),
    sweeps: {
      shared: { account, signer: (seed) => sweeps.signer(seed) },
      signer: (_, seed) => sweeps.signer(seed),
      begun: (payout, slot) => sweeps.begun(payout, slot),
      plan: async (payout) => {
        const plan = await sweeps.plan(payout)
        if (!plan.ok) return plan
        const { label, orderId, currency, amount } = plan.payment
        const wanted = { from: account, to: depository, currency, amount, responseTo: account }
        return { ok: true, payment: await formOf({ ...wanted, memo: sweepMemo(orderId, label) }, forms) }
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
