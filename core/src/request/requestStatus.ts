/** Statuses of a request (wire.md B.1). */
export const REQUEST_STATUSES = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'success',
  'failure',
  'refund',
] as const

export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** The map of allowed moves (wire.md B.2 as K.2 rules it): anything else is refused. */
export const REQUEST_TRANSITIONS: Readonly<Record<RequestStatus, readonly RequestStatus[]>> = {
  // Straight to success: the user moved the value alone, in one transaction.
  waiting: ['depositing', 'pending', 'success'],
  depositing: ['pending', 'submitted', 'failure', 'refund', 'waiting'],
  // Back to waiting: the deposit left the chain before any fill was signed (K.2 6).
  pending: ['submitted', 'refund', 'failure', 'waiting'],
  // Back to pending: the fill is proven dead, a refund or a new fill follows (K.2 4).
  submitted: ['success', 'pending', 'refund', 'failure'],
  success: [],
  // Only an operator's refund leaves it (K.2 4).
  failure: ['pending', 'refund'],
  refund: [],
}

/** Nothing more happens by itself after these. */
export const FINISHED_STATUSES: readonly RequestStatus[] = ['success', 'failure', 'refund']

export const canMove = (from: RequestStatus, to: RequestStatus): boolean => REQUEST_TRANSITIONS[from].includes(to)

/** What is allowed besides for value that the user moves alone: its transaction fails, and another one carries the request out. */
const MOVES_ALONE: Readonly<Partial<Record<RequestStatus, readonly RequestStatus[]>>> = {
  waiting: ['failure'],
  // What we sent for the user is in a block, and its execution is recognised.
  depositing: ['success'],
  failure: ['success'],
}

export const canMoveAlone = (from: RequestStatus, to: RequestStatus): boolean =>
  canMove(from, to) || MOVES_ALONE[from]?.includes(to) === true
