import { addressDetailsText } from '../addresses/addressText.js'
import { movementsText, walletText } from '../balances/balancesText.js'
import { indented, labelled } from '../text/layout.js'
import { moneyText } from '../text/moneyText.js'
import { instant } from '../text/timeText.js'
import type {
  CameBy,
  DepositExplanation,
  Explanation,
  LedgerExplanation,
  NextAction,
  ParkedExplanation,
  PayoutExplanation,
  QuoteExplanation,
  RequestExplanation,
  TimelineEntry,
} from './explanation.js'

const time = (text: string): string => instant(Date.parse(text))

/** The explanation for people: 100 columns at most, the worst first. */
export const explanationText = (explanation: Explanation, chainName: (id: number) => string): string[] => [
  `${explanation.id}`,
  `is known as: ${explanation.meanings.join(', ')}`,
  ...(explanation.wallet === null
    ? []
    : ['', ...walletText(explanation.wallet, chainName), ...movementsText(explanation.wallet.movements)]),
  ...explanation.requests.flatMap((request) => ['', ...requestText(request, chainName)]),
  ...explanation.parkedDeposits.flatMap((parked) => ['', ...parkedText(parked, chainName)]),
  ...explanation.unpaidQuotes.flatMap((quote) => [
    '',
    `QUOTE ${quote.requestId}`,
    `  ${paidText(quote, explanation.addresses)}`,
    ...quoteText(quote, chainName),
  ]),
  ...explanation.addresses.flatMap((address) => [
    '',
    ...addressDetailsText(address, chainName, Date.parse(explanation.explainedAt)),
  ]),
  ...explanation.importedTransactions.flatMap((item) => [
    '',
    `TRANSACTION ${item.txId}`,
    ...labelled('found', `on ${chainName(item.chainId)}, from ${item.signer}, ${item.status}`),
    ...labelled('pays', `${moneyText(item.money)} to ${item.recipient}`),
    ...labelled('payout', item.payoutId ?? 'none of this database'),
  ]),
  ...(explanation.more ? ['', 'There is more: raise --limit.'] : []),
]

/** What came to its address is another request, since it is not what the quote asked for (wire.md E.3). */
const paidText = ({ requestId }: QuoteExplanation, addresses: Explanation['addresses']): string =>
  addresses.some((address) => address.requestId === requestId && address.arrivals.length > 0)
    ? 'nobody has paid it as quoted; what came to its address stands below'
    : 'nobody has paid it'

const requestText = (explanation: RequestExplanation, chainName: (id: number) => string): string[] => [
  `REQUEST ${explanation.requestId}`,
  ...labelled('status', [explanation.status.toUpperCase(), ...reasons(explanation)].join(', ')),
  ...(explanation.details === null ? [] : labelled('details', explanation.details)),
  ...urgent(explanation),
  ...quoteText(explanation.quote, chainName),
  ...labelled(
    'who asked',
    `${explanation.integratorId ?? 'anonymous'}${explanation.referrer === null ? '' : `, referrer ${explanation.referrer}`}`,
  ),
  ...(explanation.parent === null
    ? []
    : labelled('parent', `${explanation.parent.requestId} ${explanation.parent.status}`)),
  ...explanation.children.flatMap((child) =>
    labelled('child', `${child.requestId} ${child.status} ${child.failReason ?? ''}`.trimEnd()),
  ),
  ...(explanation.supersededBy === null ? [] : labelled('superseded', `by ${explanation.supersededBy}`)),
  ...(explanation.cameBy === null ? [] : cameByText(explanation.cameBy)),
  ...explanation.deposits.flatMap((deposit) => depositText(deposit, chainName)),
  ...tailText(explanation, chainName),
]

const cameByText = ({ address, type, transferTx, waitsFor }: CameBy): string[] => [
  ...labelled('came by', `the ${type} address ${address}`),
  ...(transferTx === null ? [] : labelled('', `paid by ${transferTx}`)),
  ...waitsFor.flatMap((text) => labelled('waits for', text)),
]

const parkedText = (explanation: ParkedExplanation, chainName: (id: number) => string): string[] => [
  `DEPOSIT ${explanation.deposit.id}, of no request`,
  ...urgent(explanation),
  ...depositText(explanation.deposit, chainName),
  ...tailText(explanation, chainName),
]

const reasons = ({ failReason, firstFailReason, refundFailReason }: RequestExplanation): string[] => [
  ...(firstFailReason === null ? [] : [firstFailReason]),
  ...(failReason === null ? [] : [failReason]),
  ...(refundFailReason === null ? [] : [`not refunded: ${refundFailReason}`]),
]

/** What a worried reader wants first. */
const urgent = ({ problems, next }: { problems: readonly string[]; next: readonly NextAction[] }): string[] => [
  ...problems.flatMap((problem) => labelled('PROBLEM', problem)),
  ...next.flatMap(({ of, action, due }) => labelled('next', `${of}: ${action} ${due}`)),
  ...(next.length === 0 ? labelled('next', 'nothing happens by itself any more') : []),
]

