import type { LaneReport, UnmatchedPayment } from './laneReport.js'

/** A payment that keeps its lane shut and was for no deposit. Closing their deposits explains the others. */
export const canRelease = ({ shuts, deposits }: UnmatchedPayment): boolean => shuts && deposits.length === 0

export const shuttingOf = ({ unmatched }: LaneReport): readonly UnmatchedPayment[] =>
  unmatched.filter(({ shuts }) => shuts)

/** A quarantined lane whose payments were for no deposit. Others open when their deposits are closed. */
export const canReleaseLane = (lane: LaneReport): boolean =>
  lane.state === 'quarantined' && shuttingOf(lane).every(canRelease)
