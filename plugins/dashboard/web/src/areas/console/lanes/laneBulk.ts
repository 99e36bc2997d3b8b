import type { LaneReport, UnmatchedPayment } from './laneReport.js'

/** A payment that keeps its lane shut and was for no deposit: closing a deposit explains the others. */
export const canRelease = ({ shuts, deposits }: UnmatchedPayment): boolean => shuts && deposits.length === 0

export const shuttingOf = ({ unmatched }: LaneReport): readonly UnmatchedPayment[] =>
  unmatched.filter(({ shuts }) => shuts)

/** A lane that no deposit opens: the deposits of its payments are closed first. */
export const canReleaseLane = (lane: LaneReport): boolean =>
  lane.state === 'quarantined' && shuttingOf(lane).every(canRelease)
