import type { QuoteExplanation, Relative, RequestExplanation } from '../explain/explanation.js'
import type { ShownMoney } from '../text/moneyText.js'
import { type MoneySum, moneySums, ownPayouts } from './memberMoney.js'
import { type MemberEvent, memberTimeline, type TransactionLinks } from './memberTimeline.js'
import { type MemberNext, memberNext, memberProblems } from './memberWords.js'
import type { OwnRequest } from './ownRequest.js'

interface MemberTx {
  readonly txId: string
  readonly explorerUrl: string | null
  readonly state: string
  readonly sentAt: string | null
  readonly block: { readonly height: string; readonly hash: string } | null
}

/** A request as its owner sees it: own facts only. */
export interface MemberRequest {
  readonly requestId: string
  readonly orderId: string
  readonly status: string
  readonly failReason: string | null
  /** Why it was not paid, where `failReason` says that an operator sent the money back. */
  readonly firstFailReason: string | null
  readonly refundFailReason: string | null
  readonly details: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly integratorId: string | null
  readonly referrer: string | null
  readonly quote: Omit<QuoteExplanation, 'requestId' | 'orderId' | 'sponsor' | 'earnings'> & {
    readonly sponsored: ShownMoney | null
  }
  readonly parent: Relative | null
  readonly children: readonly Relative[]
  readonly supersededBy: string | null
  readonly cameBy: {
    readonly address: string
    readonly type: 'open' | 'strict'
    readonly transferTx: string | null
    readonly waitsFor: readonly string[]
  } | null
  readonly deposits: readonly (MemberTx & {
    readonly chainId: number
    readonly money: ShownMoney
    readonly depositor: string
    readonly depth: string | null
    readonly outcome: string | null
    readonly outcomeReason: string | null
  })[]
  readonly payments: readonly {
    readonly purpose: string
    readonly state: string
    readonly chainId: number
    readonly money: ShownMoney
    readonly recipient: string
    /** What is kept of the deposit for it. */
    readonly fees: ShownMoney
    readonly createdAt: string
    readonly includedAt: string | null
    readonly failReason: string | null
    readonly transactions: readonly MemberTx[]
  }[]
  readonly sums: readonly MoneySum[]
  readonly timeline: readonly MemberEvent[]
  readonly problems: readonly string[]
  readonly next: readonly MemberNext[]
}

const memberQuote = ({ requestId: _id, orderId: _order, sponsor, earnings: _wallets, ...quote }: QuoteExplanation) => ({
  ...quote,
  sponsored: sponsor?.money ?? null,
})

const memberDeposits = ({ deposits }: RequestExplanation, links: TransactionLinks): MemberRequest['deposits'] =>
  deposits.map(({ chainId, txId, state, seenAt, block, money, depositor, depth, outcome, outcomeReason }) => ({
    ...{ chainId, txId, state, money, depositor, depth, outcome, outcomeReason },
    explorerUrl: links(chainId, txId),
    sentAt: seenAt,
    block: block === null ? null : { height: block.height, hash: block.hash },
  }))

const memberPayments = (request: RequestExplanation, links: TransactionLinks): MemberRequest['payments'] =>
  ownPayouts(request).map(
    ({ purpose, state, money, recipient, fees, createdAt, includedAt, failReason, attempts }) => ({
      ...{ purpose, state, chainId: money.chainId, money, recipient, fees, createdAt, includedAt, failReason },
      transactions: attempts.flatMap((attempt) =>
        attempt.kind === 'cancel' || attempt.broadcastAt === null
          ? []
          : [
              {
                txId: attempt.txId,
                explorerUrl: links(money.chainId, attempt.txId),
                state: attempt.state,
                sentAt: attempt.broadcastAt,
                block: attempt.block,
              },
            ],
      ),
    }),
  )

/** A quote that nobody has paid: there is a promise, and nothing else yet. */
const unpaid = ({ quote, integratorId }: OwnRequest): MemberRequest => ({
  requestId: quote.requestId,
  orderId: quote.orderId,
  status: 'waiting',
  failReason: null,
  firstFailReason: null,
  refundFailReason: null,
  details: null,
  createdAt: quote.quotedAt,
  updatedAt: quote.quotedAt,
  integratorId,
  referrer: null,
  quote: memberQuote(quote),
  parent: null,
  children: [],
  supersededBy: null,
  cameBy: null,
  deposits: [],
  payments: [],
  sums: [],
  timeline: [
    {
      at: quote.quotedAt,
      kind: 'quoted',
      text: 'the quote was made',
      cause: null,
      chainId: null,
      txId: null,
      explorerUrl: null,
      evidence: null,
    },
  ],
  problems: [],
  next: [{ text: 'The service waits for the deposit.', at: quote.orderDeadline }],
})

/** What of an explanation is for the owner of the request: nothing of lanes, guards, books, wallets or people of the service. */
export const memberRequest = (own: OwnRequest, links: TransactionLinks): MemberRequest => {
  const { request } = own
  if (request === null) return unpaid(own)
  const { address, type, transferTx, waitsFor } = request.cameBy ?? {}
  return {
    requestId: request.requestId,
    orderId: request.quote.orderId,
    status: request.status,
    failReason: request.failReason,
    firstFailReason: request.firstFailReason,
    refundFailReason: request.refundFailReason,
    details: request.details,
    createdAt: request.createdAt,
    updatedAt: request.updatedAt,
    integratorId: request.integratorId,
    referrer: request.referrer,
    quote: memberQuote(request.quote),
    parent: request.parent,
    children: request.children,
    supersededBy: request.supersededBy,
    cameBy:
      address === undefined || type === undefined
        ? null
        : { address, type, transferTx: transferTx ?? null, waitsFor: waitsFor ?? [] },
    deposits: memberDeposits(request, links),
    payments: memberPayments(request, links),
    sums: moneySums(request),
    timeline: memberTimeline(request, links),
    problems: memberProblems(request),
    next: memberNext(request),
  }
}
