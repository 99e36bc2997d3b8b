import { AmountText, nullable, SignedAmountText } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

const text = Type.String()
const maybe = nullable(text)
const chainId = Type.Integer()

const Money = Type.Object(
  { chainId, currency: text, symbol: maybe, decimals: nullable(Type.Integer()), amount: SignedAmountText() },
  { title: 'ShownMoney' },
)

const Relative = Type.Object({ requestId: text, status: text, failReason: maybe })
const Block = nullable(Type.Object({ height: text, hash: text }))
const tx = { txId: text, explorerUrl: maybe, state: text, sentAt: maybe, block: Block }

const Quote = Type.Object({
  tradeType: text,
  user: text,
  recipient: text,
  refundTo: maybe,
  in: Money,
  minimumIn: Money,
  out: Money,
  minimumOut: Money,
  fees: Money,
  fillCost: Money,
  sponsored: nullable(Money),
  quotedAt: text,
  priceUntil: text,
  orderDeadline: text,
  fillBy: maybe,
})

const Sum = Type.Object(
  {
    ...{ chainId, currency: text, symbol: maybe, decimals: nullable(Type.Integer()) },
    deposited: AmountText(),
    paid: SignedAmountText({ description: 'Exchanged for what was paid at the destination' }),
    fees: AmountText(),
    refunded: AmountText(),
    kept: SignedAmountText({ description: 'Until the operator of the service sends it back' }),
    open: SignedAmountText({ description: 'Not decided yet, or on its way' }),
  },
  { description: '`deposited` is the sum of the others' },
)

const Event = Type.Object({
  at: text,
  kind: text,
  text,
  cause: maybe,
  chainId: nullable(chainId),
  txId: maybe,
  explorerUrl: maybe,
  evidence: nullable(Type.Object({ height: text, hash: maybe, depth: maybe })),
})

const Fees = Type.Object({
  lines: Type.Array(
    Type.Object({
      ...{ name: text, chainId, currency: text, symbol: text, decimals: Type.Integer() },
      amount: SignedAmountText(),
      quotedUsd: text,
      actualUsd: maybe,
    }),
  ),
  appFees: Type.Array(Type.Object({ recipient: text, bps: text, amount: SignedAmountText(), amountUsd: maybe })),
})

/** Answer of `GET /dashboard/api/requests/{id}`. */
export const MemberRequestSchema = Type.Object(
  {
    ...{ requestId: text, orderId: text, status: text, failReason: maybe, refundFailReason: maybe, details: maybe },
    ...{ createdAt: text, updatedAt: text, integratorId: maybe, referrer: maybe },
    firstFailReason: nullable(
      Type.String({ description: 'Why it was not paid, where `failReason` says that an operator sent the money back' }),
    ),
    quote: Quote,
    ...{ parent: nullable(Relative), children: Type.Array(Relative), supersededBy: maybe },
    cameBy: nullable(Type.Object({ address: text, type: text, transferTx: maybe, waitsFor: Type.Array(text) })),
    deposits: Type.Array(
      Type.Object({
        ...tx,
        ...{ chainId, money: Money, depositor: text, depth: maybe, outcome: maybe, outcomeReason: maybe },
      }),
    ),
    payments: Type.Array(
      Type.Object({
        ...{ purpose: text, state: text, chainId, money: Money, recipient: text, fees: Money },
        ...{ createdAt: text, includedAt: maybe, failReason: maybe, transactions: Type.Array(Type.Object(tx)) },
      }),
    ),
    sums: Type.Array(Sum),
    fees: nullable(Fees),
    timeline: Type.Array(Event),
    problems: Type.Array(text),
    next: Type.Array(Type.Object({ text, at: text })),
    explanation: Type.Optional(
      Type.Unknown({ description: 'For operators: all that `causeway explain` tells of it, null of an unpaid quote' }),
    ),
  },
  { title: 'MemberRequest' },
)
