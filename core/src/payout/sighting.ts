import type { AttemptState } from '../chain/laneAdapter.js'
import type { StoredAttempt, StoredPayout } from './payoutRecord.js'

/** A payout, the attempt of it that the chain shows, and where. */
export interface Sighting {
  readonly payout: StoredPayout
  readonly attempt: StoredAttempt
  readonly state: AttemptState
}