const quoteText = (quote: QuoteExplanation, chainName: (id: number) => string): string[] => [
  ...labelled(
    'quote',
    `${moneyText(quote.in)} on ${chainName(quote.in.chainId)} -> ${moneyText(quote.out)} on ${chainName(quote.out.chainId)}, ${quote.tradeType}`,
  ),
  ...labelled('limits', `at least ${moneyText(quote.minimumIn)} in, at least ${moneyText(quote.minimumOut)} out`),
  ...labelled('fees', `${moneyText(quote.fees)}, of which ${moneyText(quote.fillCost)} for the fill's network cost`),
  ...quote.earnings.flatMap(({ wallet, kind, money }) =>
    labelled('', `of them ${wallet} earns ${moneyText(money)} (${kind})`),
  ),
  ...(quote.sponsor === null
    ? []
    : labelled('sponsor', `${quote.sponsor.wallet} pays at most ${moneyText(quote.sponsor.money)}`)),
  ...labelled(
    'times',
    `quoted ${time(quote.quotedAt)}, price until ${time(quote.priceUntil)}, order until ${time(quote.orderDeadline)}`,
  ),
  ...labelled('user', quote.user),
  ...labelled('recipient', quote.recipient),
  ...labelled('refund to', quote.refundTo ?? 'nobody: an operator has to decide'),
  ...labelled('order', quote.orderId),
]

const depositText = (deposit: DepositExplanation, chainName: (id: number) => string): string[] => [
  ...labelled(
    'deposit',
    `${deposit.id}: ${moneyText(deposit.money)} on ${chainName(deposit.chainId)}, ${deposit.state}`,
  ),
  ...labelled('', deposit.txId),
  ...labelled('', `from ${deposit.depositor}, seen ${time(deposit.seenAt)}`),
  ...(deposit.block === null
    ? []
    : labelled('', `block ${deposit.block.height} of ${time(deposit.block.time)}, ${deposit.depth ?? '?'} deep`)),
  ...(deposit.parkedReason === null ? [] : labelled('', `parked: ${deposit.parkedReason}`)),
  ...labelled(
    '',
    `decided: ${deposit.outcome ?? 'not yet'}${deposit.outcomeReason === null ? '' : `, ${deposit.outcomeReason}`}`,
  ),
  ...(deposit.withdrawnAt === null ? [] : labelled('', `taken out of the depository ${time(deposit.withdrawnAt)}`)),
]

const tailText = (
  explanation: { payouts: readonly PayoutExplanation[]; timeline: readonly TimelineEntry[]; ledger: LedgerExplanation },
  chainName: (id: number) => string,
): string[] => [
  ...explanation.payouts.flatMap((payout) => payoutText(payout, chainName)),
  '  what happened',
  ...explanation.timeline.flatMap(timelineText),
  ...ledgerText(explanation.ledger, chainName),
]

export const payoutText = (payout: PayoutExplanation, chainName: (id: number) => string): string[] => [
  ...labelled(
    'payout',
    `${payout.id}: ${payout.purpose} of ${moneyText(payout.money)} on ${chainName(payout.money.chainId)}, ${payout.state}`,
  ),
  ...labelled('', `to ${payout.recipient}`),
  ...labelled('', `keeps ${moneyText(payout.fees)} in fees`),
  ...payout.earnings.flatMap(({ wallet, kind, money, settled }) =>
    labelled('', `${wallet} earns ${moneyText(money)} (${kind})${settled ? ', settled' : ''}`),
  ),
  ...(payout.sponsor === null
    ? []
    : labelled('', `${payout.sponsor.wallet} pays ${moneyText(payout.sponsor.money)} as its sponsor`)),
  ...(payout.details === null ? [] : labelled('', payout.details)),
  ...(payout.notSimulated === null ? [] : labelled('', `not simulated: ${payout.notSimulated}`)),
  ...payout.generations.flatMap(({ generation, state, proof, guards }) =>
    labelled('', `generation ${generation} ${state}, guards ${guards.join(' ')}${proof === null ? '' : ` (${proof})`}`),
  ),
  ...payout.attempts.flatMap((attempt) => [
    ...labelled(
      '',
      `attempt ${attempt.generation}.${attempt.version} ${attempt.kind}: ${attempt.state}${attempt.block === null ? '' : ` in block ${attempt.block.height}`}${attempt.fee === null ? '' : `, gas ${moneyText(attempt.fee)}`}${attempt.message === null ? '' : `, ${attempt.message}`}`,
    ),
    ...labelled('', attempt.txId),
  ]),
]

const timelineText = (entry: TimelineEntry): string[] => [
  ...indented(
    `${time(entry.at)} ${entry.kind}: ${entry.text}${entry.block === null ? '' : `, block ${entry.block}`}`,
    4,
  ),
  ...(entry.txId === null ? [] : indented(entry.txId, 8)),
]

const ledgerText = (ledger: LedgerExplanation, chainName: (id: number) => string): string[] => [
  `  ledger: ${ledger.transactions.length} postings${ledger.sumsToZero ? ', each sums to zero' : ' THAT DO NOT SUM TO ZERO'}`,
  ...ledger.transactions.flatMap(({ cause, event, entries }) => [
    ...indented(`${cause} ${event}`, 4),
    ...entries.flatMap((entry) =>
      indented(`${entry.account.padEnd(11)} ${moneyText(entry)} (${chainName(entry.chainId)})${ofHolder(entry)}`, 6),
    ),
  ]),
  ...(ledger.transactions.length === 0 ? [] : ['    left on each account']),
  ...ledger.totals.flatMap((total) =>
    indented(`${total.account.padEnd(11)} ${moneyText(total)} (${chainName(total.chainId)})${ofHolder(total)}`, 6),
  ),
]

const ofHolder = ({ holder }: { readonly holder: string | null }): string => (holder === null ? '' : ` of ${holder}`)
