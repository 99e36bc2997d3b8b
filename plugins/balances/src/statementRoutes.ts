import { type Clock, type CurrencyRegistry, ServiceError } from '@causeway/core'
import {
  type BalanceStatement,
  type Caller,
  Content,
  ContentSchema,
  type DatabasePool,
  defineRoute,
  MAX_SECONDS,
  MessageSchema,
  type Route,
  readStatement,
  StatementSchema,
  StatementTooLongError,
  statementCsv,
  statementJson,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { requireOwner, WalletParams } from './walletAccess.js'

export interface StatementRoutesDeps {
  readonly pool: DatabasePool
  readonly searchPool: DatabasePool
  readonly clock: Clock
  readonly currencies: CurrencyRegistry
  /** Most ledger entries of one statement. */
  readonly entries: number
}

const THIRTY_DAYS = 30 * 86_400

/** The time of a statement. */
export const Period = Type.Object({
  startTimestamp: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description: 'Unix seconds, in it. Default: 30 days before the end.',
    }),
  ),
  endTimestamp: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description: 'Unix seconds, not in it. Default: now.' }),
  ),
})

/** Unix milliseconds. @throws ServiceError INVALID_REQUEST */
const periodOf = ({ startTimestamp, endTimestamp }: Static<typeof Period>, now: number) => {
  const to = endTimestamp ?? Math.floor(now / 1000) + 1
  const from = startTimestamp ?? Math.max(0, to - THIRTY_DAYS)
  if (from > to) throw new ServiceError('INVALID_REQUEST', 'query.startTimestamp must not be after query.endTimestamp')
  return { from: from * 1000, to: to * 1000 }
}

const COMMON = {
  method: 'GET',
  tags: ['balances'],
  bucket: 'other',
  auth: 'required',
  params: WalletParams,
  query: Period,
} as const

const DESCRIPTION =
  'What each account of the wallet held when the time begins and ends, and every posting within it. For the integrator whose funding wallet it is.'

/** The statement of a wallet (in lower case). @throws ServiceError INVALID_REQUEST where it is too long */
export const statementOf = async (
  { searchPool, clock, entries }: Pick<StatementRoutesDeps, 'searchPool' | 'clock' | 'entries'>,
  wallet: string,
  query: Static<typeof Period>,
): Promise<BalanceStatement> => {
  try {
    return await readStatement(searchPool, { wallet, ...periodOf(query, clock.now()), entries })
  } catch (error) {
    if (!(error instanceof StatementTooLongError)) throw error
    throw new ServiceError('INVALID_REQUEST', error.message)
  }
}

/** A statement as a file. */
export const csvOf = (statement: BalanceStatement, currencies: CurrencyRegistry): Content =>
  new Content('text/csv; charset=utf-8', Buffer.from(statementCsv(statement, currencies)))

/** `GET /balance-statements/{wallet}` and `.../csv`: the statement of a funding wallet, for its integrator. */
export const statementRoutes = (deps: StatementRoutesDeps): readonly Route[] => {
  const read = async (given: string, query: Static<typeof Period>, caller: Caller): Promise<BalanceStatement> => {
    const wallet = given.toLowerCase()
    periodOf(query, deps.clock.now())
    await requireOwner(deps.pool, wallet, caller)
    return statementOf(deps, wallet, query)
  }
  const refusals = { 400: MessageSchema, 401: MessageSchema, 403: MessageSchema }
  return [
    defineRoute({
      ...COMMON,
      path: '/balance-statements/:wallet',
      summary: 'Statement of a funding wallet',
      description: DESCRIPTION,
      responses: { 200: StatementSchema, ...refusals },
      handler: async ({ params, query, caller }) =>
        statementJson(await read(params.wallet, query, caller), deps.currencies),
    }),
    defineRoute({
      ...COMMON,
      path: '/balance-statements/:wallet/csv',
      summary: 'Statement of a funding wallet as CSV',
      description: DESCRIPTION,
      responses: { 200: ContentSchema('text/csv'), ...refusals },
      handler: async ({ params, query, caller }) => csvOf(await read(params.wallet, query, caller), deps.currencies),
    }),
  ]
}
