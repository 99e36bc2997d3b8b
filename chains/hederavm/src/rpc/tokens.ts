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

interface CustomFee {
  readonly collector: string | null
  readonly exemptsCollectors: boolean
}

/** An amount of each transfer, of tinybars (`NATIVE`) or a token. */
export interface FixedFee extends CustomFee {
  readonly currency: string
  readonly amount: bigint
}

/** A share of each transfer. */
export interface FractionalFee extends CustomFee {
  readonly numerator: bigint
  readonly denominator: bigint
  readonly minimum: bigint
  /** 0: no maximum. */
  readonly maximum: bigint
  /** The sender pays it on top; else the recipient receives less. */
  readonly isOnTop: boolean
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
  readonly fixedFees: readonly FixedFee[]
  readonly fractionalFees: readonly FractionalFee[]
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
    fixedFees: fixed_fees.map(fixedOf),
    fractionalFees: fractional_fees.map(fractionalOf),
  }
}

const feeOf = ({
  collector_account_id,
  all_collectors_are_exempt,
}: Static<typeof fixedSchema | typeof fractionalSchema>) => ({
  collector: collector_account_id,
  exemptsCollectors: all_collectors_are_exempt === true,
})

const fixedOf = (json: Static<typeof fixedSchema>): FixedFee => ({
  ...feeOf(json),
  currency: json.denominating_token_id ?? NATIVE,
  amount: BigInt(json.amount),
})

const fractionalOf = (json: Static<typeof fractionalSchema>): FractionalFee => ({
  ...feeOf(json),
  numerator: BigInt(json.amount.numerator),
  denominator: BigInt(json.amount.denominator) || 1n,
  minimum: BigInt(json.minimum ?? 0),
  maximum: BigInt(json.maximum ?? 0),
  isOnTop: json.net_of_transfers === true,
})

/** A token; null where there is none. */
export const askToken = (asked: Asked, token: string): Promise<TokenState | null> =>
  findAt(asked, `/tokens/${token}`, tokenOf)
