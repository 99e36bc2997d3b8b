import type {
  DepositExplanation,
  PayoutExplanation,
  RequestExplanation,
  TimelineEntry,
} from '../explain/explanation.js'
import { moneyText } from '../text/moneyText.js'
import { ownPayouts } from './memberMoney.js'

/** One thing that happened, with why and with what anybody can look up. */
export interface MemberEvent {
  readonly at: string
  /** `quoted`, `deposit`, `decision`, `status`, `payment`, `sent`, `included`, `reorg`. */
  readonly kind: string
  readonly text: string
  readonly cause: string | null
  readonly chainId: number | null
  readonly txId: string | null
  readonly explorerUrl: string | null
  readonly evidence: { readonly height: string; readonly hash: string | null; readonly depth: string | null } | null
}

/** Gives the place where a transaction is looked up. */
export type TransactionLinks = (chainId: number, txId: string) => string | null

type Bare = Omit<MemberEvent, 'explorerUrl'>

const NOWHERE = { chainId: null, txId: null, evidence: null }

const ofDeposit = (deposit: DepositExplanation): Bare[] => {
  const { chainId, txId, block, depth, outcome, outcomeAt, outcomeReason } = deposit
  const evidence = block === null ? null : { height: block.height, hash: block.hash, depth }
  const seen = {
    at: deposit.seenAt,
    kind: 'deposit',
    text: `${moneyText(deposit.money)} came from ${deposit.depositor}`,
    cause: deposit.parkedReason,
    ...{ chainId, txId, evidence },
  }
  if (outcome === null || outcomeAt === null) return [seen]
  const text = outcome === 'fill' ? 'It is paid out' : `It is decided: ${outcome}`
  return [seen, { at: outcomeAt, kind: 'decision', text, cause: outcomeReason, ...NOWHERE }]
}

const WORDS: Readonly<Record<string, string>> = {
  fill: 'payment',
  refund: 'refund',
  excess: 'return of what was too much',
}

const ofPayout = (payout: PayoutExplanation): Bare[] => {
  const { chainId } = payout.money
  const what = WORDS[payout.purpose] ?? payout.purpose
  const made = {
    at: payout.createdAt,
    kind: 'payment',
    text: `The ${what} is made: ${moneyText(payout.money)} to ${payout.recipient}`,
    cause: payout.purpose === 'refund' ? payout.failReason : null,
    ...NOWHERE,
    chainId,
  }
  const sent = payout.attempts.flatMap(({ kind, broadcastAt, txId, state, message }) =>
    kind === 'cancel' || broadcastAt === null
      ? []
      : [
          {
            at: broadcastAt,
            kind: 'sent',
            text: `The ${what} is sent${state === 'rejected' ? ' and was refused' : ''}`,
            cause: state === 'rejected' ? message : null,
            ...{ chainId, txId, evidence: null },
          },
        ],
  )
  return [made, ...sent, ...ofInclusion(payout, what)]
}

const ofInclusion = ({ attempts, includedAt, money, state }: PayoutExplanation, what: string): Bare[] => {
  const landed = attempts.find((attempt) => attempt.state === 'included' || attempt.state === 'reverted')
  if (landed === undefined || includedAt === null) return []
  const { broadcastAt, block, txId } = landed
  const text =
    landed.state === 'reverted'
      ? `The ${what} failed in its block`
      : `The ${what} is in a block${state === 'final' ? ' and final' : ''}`
  // The block's time has no fraction: it is never before what was sent.
  const at = broadcastAt !== null && broadcastAt > includedAt ? broadcastAt : includedAt
  const evidence = block === null ? null : { ...block, depth: null }
  return [{ at, kind: 'included', text, cause: landed.message, chainId: money.chainId, txId, evidence }]
}

/** Entries that are of the request itself; those of payouts and lanes speak of the inside of the service. */
const KEPT: ReadonlySet<string> = new Set(['quoted', 'status', 'reorg'])

const ofEntry = ({ at, kind, text, chainId, txId }: TimelineEntry): Bare => {
  const [said = text, ...why] = kind === 'status' ? text.replace(/ \(version \d+\)/, '').split(': ') : [text]
  return { at, kind, text: said, cause: why.length === 0 ? null : why.join(': '), chainId, txId, evidence: null }
}

const RANKS = ['quoted', 'deposit', 'reorg', 'decision', 'payment', 'status', 'sent', 'included']

/** What happened to the request, in order, without what is the service's own. */
export const memberTimeline = (request: RequestExplanation, links: TransactionLinks): readonly MemberEvent[] =>
  [
    ...request.timeline.filter(({ kind }) => KEPT.has(kind)).map(ofEntry),
    ...request.deposits.flatMap(ofDeposit),
    ...ownPayouts(request).flatMap(ofPayout),
  ]
    .sort((left, right) => left.at.localeCompare(right.at) || RANKS.indexOf(left.kind) - RANKS.indexOf(right.kind))
    .map((event) => ({
      ...event,
      explorerUrl: event.chainId === null || event.txId === null ? null : links(event.chainId, event.txId),
    }))
