import { ServiceError } from '@causeway/core'
import type { QuoteBody } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Seconds that a signature stands where the body names none (wire.md F.2). */
const USUAL_EXPIRY = 600
/** A permit that stands long is a bearer paper for as long: nobody needs more than a day. */
const LONGEST_EXPIRY = 86_400
const SHORTEST_EXPIRY = 30

/** Body fields of this capability (wire.md 1.2 "Deposit style"). */
export const PermitBody = Type.Object({
  usePermit: Type.Optional(
    Type.Boolean({ description: 'Answers with something to sign; the service sends the deposit' }),
  ),
  permitExpiry: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_EXPIRY,
      maximum: LONGEST_EXPIRY,
      description: `Seconds that the signature stands; default ${USUAL_EXPIRY}`,
    }),
  ),
})
export type PermitBody = Static<typeof PermitBody>

export const expiryOf = ({ permitExpiry = USUAL_EXPIRY }: PermitBody): number => permitExpiry

const refuse = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

/** Throws ServiceError `INVALID_REQUEST` for what does not go with a deposit by signature. */
export const checkPermitBody = ({ useDepositAddress, explicitDeposit, depositFeePayer }: QuoteBody): void => {
  if (useDepositAddress === true) throw refuse('body.useDepositAddress does not go with body.usePermit')
  if (explicitDeposit === false) {
    throw refuse('body.explicitDeposit does not go with body.usePermit: the service calls the depository')
  }
  if (depositFeePayer !== undefined) {
    throw refuse('body.depositFeePayer does not go with body.usePermit: the service pays for the deposit')
  }
}
