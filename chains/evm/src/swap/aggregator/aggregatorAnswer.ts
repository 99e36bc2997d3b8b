import type { Hex } from '@causeway/core'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ZERO_ADDRESS } from '../../address/addresses.js'

/** How 0x writes the native currency. */
const NATIVE_MARK = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const MAX_GAS = 20_000_000n

const amount = Type.String({ pattern: '^[0-9]{1,78}$' })
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const calldata = Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 65_536 })

/** Members read of an answer; others are ignored. */
const answerSchema = Type.Object({
  liquidityAvailable: Type.Literal(true),
  sellToken: address,
  buyToken: address,
  sellAmount: amount,
  buyAmount: amount,
  allowanceTarget: Type.Optional(Type.Union([address, Type.Null()])),
  transaction: Type.Object({
    to: address,
    data: calldata,
    value: amount,
    gas: Type.Optional(Type.Union([amount, Type.Null()])),
  }),
})

export interface AggregatorQuote {
  readonly amountOut: bigint
  readonly to: string
  readonly data: Hex
  readonly value: bigint
  readonly allowanceTarget: string | null
  /** Null where it does not tell. */
  readonly gas: bigint | null
}

interface Asked {
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** The currency as the aggregator writes it. */
export const markOf = (currency: string): string => (currency === ZERO_ADDRESS ? NATIVE_MARK : currency)

/** What an answer offers for the question; null when it offers nothing, is malformed or answers another question. */
export const readAggregatorAnswer = (body: unknown, asked: Asked): AggregatorQuote | null => {
  if (!Value.Check(answerSchema, body)) return null
  const { transaction } = body
  const native = asked.from === ZERO_ADDRESS
  const quote = {
    amountOut: BigInt(body.buyAmount),
    to: transaction.to.toLowerCase(),
    data: transaction.data.toLowerCase() as Hex,
    value: BigInt(transaction.value),
    allowanceTarget: native ? null : (body.allowanceTarget?.toLowerCase() ?? null),
    gas: gasOf(transaction.gas),
  }
  return answersTheQuestion(body, asked) && isPayable(quote, asked) ? quote : null
}

const answersTheQuestion = (body: Static<typeof answerSchema>, { from, to, amount: sold }: Asked): boolean =>
  body.sellToken.toLowerCase() === markOf(from) &&
  body.buyToken.toLowerCase() === markOf(to) &&
  BigInt(body.sellAmount) === sold

/** Native value is exactly the input, a token is pulled by somebody, and something comes of it. */
const isPayable = ({ amountOut, value, allowanceTarget }: AggregatorQuote, { from, amount: sold }: Asked): boolean =>
  amountOut > 0n && (from === ZERO_ADDRESS ? value === sold : value === 0n && allowanceTarget !== null)

const gasOf = (text: string | null | undefined): bigint | null => {
  const gas = BigInt(text ?? 0)
  return gas > 0n && gas <= MAX_GAS ? gas : null
}
