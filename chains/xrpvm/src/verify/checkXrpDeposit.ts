import {
  type DepositFacts,
  type Fields,
  isFields,
  type TransactionStep,
  UnreadableQuoteError,
  valueAt,
} from '@causeway/core/verify'
import { depositMemo, issuedOf, issuedText, issuedUnits, MARKER, memoOf } from './payment.js'

/** Fields of a deposit. What a wallet fills in is not among them: it would be the service's word. */
const FIELDS = ['TransactionType', 'Account', 'Destination', 'Amount', 'Memos', 'SendMax', 'SourceTag', 'NetworkID']

/**
 * The form of a deposit on the XRP Ledger: one payment to the depository of just the amount, with the order id as its only memo
 * (chains.md xrpvm 3).
 */
export const checkXrpDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, sender, depository, orderId, isSwapped, chainId } = facts
  findings.notCovered.push('number, fee and last ledger of the transaction: the wallet sets them')
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit')
    throw new UnreadableQuoteError('A deposit on the XRP Ledger is one step')
  findings.require(!isSwapped, 'There is no swap before a deposit on the XRP Ledger')
  findings.same('The chain of the transaction', textOf(valueAt(step.data, 'chainId')), textOf(chainId))
  const transaction = valueAt(step.data, 'transaction')
  if (!isFields(transaction)) throw new UnreadableQuoteError('There is no transaction')
  findings.same('The type of the transaction', textOf(transaction.TransactionType), 'Payment')
  findings.same('The account that pays', textOf(transaction.Account), sender.split('?')[0] ?? '')
  findings.same('The tag of the account that pays', textOf(transaction.SourceTag), tagOf(sender))
  findings.same('The account that is paid', textOf(transaction.Destination), depository)
  findings.same('The memo of the transaction', memoOf(transaction.Memos), depositMemo(orderId))
  checkAmount(transaction, facts)
  for (const field of Object.keys(transaction)) {
    findings.require(FIELDS.includes(field), `The transaction has a field that no deposit has (${field.slice(0, 40)})`)
  }
}

/** Of the text of a destination (`<account>?tag=7`); as `textOf` has it where there is none. */
const tagOf = (sender: string): string => /\?tag=(\d+)$/.exec(sender)?.[1] ?? textOf(undefined)

const textOf = (value: unknown): string => String(value).slice(0, 200)

const checkAmount = ({ Amount, SendMax }: Fields, { findings, currency, amount }: DepositFacts): void => {
  if (currency === MARKER) {
    findings.same('What the depository gets', textOf(Amount), amount.toString())
    findings.require(SendMax === undefined, 'A deposit of XRP says what is spent at most, as if it were traded')
    return
  }
  findings.same('What the depository gets', issuedText(Amount), issuedUnits(currency, amount))
  if (SendMax === undefined) return
  const { currency: code, issuer } = issuedOf(currency)
  const isSame = isFields(SendMax) && SendMax.currency === code && SendMax.issuer === issuer
  findings.require(isSame, 'The deposit spends another currency than it pays')
  const most = isFields(SendMax) ? textOf(SendMax.value).slice(0, 40) : ''
  findings.notCovered.push(`what the issuer takes of the transfer: ${most} is spent at most`)
}
