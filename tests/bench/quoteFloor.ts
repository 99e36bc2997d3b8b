import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import Koa from 'koa'

/**
 * The floor of `POST /quote`: what Koa, its router, a body parser and ajv cost before any work is done. Answers every body that fits
 * a schema as wide as a quote's with the quote in the file given, under a new request id; prints its port.
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

const [, , quoteFile = ''] = process.argv
// CAST: the file holds an answer of POST /quote.
const quote = JSON.parse(readFileSync(quoteFile, 'utf8')) as Readonly<Record<string, unknown>>
const check = new Ajv({ allErrors: false }).compile(Body)
const router = new Router()
router.post('/quote', (koa) => {
  if (!check(koa.request.body)) {
    koa.status = 400
    return
  }
  koa.body = { ...quote, requestId: `0x${randomBytes(32).toString('hex')}` }
})
const server = new Koa()
  .use(bodyParser({ enableTypes: ['json'] }))
  .use(router.routes())
  .listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) console.log(`port ${address.port}`)
  })
