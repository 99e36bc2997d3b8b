import {
  AddressText,
  AmountText,
  BALANCE_CONTEXTS,
  type BalanceMovement,
  ChainId,
  type DatabasePool,
  defineRoute,
  Hash32,
  MessageSchema,
  type RecordCursor,
  type Route,
  SignedAmountText,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { type BalanceEvent, type EventPosition, readEventPage } from './eventPages.js'
import { requireReader, WalletParams } from './walletAccess.js'

export interface EventsRouteDeps {
  /** Its searches wait for nobody's payments, nor the other way round. */
  readonly searchPool: DatabasePool
  readonly pool: DatabasePool
  /** Null: no secret opens it. */
  readonly secret: string | null
  cursor(): RecordCursor
}

const Context = Type.Union(BALANCE_CONTEXTS.map((context) => Type.Literal(context)))

/** Which events are shown, and from where on. */
export const EventsFilter = Type.Object({
  chainId: Type.Optional(ChainId()),
  currency: Type.Optional(AddressText()),
  context: Type.Optional(Context),
  requestId: Type.Optional(Hash32()),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 4_096, description: '`continuation` of the page before, with the same filters.' }),
  ),
})

const EventsQuery = Type.Composite([
  Type.Object({ id: Type.Optional(Type.String({ description: 'The secret of the deployment. Instead of a key.' })) }),
  EventsFilter,
  Type.Object({
    includeNegativeBalances: Type.Optional(
      Type.Boolean({ description: 'Changes nothing: no balance is ever below zero.' }),
    ),
  }),
])

/** Answer of operations that tell events. */
export const EventsAnswer = Type.Object(
  {
    wallet: AddressText(),
    balances: Type.Array(Type.Object({ chainId: ChainId(), currency: AddressText(), amount: AmountText() })),
    events: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ minimum: 1, description: 'Number of the posting; several currencies may share it.' }),
          chainId: ChainId(),
          wallet: AddressText(),
          currency: AddressText(),
          delta: SignedAmountText({ description: '0 where an amount is set aside, or let go, that is still owed.' }),
          balanceAfter: AmountText(),
          context: Context,
          requestId: Type.Union([Type.String(), Type.Null()]),
          contextData: Type.Record(Type.String(), Type.Unknown(), {
            description: 'The cause and event of the posting, what it changed of each account, and what it is made of.',
          }),
          createdAt: Type.String({ description: 'ISO 8601.' }),
        },
        { title: 'BalanceEvent' },
      ),
    ),
    continuation: Type.Union([Type.String(), Type.Null()], {
      description: 'Null on the last page; a page before it may have fewer events than asked for.',
    }),
  },
  { title: 'BalanceEvents' },
)

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const filterOf =
  ({ chainId, currency, context, requestId }: Static<typeof EventsFilter>) =>
  (movement: BalanceMovement): boolean =>
    (chainId === undefined || movement.chainId === chainId) &&
    (currency === undefined || same(movement.currency, currency)) &&
    (context === undefined || movement.context === context) &&
    (requestId === undefined || movement.requestId === requestId.toLowerCase())

const contextData = ({ cause, event, changes, earnings, sponsorship }: BalanceMovement): Record<string, unknown> => ({
  cause,
  event,
  changes: Object.fromEntries(
    Object.entries(changes).flatMap(([account, amount]) => (amount === 0n ? [] : [[account, amount.toString()]])),
  ),
  ...(changes.earned === 0n
    ? {}
    : {
        earnings: earnings.map(({ kind, bps, worth }) => ({
          kind,
          ...(bps === undefined ? {} : { bps }),
          amount: worth,
        })),
      }),
  ...(changes.sponsored === 0n || sponsorship === null
    ? {}
    : { sponsorship: { amount: sponsorship.amount, rateCost: sponsorship.rateCost } }),
})

const eventJson = (wallet: string, { movement, delta, balanceAfter }: BalanceEvent) => ({
  id: Number(movement.id),
  chainId: movement.chainId,
  wallet,
  currency: movement.currency,
  delta: delta.toString(),
  balanceAfter: balanceAfter.toString(),
  context: movement.context,
  requestId: movement.requestId,
  contextData: contextData(movement),
  createdAt: new Date(movement.at).toISOString(),
})

/** The balances stand in the cursor, so that no page has to sum up what is above it; its tag keeps them as they were written. */
const writePosition = ({ before, skip, balances, since }: EventPosition) => ({
  key: before,
  tie: JSON.stringify([skip, since, [...balances].map(([key, amount]) => [key, amount.toString()])]),
})

const readPosition = ({ key, tie }: { readonly key: string; readonly tie: string }): EventPosition => {
  const [skip, since, balances]: [number, string, [string, string][]] = JSON.parse(tie)
  return { before: key, skip, since, balances: new Map(balances.map(([name, amount]) => [name, BigInt(amount)])) }
}

/** A page of what moved the balance of a wallet (in lower case), newest first. */
export const eventsPage = async (
  { searchPool, cursor }: Pick<EventsRouteDeps, 'searchPool' | 'cursor'>,
  wallet: string,
  query: Static<typeof EventsFilter>,
) => {
  const { chainId, currency, context, requestId, limit } = query
  const asked = ['balance-events', wallet, chainId, currency?.toLowerCase(), context, requestId?.toLowerCase()]
  const from = query.cursor === undefined ? null : readPosition(cursor().read(query.cursor, asked))
  const page = await readEventPage(searchPool, { wallet, limit, from, shows: filterOf(query) })
  const balances = [...page.balances].map(([key, amount]) => {
    const [chain = '', ...address] = key.split(':')
    return { chainId: Number(chain), currency: address.join(':'), amount: amount.toString() }
  })
  return {
    wallet,
    balances: balances.filter(
      (item) =>
        (chainId === undefined || item.chainId === chainId) &&
        (currency === undefined || same(item.currency, currency)),
    ),
    events: page.events.map((event) => eventJson(wallet, event)),
    continuation: page.next === null ? null : cursor().write(writePosition(page.next), asked),
  }
}

/** `GET /balance-events/{wallet}`: what moved the balance of a wallet, newest first (wire.md 4.12). */
export const eventsRoute = (deps: EventsRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/balance-events/:wallet',
    summary: 'What moved the balance of a wallet',
    description:
      'For whoever has the secret of the deployment, and for the integrator whose funding wallet it is. The balance is what is owed and not spent, set aside for a decided fill or not; what covers fast fills is not in it.',
    tags: ['balances'],
    bucket: 'other',
    auth: 'optional',
    params: WalletParams,
    query: EventsQuery,
    responses: { 200: EventsAnswer, 400: MessageSchema, 401: MessageSchema, 403: MessageSchema },
    handler: async ({ params, query, caller }) => {
      const wallet = params.wallet.toLowerCase()
      await requireReader(deps, wallet, { shown: query.id, caller })
      return eventsPage(deps, wallet, query)
    },
  })
