import { type Static, Type } from '@sinclair/typebox'

const DAY_SECONDS = 86_400

/** Options of the plugin in the configuration; README.md explains each. */
export const depositAddressOptions = Type.Object(
  {
    lifeDays: Type.Integer({
      minimum: 1,
      maximum: 3_650,
      default: 180,
      description: 'How long blocks are searched for payments to an address, and how long its order stands',
    }),
    poolSize: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 500,
      description: 'Addresses kept ready on each chain whose addresses only the holder of the seed can derive',
    }),
    addressesPerHour: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 30,
      description: 'Most of those that one caller gets in an hour; callers that an operator vouches for have no limit',
    }),
    requoteAttempts: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 12,
      description:
        'How often an order is tried to be made for a payment that fits no quote, where funds or a swap are missing, before it is refunded; 12 take about half an hour',
    }),
    custodialSenders: Type.Array(
      Type.Object(
        {
          chainId: Type.Integer({ minimum: 1 }),
          addresses: Type.Array(Type.String({ minLength: 1, maxLength: 256 })),
        },
        { additionalProperties: false },
      ),
      {
        default: [],
        description: 'Accounts that many owners share: what they sent is never sent back to them by itself',
      },
    ),
  },
  { additionalProperties: false },
)
export type DepositAddressOptions = Static<typeof depositAddressOptions>

/** Seconds that the order of an address stands (wire.md H.2). */
export const lifeSeconds = ({ lifeDays }: Pick<DepositAddressOptions, 'lifeDays'>): number => lifeDays * DAY_SECONDS
