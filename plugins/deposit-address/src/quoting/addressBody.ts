import { ServiceError } from '@causeway/core'
import type { QuoteBody } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Body fields of this capability (wire.md 1.2 "Deposit style"); the quote refuses the last two without the first. */
export const AddressBody = Type.Object({
  useDepositAddress: Type.Optional(Type.Boolean({ description: 'Answers with an address to pay to' })),
  strict: Type.Optional(Type.Boolean({ description: 'Binds the address to this quote: it is paid once' })),
  recoveryAddress: Type.Optional(
    Type.String({ maxLength: 256, description: 'Account of the integrator for funds that can go nowhere else' }),
  ),
})
export type AddressBody = Static<typeof AddressBody>

const refuse = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

type Rule = (body: QuoteBody) => ServiceError | null

/** A body with `useDepositAddress` is refused for the first of these that it breaks (wire.md E.1, E.2, E.5). */
const RULES: readonly Rule[] = [
  ({ txs = [] }) =>
    txs.length === 0
      ? null
      : new ServiceError('EXTRA_TXS_NOT_SUPPORTED', 'body.txs does not go with body.useDepositAddress'),
  ({ subsidizationBps, sponsoredFeeComponents }) =>
    subsidizationBps === undefined && sponsoredFeeComponents === undefined
      ? null
      : new ServiceError(
          'INVALID_SUBSIDIZATION',
          'body.subsidizationBps and body.sponsoredFeeComponents do not go with body.useDepositAddress',
        ),
  ({ usePermit }) => (usePermit === true ? refuse('body.usePermit does not go with body.useDepositAddress') : null),
  ({ explicitDeposit }) =>
    explicitDeposit === false
      ? refuse('body.explicitDeposit does not go with body.useDepositAddress: the deposit is a plain transfer')
      : null,
  ({ depositFeePayer }) =>
    depositFeePayer === undefined
      ? null
      : refuse('body.depositFeePayer does not go with body.useDepositAddress: whoever pays sends a plain transfer'),
  ({ strict, refundTo }) =>
    strict === true && refundTo === undefined
      ? refuse('body.strict needs body.refundTo: what does not fit the quote goes back there')
      : null,
  ({ strict, tradeType }) =>
    strict !== true && tradeType === 'EXACT_OUTPUT'
      ? refuse('body.tradeType EXACT_OUTPUT needs body.strict: an open address takes any amount')
      : null,
]

/** Throws ServiceError `INVALID_REQUEST`, `EXTRA_TXS_NOT_SUPPORTED`, `INVALID_SUBSIDIZATION`. */
export const checkAddressBody = (body: QuoteBody): void => {
  for (const rule of RULES) {
    const refusal = rule(body)
    if (refusal !== null) throw refusal
  }
}
