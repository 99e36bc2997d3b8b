import { answerOf } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { NATIVE } from '../address/addresses.js'
import { COUNT, ENTITY } from './fields.js'
import { type Asked, findAt } from './mirrorNode.js'

const optionalEntity = Type.Union([ENTITY, Type.Null()])
const optionalCount = Type.Union([COUNT, Type.Null()])
const common = { all_collectors_are_exempt: Type.Optional(Type.Boolean()), collector_account_id: optionalEntity }
const fixedSchema = Type.Object({ ...common, amount: COUNT, denominating_token_id: optionalEntity })
const fractionalSchema = Type.Object({
  ...common,
  amount: Type.Object({ numerator: COUNT, denominator: COUNT }),
  ...{ minimum: optionalCount, maximum: optionalCount, net_of_transfers: Type.Optional(Type.Boolean()) },
})

const readToken = answerOf(
  Type.Object({
    token_id: ENTITY,
    ...{ name: Type.String(), symbol: Type.String(), decimals: COUNT, type: Type.String() },
    deleted: Type.Optional(Type.Boolean()),
    pause_status: Type.Optional(Type.String()),
    treasury_account_id: optionalEntity,
    custom_fees: Type.Optional(
      Type.Object({
        fixed_fees: Type.Optional(Type.Array(fixedSchema)),
        fractional_fees: Type.Optional(Type.Array(fractionalSchema)),
      }),
    ),
  }),
)

/** A fee of each transfer of a token. */
export interface CustomFee {
  readonly collector: string | null
  /** Whether collectors of other fees of the token do not pay it either. */
  readonly exemptsCollectors: boolean
  /** The token itself, another one, or `NATIVE`. */
  readonly currency: string
  /** The sender pays the fee on top; else the recipient receives less. */
  readonly isOnTop: boolean
  readonly amount: bigint | FeeShare
}

/** A share of the amount; `maximum` 0: no maximum. */
export interface FeeShare {
  readonly numerator: bigint
  readonly denominator: bigint
  readonly minimum: bigint
  readonly maximum: bigint
}

/** A fungible token in the newest block. */
export interface TokenState {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly isFungible: boolean
  readonly isDeleted: boolean
  readonly isPaused: boolean
  readonly treasury: string | null
  readonly fees: readonly CustomFee[]
}

const tokenOf = (answer: unknown): TokenState => {
  const json = readToken(answer)
  const { fixed_fees = [], fractional_fees = [] } = json.custom_fees ?? {}
  return {
    ...{ id: json.token_id, name: json.name, symbol: json.symbol, decimals: Number(json.decimals) },
    isFungible: json.type === 'FUNGIBLE_COMMON',
    isDeleted: json.deleted === true,
    isPaused: json.pause_status === 'PAUSED',
    treasury: json.treasury_account_id,
    fees: [...fixed_fees.map(fixedOf), ...fractional_fees.map((fee) => fractionalOf(fee, json.token_id))],
  }
}

const collected = ({
  collector_account_id,
  all_collectors_are_exempt,
}: Static<typeof fixedSchema | typeof fractionalSchema>) => ({
  collector: collector_account_id,
  exemptsCollectors: all_collectors_are_exempt === true,
})

const fixedOf = (json: Static<typeof fixedSchema>): CustomFee => ({
  ...collected(json),
  ...{ currency: json.denominating_token_id ?? NATIVE, isOnTop: true, amount: BigInt(json.amount) },
})

const fractionalOf = (json: Static<typeof fractionalSchema>, currency: string): CustomFee => ({
  ...{ ...collected(json), currency, isOnTop: json.net_of_transfers === true },
  amount: {
    numerator: BigInt(json.amount.numerator),
    denominator: BigInt(json.amount.denominator) || 1n,
    minimum: BigInt(json.minimum ?? 0),
    maximum: BigInt(json.maximum ?? 0),
  },
})

/** A token; null where there is none. */
export const askToken = (asked: Asked, token: string): Promise<TokenState | null> =>
  findAt(asked, `/tokens/${token}`, tokenOf)
