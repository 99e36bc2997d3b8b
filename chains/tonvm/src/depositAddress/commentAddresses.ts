import type { ChainDeps } from '@causeway/core/chain'
import {
  type AccountMove,
  accountSecretOf,
  requireLabel,
  type SweepKey,
  type SweepTerms,
  sweepKeyOf,
  type TaggedAccount,
  TaggedAddresses,
  taggedArrivals,
  tagOfTerms,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { addressOfKey } from '../address/wallets.js'
import { buildDepositStep } from '../deposit/buildDeposit.js'
import type { SourceTransaction } from '../deposit/depositSource.js'
import { creditOf, locatorOf } from '../deposit/readDeposits.js'
import { paymentsIn, readSweepMemo, sweepMemo } from '../lane/readPayment.js'
import { requestOf } from '../lane/sentTransaction.js'
import type { TonSettings } from '../options.js'
import { formOf } from '../payout/paymentForm.js'
import { askAccountNow } from '../read/accounts.js'
import type { TonNode } from '../rpc/tonApi.js'
import type { TonAddresses, TonAddressParts } from './depositAddresses.js'

const TURNS = 4
const LABEL = /^[1-9]\d{0,9}$/

/** The wallet whose comments are deposit addresses: digits, which wallets and exchanges take and people can type. */
const commentAccount = (account: string): TaggedAccount<SourceTransaction> => ({
  account,
  labels: {
    form: 'memo',
    turns: TURNS,
    of: (terms, turn) => `${tagOfTerms(terms, turn)}`,
    spell: (label) => ({ address: account, memo: label }),
    read: ({ address, tag, memo = '' }) => (address === account && tag === undefined && LABEL.test(memo) ? memo : null),
  },
  movesOf: (transaction) => [...broughtBy(transaction), ...takenBy(transaction)],
  isFirst: ({ transaction }) => transaction.prevTransactionLt === 0n,
  placeOf: ({ transaction, block, jettons }) => {
    const { inMessage, lt } = transaction
    const credit = creditOf(transaction, { depository: account, jettons })
    const info = inMessage?.info
    return {
      tx: { id: transaction.hash().toString('hex'), locator: locatorOf(account, lt, block) },
      block,
      sender: (credit?.source ?? (info?.type === 'internal' ? info.src : null))?.toRawString() ?? null,
      number: requestOf(transaction)?.request.seqno ?? null,
    }
  },
})

/** The comment is compared as text, exactly. */
const broughtBy = ({ account, transaction, jettons }: SourceTransaction): readonly AccountMove[] => {
  const credit = creditOf(transaction, { depository: account, jettons })
  if (credit?.text == null || !LABEL.test(credit.text)) return []
  return [{ part: credit.text, currency: credit.currency, amount: credit.amount }]
}

/** Sweeps that the wallet really sent: it ignores errors, so a request alone moves no money. */
const takenBy = ({ account, transaction, jettons }: SourceTransaction): readonly AccountMove[] => {
  const payments = paymentsIn(transaction, requestOf(transaction)?.request.messages ?? [], account)
  return payments.flatMap(({ payment, message }): readonly AccountMove[] => {
    const part = readSweepMemo(payment.memo ?? '')?.label
    const currency = payment.jettons === null ? NATIVE : jettons.get(payment.jettons.wallet)
    const isSent = part !== undefined && message !== null && currency !== undefined
    return isSent ? [{ part, currency, amount: -payment.amount }] : []
  })
}

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
