import { type Static, Type } from '@sinclair/typebox'

/** Options of `POST /execute/permits`. */
export const permitOptions = Type.Object(
  {
    gasToleranceBps: Type.Integer({
      default: 10_000,
      minimum: 0,
      maximum: 1_000_000,
      description:
        'The transaction of a permit may cost this much more network fee than its quote was charged, basis points of the charge. A permit that costs more is refused, and its transaction cannot take more.',
    }),
    gasToleranceUsd: Type.String({
      default: '0.05',
      pattern: '^[0-9]{1,9}(\\.[0-9]{1,18})?$',
      description: 'The same in US dollars, for charges of which the share is less.',
    }),
  },
  { additionalProperties: false, default: {}, description: 'Of POST /execute/permits (wire.md F.2).' },
)

export type PermitOptions = Static<typeof permitOptions>
