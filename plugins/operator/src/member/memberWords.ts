import type { RequestExplanation } from '../explain/explanation.js'
import { moneyText } from '../text/moneyText.js'
import { moneySums, ownPayouts } from './memberMoney.js'

/** What a next action of a request or of one of its payments means to its owner. */
const NEXT: Readonly<Record<string, string>> = {
  'await-deposit': 'The service waits for the deposit to be on its chain.',
  decide: 'The service decides whether to pay or to refund.',
  'await-payout': 'The service waits for its payment to be on its chain.',
  'await-release': 'The chain of the deposit is halted; it goes on when the operator of the service says so.',
  'await-settle': 'The service waits until the deposit is final on its chain.',
  'await-withdrawal': 'The service makes the money ready that is to be sent back.',
  'await-limit': 'The payment waits for its turn.',
  'await-signer': 'The payment waits to be signed.',
  sign: 'The payment is signed and sent.',
  broadcast: 'The payment is sent.',
  'await-block': 'The payment waits for a block.',
  track: 'The service watches the payment until it is final.',
  settle: 'The service watches the payment until it is final.',
  'prove-dead': 'The service makes sure that a payment can never happen before it makes another.',
  requote: 'The service makes a new quote.',
}

export interface MemberNext {
  readonly text: string
  /** When it is tried next, ISO 8601. */
  readonly at: string
}

/** What happens by itself, soonest first, without what the service does for its own accounts. */
export const memberNext = (request: RequestExplanation): readonly MemberNext[] => {
  const own = new Set(['request', ...ownPayouts(request).map(({ id }) => `payout ${id}`)])
  return request.next
    .filter(({ of }) => own.has(of))
    .map(({ action, at }) => ({ text: NEXT[action] ?? 'The service goes on by itself.', at }))
}

const ofDeposits = ({ deposits }: RequestExplanation): string[] =>
  deposits.flatMap(({ state, txId, parkedReason }) => [
    ...(state === 'reorged' || state === 'failed' ? [`The deposit ${txId} is not on its chain any more.`] : []),
    ...(parkedReason === null ? [] : [`The deposit ${txId} could not be used as it came (${parkedReason}).`]),
  ])

const ofKept = (request: RequestExplanation): string[] =>
  moneySums(request).flatMap(({ kept, chainId, currency, symbol, decimals }) =>
    BigInt(kept) > 0n
      ? [
          `${moneyText({ chainId, currency, symbol, decimals, amount: kept })} is kept until the operator of the service sends it back: name the request id to them.`,
        ]
      : [],
  )

const ofFailure = ({ status, failReason, refundFailReason, supersededBy }: RequestExplanation): string[] => {
  if (status !== 'failure') return []
  if (failReason === 'DEPOSIT_REORGED')
    return ['The deposit left its chain before it was used; nothing is owed for it.']
  const why = refundFailReason ?? failReason ?? 'no reason was noted'
  const then = supersededBy === null ? 'The operator of the service has to act.' : 'Another request takes its place.'
  return [`The request failed (${why}). ${then}`]
}

const ofPayments = (request: RequestExplanation): string[] =>
  ownPayouts(request).flatMap(({ purpose, state, failReason }) =>
    state === 'abandoned'
      ? [
          `A ${purpose} could not be paid${failReason === null ? '' : ` (${failReason})`}; the operator of the service has to act.`,
        ]
      : [],
  )

/** What stands in the way, for whoever owns the request; empty when everything moves. */
export const memberProblems = (request: RequestExplanation): readonly string[] => [
  ...ofFailure(request),
  ...ofDeposits(request),
  ...ofKept(request),
  ...ofPayments(request),
]
