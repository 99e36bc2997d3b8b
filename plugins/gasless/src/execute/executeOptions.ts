import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const
const dollars = (description: string, byDefault: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$', default: byDefault, description })

/** Options of `POST /execute`, and the caps that `POST /execute/permits` shares with it. */
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
      'Most that the calls and permits of one caller, or of one account that signs permits, may cost the operator in a day (UTC) beyond what quotes and sponsors pay, US dollars. A caller is an API key, or a network without one.',
      '5',
    ),
    totalLossCapUsd: dollars('The same for all callers together for whom no operator vouches.', '100'),
    unpaidCapUsd: dollars(
      'Most that the calls and permits of one caller or account may cost whose quote was charged for them and whose deposit is missing, US dollars of the last 24 hours. It rises to what their deposits paid for in 31 days; one alone always passes.',
      '20',
    ),
    totalUnpaidCapUsd: dollars(
      'The same for all callers together for whom no operator vouches, of each what it has open beyond what its deposits paid for.',
      '200',
    ),
  },
  { ...closed, default: {}, description: 'Of POST /execute (wire.md 2.6); the caps hold for permits, too (F.2).' },
)

export type ExecuteOptions = Static<typeof executeOptions>
