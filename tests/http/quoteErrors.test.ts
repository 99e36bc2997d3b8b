import { type ErrorCode, errorCatalog } from '@causeway/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, valueAt } from '../harness/apiCall.js'
import { ether, type NetworkChain } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { CLOSED_ID, type ErrorWorld, PRICES, REEF_ID, SILENT_SOURCE, SOLANA_ID, startErrorWorld } from './errorWorld.js'
import { leakIn, nativeBody, postQuote, rowCounts, tokenBody } from './httpWorld.js'

const PATHS = ['/quote/v2', '/quote', '/price'] as const
const UNKNOWN_KEY = `cct_test_${'A'.repeat(43)}`

type Path = (typeof PATHS)[number]
type Body = Readonly<Record<string, unknown>>
type Row =
  | {
      readonly body: () => Body
      /** Where the code is raised; absent: on all three. */
      readonly paths?: readonly Path[]
      /** In place of the key of the tests; null: none. */
      readonly apiKey?: string | null
      /** Spoils something, and gives what mends it. */
      readonly spoil?: () => Promise<() => Promise<unknown>>
      /** What else is in the body, beside message and code. */
      readonly fields?: readonly string[]
    }
  /** Why no request can raise it in this build. */
  | { readonly never: string }

let world: ErrorWorld

const home = () => world.network.chains[0]
const away = () => world.network.chains[1]
const native = (more: Body = {}) => nativeBody(world, more)
const token = (more: Body = {}) => tokenBody(world, more)
const unlistedOf = ({ unlisted }: NetworkChain): string => {
  if (unlisted === undefined) throw new Error('The chain has no pools')
  return unlisted
}
const strange = `0x${'12'.repeat(20)}`
const call = { to: strange, value: '0', data: '0x' }

/** On the first chain alone. */
const here = (more: Body = {}) => {
  const { chainId } = home().chain
  return native({ originChainId: chainId, destinationChainId: chainId, ...more })
}
/** From a token nobody lists to dollars elsewhere: the origin must swap. */
const swapped = (more: Body = {}) =>
  token({ originCurrency: unlistedOf(home()), amount: ether('50').toString(), ...more })
/** To the chain whose node fails as told; its recipient was never asked about. */
const toReef = (more: Body = {}) => native({ destinationChainId: REEF_ID, recipient: freshAddress(), ...more })
const toSolana = (more: Body = {}) =>
  token({
    destinationChainId: SOLANA_ID,
    destinationCurrency: world.solana.dollar,
    recipient: world.solana.user,
    ...more,
  })

const quoted = (what: string, body: () => Body) =>
  until(what, async () => ((await postQuote(world, body())).status === 200 ? true : null))

const QUESTIONS = ['eth_call', 'eth_estimateGas', 'eth_simulateV1', 'eth_getBalance']
const failingNode =
  (rule: Parameters<ErrorWorld['node']['add']>[1], methods = QUESTIONS) =>
  async () => {
    for (const method of methods) world.node.add(method, rule)
    return async () => {
      world.node.clear()
      await quoted('the node to serve again', toReef)
    }
  }

const withoutPrice = async () => {
  world.host.setPrices({ ...PRICES, usdc: '0' })
  const spoiled = async () =>
    valueAt((await postQuote(world, token())).body, 'errorCode') === 'PRICE_FETCH_FAILED' ? true : null
  await until('the price to be unusable', spoiled)
  return async () => {
    world.host.setPrices(PRICES)
    await quoted('the price to be back', token)
  }
}

/** A failure that nobody foresaw: a table is not where it should be. */
const withoutTable = async () => {
  const { pool } = world.database
  await pool.query('alter table quote_rows rename to quotes_elsewhere')
  return () => pool.query('alter table quotes_elsewhere rename to quote_rows')
}

const failingCall = () => ({
  to: away().usdc,
  value: '0',
  data: `0xa9059cbb${strange.slice(2).padStart(64, '0')}${ether('1000000').toString(16).padStart(64, '0')}`,
})

const SIMULATED = ['requestId', 'approxSimulatedBlock', 'failedCallData', 'errorData']

