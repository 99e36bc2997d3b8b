import { AddressText, ChainId, defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { ACTS } from '../localCalls.js'
import { asAnswer, type Payer } from '../payer.js'
import type { RunningSandbox } from '../runningSandbox.js'
import { makeTrouble, TROUBLES, type Trouble } from './makeTrouble.js'

export interface TroubleRouteDeps {
  readonly sandbox: RunningSandbox
  readonly payer: Payer
}

const TroubleAnswer = Type.Object(
  {
    kind: Type.Union(TROUBLES.map((kind) => Type.Literal(kind))),
    transactionId: Type.Union([Type.String(), Type.Null()], { description: 'Of the payment.' }),
    chainId: ChainId(),
    account: AddressText({ description: 'Who paid.' }),
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the request that it becomes; null where it belongs to none.',
    }),
    says: Type.String({ description: 'What is wrong, as its payer would put it.' }),
  },
  { title: 'TryTrouble' },
)

/** As the payer puts it: the cause is for the operator to find. */
const SAYS: Readonly<Record<Trouble, string>> = {
  'unknown-order': 'I paid into the depository, and no transfer of mine shows it.',
  underpay: 'I paid to the address of my quote, and neither my transfer nor my refund has come.',
  'closed-recipient': 'I paid to the address of my quote, and nothing has come to my wallet.',
}

/** `POST /try/api/trouble`: a payment that is stuck until an operator finds out why and sends it back. */
export const troubleRoute = ({ sandbox, payer }: TroubleRouteDeps): Route =>
  defineRoute({
    ...ACTS,
    path: '/try/api/trouble',
    summary: 'Make a payment that gets stuck',
    description:
      '`unknown-order`: a deposit with the id of no order is parked. `underpay`: half of what a strict address asks for, to be refunded to a wallet that takes nothing, ends in `failure`. `closed-recipient`: paid to an address without `refundTo` for a wallet that takes nothing any more, ends in `failure`.',
    body: Type.Object({ kind: TroubleAnswer.properties.kind }, { additionalProperties: false }),
    responses: {
      200: TroubleAnswer,
      400: MessageSchema,
      403: MessageSchema,
      409: MessageSchema,
      422: MessageSchema,
    },
    handler: ({ body: { kind } }) =>
      asAnswer(async () => ({
        kind,
        ...(await makeTrouble(sandbox.usable(), payer, kind)),
        says: SAYS[kind],
      })),
  })
