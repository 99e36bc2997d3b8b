import {
  type DepositFacts,
  type Fields,
  isFields,
  type TransactionStep,
  UnreadableQuoteError,
  valueAt,
} from '@causeway/core/verify'

/** Stands for HBAR in orders. */
const MARKER = '0.0.0'

const textOf = (value: unknown): string => String(value).slice(0, 200)

/**
 * The form of a deposit on Hedera: one transfer of just the amount from the sender to the depository, with the order id as its memo
 * (chains.md hederavm 3). The fields are normative, and a wallet that signs the bytes beside them must compare both.
 */
export const checkHederaDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, orderId, isSwapped, chainId } = facts
  findings.notCovered.push('id and consensus nodes of the transaction: the wallet sets them')
  findings.notCovered.push('the bytes in "transaction": a wallet rebuilds the transfer from its fields')
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit') throw new UnreadableQuoteError('A deposit on Hedera is one step')
  findings.require(!isSwapped, 'There is no swap before a deposit on Hedera')
  findings.same('The chain of the transaction', textOf(valueAt(step.data, 'chainId')), textOf(chainId))
  findings.same('The memo of the transaction', textOf(valueAt(step.data, 'memo')), orderId.toLowerCase())
  const transfers = valueAt(step.data, 'transfers')
  if (!Array.isArray(transfers) || !transfers.every(isFields)) throw new UnreadableQuoteError('There are no transfers')
  checkTransfers(transfers, facts)
  const most = textOf(valueAt(step.data, 'maxTransactionFee')).slice(0, 40)
  findings.notCovered.push(`what the network takes: ${most} tinybars at most`)
}

const checkTransfers = (
  transfers: readonly Fields[],
  { findings, sender, depository, currency, amount }: DepositFacts,
): void => {
  findings.same('The number of transfers', textOf(transfers.length), '2')
  const token = currency === MARKER ? undefined : currency
  const credit = transfers.find(({ accountId }) => accountId === depository)
  const debit = transfers.find((transfer) => transfer !== credit)
  findings.same('What the depository gets', textOf(credit?.amount), amount.toString())
  findings.same('The account that pays', textOf(debit?.accountId), sender)
  findings.same('What the account pays', textOf(debit?.amount), `-${amount}`)
  for (const transfer of transfers) {
    findings.same('The token that is paid', textOf(transfer.tokenId), textOf(token))
    for (const field of Object.keys(transfer))
      findings.require(
        ['accountId', 'amount', 'tokenId'].includes(field),
        `The transfer has a field that no deposit has (${field.slice(0, 40)})`,
      )
  }
}
