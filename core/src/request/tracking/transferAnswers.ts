import { token } from '../../container/tokens.js'

/**
 * What `GET /track/api/{id}` answers, for a page that is sent with it already drawn. Provided by whoever serves that operation; nobody
 * needs it.
 */
export interface TransferAnswers {
  /** The body of its answer, as JSON; null where it has another status than 200. */
  find(id: string): Promise<object | null>
}

export const TRANSFER_ANSWERS = token<TransferAnswers>('core/TransferAnswers')
