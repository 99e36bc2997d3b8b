import type { Hex } from '@causeway/core'
import {
  defineRoute,
  Hash32,
  HttpError,
  MessageSchema,
  type QuoteStore,
  type RequestReader,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { payableQuote, type QuoteAnswer } from '../wallets/payQuote.js'
import { ACTS } from './localCalls.js'
import { asAnswer, type Payer } from './payer.js'
import type { RunningSandbox } from './runningSandbox.js'

export interface PayRouteDeps {
  readonly sandbox: RunningSandbox
  readonly quotes: QuoteStore
  readonly requests: RequestReader
  readonly payer: Payer
}

const Step = Type.Object({
  kind: Type.String({ maxLength: 40 }),
  items: Type.Array(Type.Object({ data: Type.Unknown() }), { minItems: 1, maxItems: 10 }),
})

const Quote = Type.Object(
  {
    requestId: Hash32(),
    steps: Type.Array(Step, { minItems: 1, maxItems: 10 }),
    details: Type.Object({
      sender: Type.String({ maxLength: 256 }),
      currencyIn: Type.Object({
        amount: Type.String({ maxLength: 78 }),
        currency: Type.Object({ chainId: Type.Integer() }),
      }),
    }),
  },
  { description: 'The whole answer of `POST /quote`.' },
)

const PaidAnswer = Type.Object(
  {
    transactionId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the deposit; null where a signature was all.',
    }),
    said: Type.Union([Type.String(), Type.Null()], { description: 'What the service said to a signature.' }),
  },
  { title: 'TryPaid' },
)

/** Who pays, where and how much. */
const partsOf = ({ details }: QuoteAnswer): readonly unknown[] => [
  details?.sender?.toLowerCase(),
  details?.currencyIn?.currency?.chainId,
  details?.currencyIn?.amount,
]

/** @throws HttpError where the service gave no such quote, or it was paid */
const requireOwn = async ({ quotes, requests }: PayRouteDeps, quote: Static<typeof Quote>): Promise<void> => {
  // CAST: the schema of the route.
  const requestId = quote.requestId.toLowerCase() as Hex
  const [stored, view] = await Promise.all([quotes.findQuote(requestId), requests.findStatus(requestId)])
  if (stored === null) throw new HttpError(404, 'This sandbox gave no such quote, or has dropped it; ask for another')
  // CAST: the text is this service's own; what is not there equals nothing.
  const given = partsOf(JSON.parse(stored.quoted) as QuoteAnswer)
  if (partsOf(quote).some((part, at) => part !== given[at]))
    throw new HttpError(400, 'body.quote is not as this sandbox gave it: sender, origin chain or amount differ')
  if (view !== null && view.status !== 'waiting')
    throw new HttpError(409, `This quote is ${view.status} already; ask for another`)
}

/** `POST /try/api/pay`: what a wallet does with a quote, by the account that the quote names as sender. */
export const payRoute = (deps: PayRouteDeps): Route =>
  defineRoute({
    ...ACTS,
    path: '/try/api/pay',
    summary: 'Pay a quote with an account of the sandbox',
    description: 'Sends its transactions and signs its signatures, as the wallet of its sender would.',
    body: Type.Object({ quote: Quote }),
    responses: {
      200: PaidAnswer,
      400: MessageSchema,
      403: MessageSchema,
      404: MessageSchema,
      409: MessageSchema,
      422: MessageSchema,
    },
    handler: async ({ body: { quote } }) => {
      const state = deps.sandbox.usable()
      const payable = await asAnswer(async () => payableQuote(state, quote))
      await requireOwn(deps, quote)
      const { transactionId, said } = await deps.payer.payOnce(quote.requestId.toLowerCase(), state, payable)
      return { transactionId, said: said.length === 0 ? null : said.join(' ') }
    },
  })
