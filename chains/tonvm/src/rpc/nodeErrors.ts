import type { BroadcastResult } from '@causeway/core/chain'

/** Errors of liteservers that say that they do not have a block, a state or a transaction, or not any more. */
const LACKING =
  /not in db|not found|cannot find|gc'?d|cannot locate transaction|cannot load|hash mismatch|out of sync|not ready/i

/** Whether an error says that a node lacks what it was asked for. */
export const isLacking = (why: string): boolean => LACKING.test(why)

const EXIT_CODE = /exit ?code ?[=: ]? ?(-?\d{1,10})/i

/** Exit codes of a wallet v5r1 that did not accept a message: another number is next, which may be a lower one, or its time is over. */
const WRONG_SEQNO = '133'
const EXPIRED = '136'

/** The meaning of a node's error after a message was sent to it. */
export const sendResult = (why: string): BroadcastResult => {
  const [, code = null] = EXIT_CODE.exec(why) ?? []
  const isJudged = /not accepted|cannot apply external message|rejected by account/i.test(why)
  if (!isJudged) return { outcome: 'unknown', message: 'A node of this chain did not take the payment.' }
  if (code === EXPIRED) return { outcome: 'expired', message: 'The time of the payment is over.' }
  if (code === WRONG_SEQNO) return { outcome: 'unknown', message: 'The wallet takes another number first.' }
  // Without the code of the wallet its balance did not pay for the gas.
  if (code === null || code.startsWith('-'))
    return { outcome: 'rejected', reason: 'insufficient-funds', message: 'The wallet cannot pay for its gas.' }
  return { outcome: 'rejected', reason: 'invalid', message: `The wallet does not accept the payment (${code}).` }
}
