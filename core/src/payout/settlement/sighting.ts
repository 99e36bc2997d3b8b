import type { AttemptState } from '../../chain/laneAdapter.js'
import type { PayoutAttempt } from '../payoutRecord.js'

/** A payout, the attempt of it that the chain shows, and where. */
export interface Sighting extends PayoutAttempt {
  readonly state: AttemptState
}
