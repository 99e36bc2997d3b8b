import { type AnswerReader, answerOf, type RpcCall } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'

const count = Type.Integer({ minimum: 0 })
const digits = Type.String({ pattern: '^[0-9]+$' })
const text = Type.String()

const block = Type.Object({ height: count, hash: text, time: count })

const transfer = Type.Object({
  from: text,
  to: text,
  currency: text,
  amount: digits,
  memo: text,
  tag: Type.Optional(count),
  fromTag: Type.Optional(count),
  sequence: count,
  validUntil: count,
})

const record = Type.Object({
  id: text,
  transfer,
  status: Type.Union([Type.Literal('pending'), Type.Literal('success'), Type.Literal('failed')]),
  reason: Type.Union([text, Type.Null()]),
  fee: digits,
  block: Type.Union([block, Type.Null()]),
})

const READERS: Readonly<Record<string, AnswerReader<unknown>>> = {
  ledger_balance: answerOf(digits),
  ledger_block: answerOf(Type.Union([block, Type.Null()])),
  ledger_check: answerOf(Type.Union([text, Type.Null()])),
  ledger_head: answerOf(block),
  ledger_history: answerOf(count),
  ledger_network: answerOf(text),
  ledger_record: answerOf(Type.Union([record, Type.Null()])),
  ledger_records: answerOf(Type.Array(record)),
}

/** Checks the answer of a node to a call; one that does not fit is the node's failure. */
export const readAnswer = (answer: unknown, { method }: RpcCall): unknown => READERS[method]?.(answer) ?? answer
