import { canMove, FINISHED_STATUSES, type RequestStatus } from '@causeway/core/plugin'
import type { CheckState } from './checkState.js'
import type { Problem } from './problem.js'
import { grouped } from './rowIndex.js'
import type { EventRow, FastFillRow, PayoutRow, RequestRow, Rows } from './rows.js'

const NEXT = '4: what is unfinished has a next action with a time'
const DUE = '4: no action is long past while hosts live'
const MOVES = 'status: only moves that the machine allows'
const OUTBOX = 'outbox: every change of a status is told once, in order'

const FINISHED_PAYOUTS: ReadonlySet<string> = new Set(['final', 'dead', 'abandoned'])

const FINISHED_FAST_FILLS: ReadonlySet<string> = new Set(['settled', 'debited', 'ended'])

/** Requests and payouts: what happens next with them, and what was told of them. */
export const checkRequests = (state: CheckState, rows: Rows): Problem[] => {
  noteShut(state, rows)
  return [
    ...rows.requests.flatMap((row) =>
      checkNext(state, `request ${row.id}`, row, FINISHED_STATUSES.includes(row.status)),
    ),
    ...rows.payouts.flatMap((row) =>
      checkNext(state, `${row.purpose} ${row.id}`, row, FINISHED_PAYOUTS.has(row.state)).filter(
        ({ invariant }) => invariant !== DUE || !rows.barred.includes(row.id),
      ),
    ),
    ...rows.fastFills.flatMap((row) =>
      checkNext(state, `the fast fill of ${row.request}`, row, FINISHED_FAST_FILLS.has(row.state)).filter(
        // Until its payment is final, and once its deposit is in, those are waited for.
        ({ invariant }) => invariant !== DUE || row.state === 'queued',
      ),
    ),
    ...checkTold(state, rows),
  ]
}

/** Nothing is decided or signed where the lane is shut, which may take as long as the operator does. */
const noteShut = ({ options, shutAt, now }: CheckState, { open }: Rows): void => {
  for (const { chainId } of options.ledgers) if (!open.includes(chainId)) shutAt.set(chainId, now)
}

const checkNext = (
  { now, liveSince, shutAt, options }: CheckState,
  name: string,
  { action, at, chain, ...row }: Pick<RequestRow | PayoutRow | FastFillRow, 'action' | 'at' | 'chain'>,
  finished: boolean,
): Problem[] => {
  const standing = 'status' in row ? row.status : 'state' in row ? row.state : ''
  if ((action === null) !== finished || (at === null) !== finished) {
    return [{ invariant: NEXT, words: `${name} is ${standing}, next: ${action ?? 'nothing'} at ${at ?? 'no time'}` }]
  }
  if (at === null || liveSince === null) return []
  const late = now - Math.max(at, liveSince, shutAt.get(chain) ?? 0)
  return late > options.toleranceMs ? [{ invariant: DUE, words: `${name} is due for ${late} ms: ${action}` }] : []
}

const checkTold = (state: CheckState, { requests, events, told, origins }: Rows): Problem[] => {
  const sentFor = new Set(origins.map(({ request }) => request))
  const byRequest = grouped(events.map((event) => [event.request, event]))
  const shared = new Set(told)
  return requests.flatMap((request) => {
    const own = byRequest.get(request.id) ?? []
    if (shared.has(request.id)) return checkOutbox(request, own, true)
    return [...checkOutbox(request, own, false), ...checkMoves(state, request, own, sentFor.has(request.id))]
  })
}

/** Under an id that is shared it is told of others too, in versions of their own after those of the request. */
const checkOutbox = (
  { id, status, version }: RequestRow,
  events: readonly EventRow[],
  isShared: boolean,
): Problem[] => {
  const versions = events.map((event) => event.version)
  const inOrder = versions.every((item, at) => item === at + 2)
  const told = versions.length + 1
  if (inOrder && (isShared ? told >= version : told === version && (events.at(-1)?.status ?? 'waiting') === status))
    return []
  const words = `request ${id} is ${status} in version ${version}, told: ${events.map((event) => `${event.version} ${event.status}`).join(', ') || 'nothing'}`
  return [{ invariant: OUTBOX, words }]
}

/** `isSentFor`: its user only signed, and what it signed may never be sent. */
const checkMoves = (
  { seen }: CheckState,
  { id, version }: RequestRow,
  events: readonly EventRow[],
  isSentFor: boolean,
): Problem[] => {
  const steps: readonly RequestStatus[] = ['waiting', ...events.map(({ status }) => status)]
  const wrong = steps.flatMap((to, at) => {
    const from = steps[at - 1]
    const isAllowed = (before: RequestStatus): boolean =>
      canMove(before, to) || (isSentFor && before === 'waiting' && to === 'failure')
    return from === undefined || isAllowed(from) ? [] : [{ invariant: MOVES, words: `request ${id}: ${from} to ${to}` }]
  })
  const before = seen.statuses.get(id)
  if (before === undefined || before.version <= version) return wrong
  return [...wrong, { invariant: MOVES, words: `request ${id} went back from version ${before.version} to ${version}` }]
}
