import { token } from '../../container/tokens.js'
import type { TrackedRequest } from './trackedRequests.js'

/** What `GET /track/api/{id}` answers, for a page that is sent with it already drawn. Provided by whoever serves that operation. */
export interface TransferAnswers {
  /** The body of its answer of what was found, as JSON; null: it is not there any more. */
  tell(found: TrackedRequest): Promise<object | null>
}

export const TRANSFER_ANSWERS = token<TransferAnswers>('core/TransferAnswers')