/** A code that is added to the catalogue needs a row: the compiler wants it. */
const ROWS: Readonly<Record<ErrorCode, Row>> = {
  UNAUTHORIZED_QUOTE: { body: () => native({ referrer: 'shop' }), apiKey: null },
  UNAUTHORIZED: { body: native, apiKey: UNKNOWN_KEY, paths: ['/quote', '/price'] },
  FORBIDDEN: { never: 'keys have no roles yet' },
  INVALID_REQUEST: { body: () => native({ tradeType: 'EXACT' }) },
  INVALID_ADDRESS: { body: () => native({ recipient: 'bob.eth' }) },
  INVALID_RECIPIENT: { body: () => native({ recipient: away().usdc }) },
  INVALID_SLIPPAGE_TOLERANCE: { body: () => native({ slippageTolerance: '10001' }) },
  INVALID_SUBSIDIZATION: { body: () => native({ subsidizationBps: 5_000 }) },
  SOLANA_TX_TOO_LARGE: {
    body: () =>
      token({
        user: world.solana.user,
        originChainId: SOLANA_ID,
        originCurrency: world.solana.pearl,
        destinationChainId: home().chain.chainId,
        destinationCurrency: home().usdc,
      }),
    fields: ['errorData'],
  },
  UNSUPPORTED_CURRENCY: { body: () => native({ originCurrency: strange }) },
  SERVICE_UNAVAILABLE: { body: toReef, paths: ['/quote', '/price'], spoil: failingNode({ httpStatus: 500 }) },
  PRICE_FETCH_FAILED: { body: token, spoil: withoutPrice },
  UNKNOWN_ERROR: { body: token, paths: ['/quote/v2', '/quote'], spoil: withoutTable, fields: ['requestId'] },
  DESTINATION_TX_FAILED: { body: () => token({ txs: [failingCall()] }), fields: SIMULATED },
  REQUEST_TIMED_OUT: { body: toReef, paths: ['/quote/v2'], spoil: failingNode({ delayMs: 2_500 }) },
  RPC_HTTP_ERROR: { body: toReef, paths: ['/quote/v2'], spoil: failingNode({ httpStatus: 500 }) },
  AMOUNT_TOO_LOW: { body: () => here({ destinationCurrency: home().usdc, amount: ether('0.00002').toString() }) },
  CHAIN_DISABLED: { body: () => native({ destinationChainId: CLOSED_ID }) },
  UNSUPPORTED_CHAIN: { body: () => native({ destinationChainId: 424_242 }) },
  UNSUPPORTED_ROUTE: { body: here },
  UNSUPPORTED_EXECUTION_TYPE: { body: () => toSolana({ txs: [call] }) },
  ROUTE_TEMPORARILY_RESTRICTED: {
    body: () => native({ originChainId: REEF_ID, destinationChainId: home().chain.chainId }),
  },
  EXTRA_TXS_NOT_SUPPORTED: { body: () => native({ tradeType: 'EXPECTED_OUTPUT', txs: [call] }) },
  INVALID_EXTRA_TXS: { body: () => native({ txs: [{ ...call, value: ether('1').toString() }] }) },
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: { body: () => native({ gasLimitForDepositSpecifiedTxs: 100_000 }) },
  INVALID_INPUT_CURRENCY: { body: () => native({ originCurrency: 'USDC' }) },
  INVALID_OUTPUT_CURRENCY: { body: () => native({ destinationCurrency: 'USDC' }) },
  INSUFFICIENT_FUNDS: {
    never: 'only a Bitcoin origin looks at the balance of the user, and no chain of that kind is served',
  },
  INSUFFICIENT_LIQUIDITY: { body: () => native({ amount: ether('1000000').toString() }) },
  NO_QUOTES: { body: () => swapped({ includedOriginSwapSources: [] }) },
  NO_SWAP_ROUTES_FOUND: {
    body: () => token({ includedDestinationSwapSources: ['uniswap-v2'], maxRouteLength: 1, ...poolless() }),
  },
  NO_INTERNAL_SWAP_ROUTES_FOUND: { body: () => swapped({ disableOriginSwaps: true }) },
  SWAP_IMPACT_TOO_HIGH: {
    body: () =>
      here({
        originCurrency: unlistedOf(home()),
        destinationCurrency: home().usdc,
        amount: ether('400000').toString(),
      }),
  },
  SWAP_QUOTE_FAILED: { body: () => swapped({ includedOriginSwapSources: [SILENT_SOURCE] }) },
  PERMIT_FAILED: { never: 'deposits by signature are not built yet, so no permit is checked' },
  ERC20_ROUTER_ADDRESS_NOT_FOUND: { body: () => toReef({ txs: [call] }), fields: ['requestId'] },
  USER_RECIPIENT_MISMATCH: { body: () => toSolana({ recipient: undefined }) },
  SANCTIONED_CURRENCY: {
    body: () => token({ originCurrency: home().blockable, destinationCurrency: away().blockable }),
  },
  SANCTIONED_WALLET_ADDRESS: { body: () => native({ recipient: world.listed.sanctioned }) },
  BLOCKED_WALLET_ADDRESS: { body: () => native({ recipient: world.listed.blocked }) },
}

let withoutPools = ''
const poolless = () => ({ destinationCurrency: withoutPools })

beforeAll(async () => {
  world = await startErrorWorld()
  withoutPools = await away().chain.deployToken({ name: 'Alone', symbol: 'ALONE', decimals: 18 })
  const chains = { 'the first two': native, 'the reef': toReef, Solana: toSolana, swaps: swapped }
  for (const [what, body] of Object.entries(chains)) await quoted(`quotes over ${what}`, body)
})
afterAll(() => world?.close())

