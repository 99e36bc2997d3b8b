import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { computeOrderId, type Order, signOrderId } from '@causeway/core/chain'
import { createPool, QuoteBodySchema, toBytea, validator } from '@causeway/core/plugin'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import Koa from 'koa'

/**
 * The two floors of `POST /quote`: Koa, its router and a body parser, with the quote in a file as the answer under a new request id.
 * Alone it checks a schema as wide as a quote's with ajv. With a database, a number of bytes and an order it does what a stored quote cannot do
 * without: the schema of the route, one order id, one signature, and one committed row of as many bytes. Prints its port.
 */
const text = () => Type.Optional(Type.String({ maxLength: 256 }))
const flag = () => Type.Optional(Type.Boolean())

const Body = Type.Object({
  user: Type.String({ maxLength: 256 }),
  recipient: text(),
  originChainId: Type.Integer({ minimum: 1 }),
  destinationChainId: Type.Integer({ minimum: 1 }),
  originCurrency: Type.String({ maxLength: 256 }),
  destinationCurrency: Type.String({ maxLength: 256 }),
  amount: Type.String({ pattern: '^[0-9]{1,78}$' }),
  tradeType: Type.Union([Type.Literal('EXACT_INPUT'), Type.Literal('EXPECTED_OUTPUT'), Type.Literal('EXACT_OUTPUT')]),
  referrer: text(),
  referrerAddress: text(),
  slippageTolerance: text(),
  latePaymentSlippageTolerance: text(),
  refundTo: text(),
  refundOnOrigin: flag(),
  ttl: Type.Optional(Type.Number({ minimum: 1 })),
  useReceiver: flag(),
  usePermit: flag(),
  useDepositAddress: flag(),
  useExternalLiquidity: flag(),
  topupGas: flag(),
  topupGasAmount: text(),
  protocolVersion: text(),
  explicitDeposit: flag(),
  includedSwapSources: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 200 })),
  appFees: Type.Optional(Type.Array(Type.Object({ recipient: Type.String(), fee: Type.String() }), { maxItems: 20 })),
})

const [, , quoteFile = '', databaseUrl, bytes, orderText = ''] = process.argv
// CAST: the file holds an answer of POST /quote.
const quote = JSON.parse(readFileSync(quoteFile, 'utf8')) as Readonly<Record<string, unknown>>

const ORDER_KEY = `0x${'5a'.repeat(32)}` as const
const TABLE = `create table floor_quotes (id bytea not null, order_id bytea not null, created_at timestamptz not null, packed bytea not null);
  alter table floor_quotes alter column packed set storage external;
  create index on floor_quotes (id); create index on floor_quotes (order_id)`

type Answering = (body: unknown) => Promise<object | null>

const fixed = (): Answering => {
  const check = new Ajv({ allErrors: false }).compile(Body)
  return async (body) => (check(body) ? { ...quote, requestId: `0x${randomBytes(32).toString('hex')}` } : null)
}

const working = async (connectionString: string, rowBytes: number): Promise<Answering> => {
  const pool = createPool({ connectionString, max: 16, applicationName: 'causeway bench floor' })
  await pool.query(TABLE)
  const check = validator(QuoteBodySchema, 'body')
  // CAST: the order of a quote that the host stored.
  const order = JSON.parse(orderText) as Order
  const chains = { [order.solverChainId]: 'ethereum-vm', [order.output.chainId]: 'ethereum-vm' } as const
  const packed = randomBytes(rowBytes)
  return async (body) => {
    check(body)
    const id = randomBytes(32)
    const orderId = computeOrderId({ ...order, salt: `0x${id.toString('hex')}` }, chains)
    const signature = signOrderId(orderId, ORDER_KEY)
    await pool.query({
      name: 'floor_insert',
      text: 'insert into floor_quotes (id, order_id, created_at, packed) values ($1, $2, now(), $3)',
      values: [id, toBytea(orderId), packed],
    })
    return { ...quote, requestId: `0x${id.toString('hex')}`, signature }
  }
}

const answer = databaseUrl === undefined ? fixed() : await working(databaseUrl, Number(bytes))
const router = new Router()
router.post('/quote', async (koa) => {
  const answered = await answer(koa.request.body)
  if (answered === null) koa.status = 400
  else koa.body = answered
})
const server = new Koa()
  .use(bodyParser({ enableTypes: ['json'] }))
  .use(router.routes())
  .listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) console.log(`port ${address.port}`)
  })
