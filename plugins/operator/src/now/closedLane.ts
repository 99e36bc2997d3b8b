import type { ServiceState } from '@causeway/core/plugin'

/** A payout lane that pays nothing now. */
export interface ClosedLane {
  /** Slug, or the id of a chain that is not configured. */
  readonly chain: string
  readonly signer: string
  readonly state: 'settling' | 'quarantined'
  readonly reason: string | null
}

/** The lane that pays on a chain, where it is closed. */
export const closedLaneOf = (
  { chainId, signer, lane, reason }: ServiceState,
  chainName: (id: number) => string,
): ClosedLane | null =>
  signer === null || lane === null || lane === 'open'
    ? null
    : { chain: chainName(chainId), signer, state: lane, reason }

/** Which lane, why, and what opens it. */
export const closedLaneText = ({ chain, signer, state, reason }: ClosedLane): string => {
  const why = `the payout lane ${chain} ${signer} is ${state}${reason === null ? '' : `: ${reason}`}`
  return state === 'settling'
    ? `${why}. It opens by itself`
    : `${why}. "causeway lanes inspect ${chain}" shows what keeps it shut; "causeway lanes release ${chain} ${signer} --all" opens it once all of that is explained`
}
