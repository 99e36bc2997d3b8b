import type { Hex } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type { SimPermit } from './simPermit.js'
import { permitOf } from './simSignedDeposits.js'

/** Data of a call that brings in what its user signed for: all that calls of a simulated ledger do. */
export const callData = (permit: SimPermit): Hex => `0x${Buffer.from(JSON.stringify(permit)).toString('hex')}`

/** What a payment brings in for its user, by a permit or by a call; absent: nothing. */
export const broughtInBy = ({ permit, call }: Pick<Payout, 'permit' | 'call'>): SimPermit | undefined => {
  if (permit !== undefined) return permitOf(permit)
  // CAST: only the function above makes such data.
  return call && (JSON.parse(Buffer.from(call.data.slice(2), 'hex').toString('utf8')) as SimPermit)
}
