import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const
const dollars = (description: string, byDefault: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$', default: byDefault, description })

/** Options of `POST /execute`. */
export const executeOptions = Type.Object(
  {
    maxGas: Type.Integer({
      minimum: 21_000,
      maximum: 30_000_000,
      default: 3_000_000,
      description: 'Most gas that one call may take; a call that takes more is refused.',
    }),
    feeToleranceBps: Type.Integer({
      minimum: 10_000,
      maximum: 100_000,
      default: 30_000,
      description:
        'Most that a transaction may take, basis points of what it was expected to: for fees that rise before it is in a block.',
    }),
    lossCapUsd: dollars(
      'Most that the calls of one key may cost the operator in a day (UTC), where neither a quote nor a sponsor pays, US dollars as they were expected to cost. At the cap such calls are refused.',
      '5',
    ),
    totalLossCapUsd: dollars('The same for all keys together.', '100'),
  },
  { ...closed, default: {}, description: 'Of POST /execute (wire.md 2.6).' },
)

export type ExecuteOptions = Static<typeof executeOptions>