/** The shape of an error of a quote, by its status (wire.md 0.4). */
const requireShape = ({ status, body, text, headers }: ApiAnswer, fields: readonly string[]): void => {
  const names = Object.keys(Object(body))
  expect(names.toSorted()).toEqual(['errorCode', 'message', ...fields].toSorted())
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('cache-control')).toBe('no-store')
  const message = valueAt(body, 'message')
  expect(typeof message === 'string' && message.length > 10 && message.length < 500).toBe(true)
  if (fields.includes('requestId') && status === 400) expect(valueAt(body, 'requestId')).toMatch(/^0x[0-9a-f]{64}$/)
  if (fields.includes('failedCallData')) {
    expect(Object.keys(Object(valueAt(body, 'failedCallData'))).toSorted()).toEqual(['data', 'from', 'to', 'value'])
    expect(valueAt(body, 'approxSimulatedBlock')).toEqual(expect.any(Number))
  }
  expect(leakIn(world, text)).toBeNull()
}

/** Asks again, on a busy machine, while a swap source is late: what it would refuse is known only when all have answered. */
const answerTo = (code: ErrorCode, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> =>
  until('every swap source to answer', async () => {
    const answer = await ask()
    const late = code !== 'SWAP_QUOTE_FAILED' && valueAt(answer.body, 'errorCode') === 'SWAP_QUOTE_FAILED'
    return late ? null : answer
  })

describe('every code of the catalogue, over HTTP (wire.md C.1, K.1, 0.4)', () => {
  it('has a row, and nothing else has', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(Object.keys(errorCatalog).toSorted())
  })

  // CAST: the keys of a record over codes are codes.
  for (const code of Object.keys(ROWS) as ErrorCode[]) {
    const row = ROWS[code]
    if ('never' in row) {
      continue
    }
    const { body, paths = PATHS, apiKey = undefined, spoil, fields = [] } = row
    it(`${errorCatalog[code].status} ${code}`, async () => {
      const key = apiKey === null ? undefined : (apiKey ?? world.host.apiKey)
      const mend = await spoil?.()
      try {
        const before = spoil === withoutTable ? null : await rowCounts(world)
        for (const path of paths) {
          const answer = await answerTo(code, () => postQuote(world, body(), path, key))
          expect([path, answer.status, valueAt(answer.body, 'errorCode')]).toEqual([
            path,
            errorCatalog[code].status,
            code,
          ])
          requireShape(answer, fields)
        }
        if (before !== null) expect(await rowCounts(world)).toEqual(before)
      } finally {
        await mend?.()
      }
    })
  }
})

describe('the codes that /documentation/json lists', () => {
  /** Answered before any rule of a quote is looked at; shown by openapi.test.ts and quoteAuth.test.ts. */
  const OF_CHECKS = ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE', 'UNAUTHORIZED', 'UNKNOWN_ERROR']

  /** Of origins whose deposit is made of the user's own coins; reached in `tests/bitcoin`. A price looks at none (wire.md 1.8). */
  const OF_COINS = (path: string) => (path === '/price' ? [] : ['INSUFFICIENT_FUNDS'])

  it.each(PATHS)('%s: those with a row above, and nothing else', async (path) => {
    const { body } = await callApi(world.host.url, '/documentation/json')
    const responses = Object.values(Object(Reflect.get(Object(valueAt(body, 'paths')), path).post.responses))
    const listed = responses.flatMap((response) => {
      const schema = valueAt(Reflect.get(Object(valueAt(response, 'content')), 'application/json'), 'schema')
      const codes = valueAt(schema, 'allOf.1.properties.errorCode.enum')
      return Array.isArray(codes) ? codes : []
    })
    const raised = Object.entries(ROWS).filter(([, row]) => !('never' in row) && (row.paths ?? PATHS).includes(path))
    const expected = new Set([...OF_CHECKS, ...OF_COINS(path), ...raised.map(([code]) => code)])
    expect([...new Set(listed)].toSorted()).toEqual([...expected].toSorted())
  })
})

describe('what lets a quote through, or holds it back no longer', () => {
  it('overridePriceImpact: the impact is the caller’s own will (wire.md 1.2)', async () => {
    const row = ROWS.SWAP_IMPACT_TOO_HIGH
    const body = 'never' in row ? {} : row.body()
    expect((await postQuote(world, { ...body, overridePriceImpact: true })).status).toBe(200)
  })

  it('a silent source beside others that serve: quoted over those', async () => {
    const includedOriginSwapSources = [SILENT_SOURCE, 'uniswap-v2']
    expect((await postQuote(world, swapped({ includedOriginSwapSources }))).status).toBe(200)
  })

  it('a chain whose node answers nothing leaves the quotes of others alone (faults.md)', async () => {
    const heads = ['eth_chainId', 'eth_blockNumber', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_gasPrice']
    const mend = await failingNode({ httpStatus: 500 }, [...QUESTIONS, ...heads, 'eth_feeHistory'])()
    try {
      await until('the chain to be unavailable', async () =>
        (await postQuote(world, toReef())).status === 503 ? true : null,
      )
      for (const body of [native, token, swapped, toSolana]) {
        for (const path of PATHS) {
          const answer = await postQuote(world, body(), path, world.host.apiKey)
          expect([path, answer.status]).toEqual([path, 200])
        }
      }
      expect((await callApi(world.host.url, '/chains')).status).toBe(200)
    } finally {
      await mend()
    }
  })
})
