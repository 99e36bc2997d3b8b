import { type AccountMove, type TaggedAccount, tagOfTerms } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { SourceTransaction } from '../deposit/depositSource.js'
import { creditOf, locatorOf } from '../deposit/readDeposits.js'
import { messagesOf, readPayment, readSweepMemo } from '../lane/readPayment.js'
import { requestOf } from '../lane/sentTransaction.js'

const TURNS = 4
const LABEL = /^[1-9]\d{0,9}$/

/** The wallet whose comments are deposit addresses: digits, which wallets and exchanges take and people can type. */
export const commentAccount = (account: string): TaggedAccount<SourceTransaction> => ({
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
  const payments = (requestOf(transaction)?.request.messages ?? []).map((message) => readPayment(message, account))
  const messages = messagesOf(transaction, payments)
  return payments.flatMap((payment, at): readonly AccountMove[] => {
    const label = readSweepMemo(payment?.memo ?? '')?.label
    if (payment === null || label === undefined || messages[at] == null) return []
    const currency = payment.jettons === null ? NATIVE : jettons.get(payment.jettons.wallet)
    return currency === undefined ? [] : [{ part: label, currency, amount: -payment.amount }]
  })
}
