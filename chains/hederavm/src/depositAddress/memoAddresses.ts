import {
  type AccountMove,
  accountKeyOf,
  evmAddressOfKey,
  requireLabel,
  type SweepKey,
  type SweepTerms,
  type TaggedAccount,
  TaggedAddresses,
  type TaggedAddressesDeps,
  taggedArrivals,
  tagOfTerms,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { buildPaymentStep } from '../deposit/buildDeposit.js'
import { PAYMENTS, type SourceTransaction } from '../deposit/readDeposits.js'
import { isSuccess } from '../read/transactions.js'
import { askAccount } from '../rpc/accounts.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import type { HederaAddresses, HederaAddressParts } from './depositAddresses.js'
import { readSweepMemo, sweepPayment } from './sweepForms.js'

const TURNS = 4
const LABEL = /^[1-9]\d{0,9}$/

/** The account whose memos are deposit addresses: digits, which wallets and exchanges take and people can type (chains.md hederavm 8). */
const memoAccount = (account: string): TaggedAccount<SourceTransaction> => ({
  account,
  labels: {
    form: 'memo',
    turns: TURNS,
    of: (terms, turn) => `${tagOfTerms(terms, turn)}`,
    spell: (label) => ({ address: account, memo: label }),
    read: ({ address, tag, memo = '' }) => (address === account && tag === undefined && LABEL.test(memo) ? memo : null),
  },
  movesOf,
  // A mirror node that lacks the oldest blocks proves nothing about them.
  isFirst: () => false,
  placeOf: ({ id, block, moves, payer, own, start }) => {
    if (block === null) return null
    const [sender = null, ...more] = new Set(moves.flatMap(({ account: from, amount }) => (amount < 0n ? [from] : [])))
    const number = payer === own.solverId ? start : null
    return { tx: { id }, block, sender: more.length === 0 ? sender : null, number }
  },
})

/** The memo is compared as text, exactly. A sweep names the memo that it takes from behind its order id. */
const movesOf = (transaction: SourceTransaction): readonly AccountMove[] => {
  const { kind, memo, moves } = transaction
  if (!isSuccess(transaction) || !PAYMENTS.has(kind) || memo === null) return []
  const own = moves.filter(({ account }) => account === transaction.own.depositAccountId)
  const swept = readSweepMemo(memo)?.label
  return own.flatMap(({ currency, amount }): readonly AccountMove[] => {
    const part = amount < 0n ? swept : LABEL.test(memo) ? memo : undefined
    return part === undefined ? [] : [{ part, currency, amount }]
  })
}

type SumsParts = Pick<
  TaggedAddressesDeps<MirrorNode, SourceTransaction, SweepTerms>,
  'pool' | 'source' | 'keptSums' | 'logger' | 'history'
>

/** `account`: `options.depositAccount`. */
export type MemoAddressParts = HederaAddressParts & SumsParts & { readonly account: string }

/** Memos of one account. Its key signs sweeps, and the solver pays their fees. */
export const memoAddresses = ({ account, config, forms, fees, ...shared }: MemoAddressParts): HederaAddresses => {
  const tagged = memoAccount(account)
  const { addresses, sweeps } = new TaggedAddresses<MirrorNode, SourceTransaction, SweepTerms>({
    ...{ ...shared, tagged, chainId: config.id, native: { address: NATIVE, symbol: 'HBAR' }, maxFee: 0n },
    expiresByTime: true,
    isThere: async (node) => (await askAccount(node, account)) !== null,
    keyOf: (seed) => depositAccountOf(seed, config.id),
    // The form of the payment works out custom fees.
    movable: async (_, most) => ({ taken: most, amount: most }),
    paymentOf: (terms) => terms,
    fee: async () => (await fees.transferFee(NATIVE)).network.amount,
    buildPayment: async ({ from, to, money }) => {
      const memo = requireLabel(tagged.labels, to)
      const maxTransactionFee = await fees.transferLimit(money.currency)
      return buildPaymentStep({ from, to: account, money, label: memo, maxTransactionFee, chainId: config.id })
    },
  })
  return {
    addresses: { ...addresses, sweepFee: (currency) => fees.transferFee(currency) },
    arrivals: taggedArrivals(
      tagged,
      shared.source,
      new Set([NATIVE, ...config.currencies.map((each) => each.address)]),
    ),
    sweeps: {
      begun: (payout, slot) => sweeps.begun(payout, slot),
      signer: (_, seed) => sweeps.signer(seed),
      plan: async (payout) => {
        const plan = await sweeps.plan(payout)
        return plan.ok ? sweepPayment(payout, { ...plan.payment, amount: plan.payment.taken }, forms) : plan
      },
    },
  }
}

/** The account of the deposit addresses of a chain and its key, so that chains have different keys (chains.md hederavm 8). */
export const depositAccountOf = (seed: Uint8Array, chainId: number): SweepKey =>
  accountKeyOf(seed, `causeway/hedera/deposit-account/${chainId}`, evmAddressOfKey)
