import { startLocalChain } from '@causeway/chain-evm/testing'
import { blockingTokenAbi } from '@causeway/contracts-abi'
import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, postRaw, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, rowCounts, startHttpWorld, tokenBody } from './httpWorld.js'

const DISABLED_CHAIN = 70_003
const STRANGER = `0x${'12'.repeat(20)}`
/** EIP-55 has a small d at its end. */
const WRONG_CHECKSUM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'
const SOLANA_ADDRESS = 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr'
const BITCOIN_ADDRESS = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
/** Mixed case with one letter in the wrong one. */
const BAD_CHECKSUM = '0xd8DA6BF26964aF9D7eEd9e03E53415D37aA96046'
/** How much longer the most expensive bad input may take than a cheap one: the best of some tries each, in turns. */
const SLOWEST_RATIO = 20
const TRIES = 8

let world: HttpWorld
let closeDisabled: () => Promise<void>
const blocked = freshAddress()
/** Rows before the first refusal. */
let stored: Awaited<ReturnType<typeof rowCounts>>

beforeAll(async () => {
  const off = await startLocalChain({ chainId: DISABLED_CHAIN })
  closeDisabled = () => off.close()
  world = await startHttpWorld({
    moreChains: [
      {
        id: DISABLED_CHAIN,
        slug: 'closed',
        name: 'Closed',
        package: '@causeway/chain-evm',
        rpc: [off.rpcUrl],
        enabled: false,
        currencies: [{ address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }],
        options: { depository: STRANGER, fillRouter: `0x${'13'.repeat(20)}`, startBlock: 0 },
      },
    ],
  })
  const [, { chain, blockable }] = world.network.chains
  const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [blocked] })
  await receiptOf(chain, await chain.send(userOf(world.network, 5), { to: blockable, data }))
  // The first answers fill caches.
  for (const body of [nativeBody(world), tokenBody(world)]) {
    for (const path of ['/quote', '/price']) expect((await postQuote(world, body, path)).status).toBe(200)
  }
  stored = await rowCounts(world)
})
afterAll(async () => {
  await world?.close()
  await closeDisabled?.()
})

interface Refusal {
  readonly name: string
  /** What differs from a body that is quoted. */
  readonly change: () => Readonly<Record<string, unknown>>
  readonly code: string
  readonly says?: RegExp
}

const refusal = (name: string, code: string, change: () => Readonly<Record<string, unknown>>, says?: RegExp) => ({
  name,
  code,
  change,
  ...(says === undefined ? {} : { says }),
})

const short = (value: unknown): string => String(JSON.stringify(value)).slice(0, 24)

/** One row for each value of one field. */
const each = (field: string, code: string, values: readonly unknown[]): Refusal[] =>
  values.map((value) => refusal(`${field} ${short(value)}`, code, () => ({ [field]: value }), new RegExp(field)))

const origin = () => world.network.chains[0]
const destination = () => world.network.chains[1]
const destinationRecipient = (address: string) => ({ recipient: address })

const chains: Refusal[] = [
  ...each('originChainId', 'UNSUPPORTED_CHAIN', [1, 424_242]).map((row) => ({ ...row, says: /Chain \d+/ })),
  ...each('destinationChainId', 'UNSUPPORTED_CHAIN', [1, 424_242]).map((row) => ({ ...row, says: /Chain \d+/ })),
  ...each('originChainId', 'CHAIN_DISABLED', [DISABLED_CHAIN]).map((row) => ({ ...row, says: /switched off/ })),
  ...each('destinationChainId', 'CHAIN_DISABLED', [DISABLED_CHAIN]).map((row) => ({ ...row, says: /switched off/ })),
  ...each('originChainId', 'INVALID_REQUEST', ['70001', -1, 0, 1.5, null, true, [], {}, 1e300, undefined]),
  ...each('destinationChainId', 'INVALID_REQUEST', ['70002', -1, 1.5, null, undefined]),
]

const currencies: Refusal[] = [
  ...each('originCurrency', 'UNSUPPORTED_CURRENCY', [STRANGER]),
  ...each('destinationCurrency', 'UNSUPPORTED_CURRENCY', [STRANGER]),
  ...each('originCurrency', 'INVALID_INPUT_CURRENCY', ['', 'USDC', '0x12', `${NATIVE}00`, SOLANA_ADDRESS]),
  ...each('destinationCurrency', 'INVALID_OUTPUT_CURRENCY', ['', 'USDC', '0x12', BITCOIN_ADDRESS, 'ether']),
  ...each('originCurrency', 'INVALID_REQUEST', [0, null, [NATIVE], undefined, 'x'.repeat(1_000)]),
  refusal('an unknown currency in capitals', 'UNSUPPORTED_CURRENCY', () => ({
    originCurrency: STRANGER.toUpperCase().replace('0X', '0x'),
  })),
  refusal('nothing moved', 'UNSUPPORTED_ROUTE', () => ({ destinationChainId: origin().chain.chainId })),
]

const addresses: Refusal[] = [
  ...each('user', 'INVALID_ADDRESS', [
    '',
    'alice',
    '0x12',
    `${STRANGER}1`,
    SOLANA_ADDRESS,
    BITCOIN_ADDRESS,
    BAD_CHECKSUM,
  ]),
  ...each('recipient', 'INVALID_ADDRESS', [
    '',
    'bob.eth',
    '0x12',
    `0x${'zz'.repeat(20)}`,
    SOLANA_ADDRESS,
    BITCOIN_ADDRESS,
  ]),
  ...each('recipient', 'INVALID_ADDRESS', [BAD_CHECKSUM, ` ${STRANGER}`, `${STRANGER}\n`]),
  ...each('refundTo', 'INVALID_ADDRESS', ['', 'there', '0x12', SOLANA_ADDRESS, BAD_CHECKSUM]),
  ...each('user', 'INVALID_REQUEST', [5, null, {}, undefined]),
  ...each('recipient', 'INVALID_REQUEST', [5, [STRANGER]]),
  refusal('the zero address', 'INVALID_RECIPIENT', () => destinationRecipient(NATIVE), /recipient/),
  refusal('a token', 'INVALID_RECIPIENT', () => destinationRecipient(destination().usdc), /token/),
  refusal(
    'a token in mixed case',
    'INVALID_RECIPIENT',
    () => destinationRecipient(getAddress(destination().usdc)),
    /token/,
  ),
  refusal('another token', 'INVALID_RECIPIENT', () => destinationRecipient(destination().blockable), /token/),
  refusal('the depository', 'INVALID_RECIPIENT', () => destinationRecipient(destination().depository), /depository/),
  refusal('the fill router', 'INVALID_RECIPIENT', () => destinationRecipient(destination().fillRouter), /recipient/),
  refusal('a refund to a token', 'INVALID_ADDRESS', () => ({ refundTo: origin().usdc }), /refundTo/),
  refusal('a refund to the depository', 'INVALID_ADDRESS', () => ({ refundTo: origin().depository }), /refundTo/),
  refusal('the depository as user', 'INVALID_ADDRESS', () => ({ user: origin().depository }), /refundTo/),
]

const MALFORMED_AMOUNTS = [
  ...['-1', '-0', '+1', '0x10', '1e18', '1E3', ' 1', '1 ', '1.0', '1,000', '1_000', '٣', '', 'NaN', 'Infinity', '1n'],
  ...[1, 0, 1.5, null, true, ['1'], {}, undefined],
]

const amounts: Refusal[] = [
  ...each('amount', 'INVALID_REQUEST', MALFORMED_AMOUNTS),
  ...each('amount', 'INVALID_REQUEST', ['9'.repeat(100_000), (2n ** 256n).toString(), '9'.repeat(79)]),
  ...each('amount', 'AMOUNT_TOO_LOW', ['0']),
  refusal('one unit, less than the fees', 'AMOUNT_TOO_LOW', () => ({ amount: '1' }), /fees/),
  refusal('a token amount less than the fees', 'AMOUNT_TOO_LOW', () => tokenBody(world, { amount: '20000' }), /fees/),
  refusal('0 of an exact output', 'AMOUNT_TOO_LOW', () => ({ amount: '0', tradeType: 'EXACT_OUTPUT' })),
  refusal('more than the solver owns', 'INSUFFICIENT_LIQUIDITY', () => ({ amount: ether('1000000').toString() })),
  refusal('the most a chain can represent', 'INSUFFICIENT_LIQUIDITY', () => ({ amount: (2n ** 256n - 1n).toString() })),
  refusal('an output whose input is past 2^256', 'INVALID_REQUEST', () => ({
    amount: (2n ** 256n - 1n).toString(),
    tradeType: 'EXACT_OUTPUT',
  })),
]

const MALFORMED_SLIPPAGES = ['10001', '99999', '-1', '1.5', '00100', '01', '', ' 5', '5 ', '0x5', '1e2', '٣', 'auto']

const slippages: Refusal[] = ['slippageTolerance', 'latePaymentSlippageTolerance'].flatMap((field) =>
  each(field, 'INVALID_SLIPPAGE_TOLERANCE', [...MALFORMED_SLIPPAGES, 100, 0, true, [], {}, '9'.repeat(10_000)]),
)

const NOT_SERVED: Readonly<Record<string, unknown>> = {
  appFees: [{ recipient: STRANGER, fee: '10' }],
  useDepositAddress: true,
  usePermit: true,
  subsidizeFees: true,
  fixedRate: '1:1',
  topupGas: true,
  useExternalLiquidity: true,
  useFallbacks: true,
  depositFeePayer: STRANGER,
}

const options: Refusal[] = [
  ...Object.entries(NOT_SERVED).flatMap(([field, value]) => each(field, 'INVALID_REQUEST', [value])),
  ...each('strict', 'INVALID_REQUEST', [true]),
  ...each('recoveryAddress', 'INVALID_REQUEST', [STRANGER]),
  ...each('topupGasAmount', 'INVALID_REQUEST', ['1']),
  ...each('gasLimitForDepositSpecifiedTxs', 'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS', [0, 100_000, 1.5]),
  ...each('maxRouteLength', 'INVALID_REQUEST', [0, -1, 1.5, 101, '3']),
  ...['includedSwapSources', 'includedOriginSwapSources', 'includedDestinationSwapSources'].flatMap((field) =>
    each(field, 'INVALID_REQUEST', [['no-such-source'], 'uniswap-v3', [1]]),
  ),
  // A name to leave out that is not there is harmless.
  ...each('excludedSwapSources', 'INVALID_REQUEST', ['uniswap-v3', [1]]),
  ...each('txs', 'INVALID_REQUEST', [
    [{}],
    [{ to: 'alice' }],
    [{ to: STRANGER, value: '-1' }],
    [{ to: STRANGER, value: 1 }],
    [{ to: STRANGER, data: '0x1' }],
    [{ to: STRANGER, originalTxValue: '1.5' }],
    'none',
  ]),
  refusal('calls with an expected output', 'EXTRA_TXS_NOT_SUPPORTED', () => ({
    tradeType: 'EXPECTED_OUTPUT',
    txs: [{ to: STRANGER, value: '0', data: '0x' }],
  })),
  refusal('calls that spend more than the output', 'INVALID_EXTRA_TXS', () => ({
    txs: [{ to: STRANGER, value: (10n ** 30n).toString(), data: '0x' }],
  })),
  refusal('a gas limit of calls that is none', 'INVALID_REQUEST', () => ({
    txsGasLimit: 1.5,
    txs: [{ to: STRANGER, value: '0', data: '0x' }],
  })),
  refusal('an authorization without calls', 'INVALID_REQUEST', () => ({
    authorizationList: [{ chainId: 1, address: STRANGER, nonce: 0, yParity: 0, r: '0x1', s: '0x1' }],
  })),
  refusal('an authorization that is none', 'INVALID_REQUEST', () => ({
    authorizationList: [{ chainId: 1, address: 'x', nonce: 0, yParity: 2, r: '0x1', s: '0x1' }],
    txs: [{ to: STRANGER, value: '0', data: '0x' }],
  })),
  refusal('an authorization for an address with a wrong checksum', 'INVALID_ADDRESS', () => ({
    authorizationList: [{ chainId: 1, address: WRONG_CHECKSUM, nonce: 0, yParity: 0, r: '0x1', s: '0x1' }],
    txs: [{ to: STRANGER, value: '0', data: '0x' }],
  })),
  ...each('tradeType', 'INVALID_REQUEST', ['EXACT', 'exact_input', '', 1, null, undefined]),
  ...each('includeProtocolData', 'INVALID_REQUEST', ['true', 1]),
  ...each('ttl', 'INVALID_REQUEST', ['60', 0, -5, 1e12]),
  ...each('referrer', 'INVALID_REQUEST', ['']),
  ...each('recipient', 'INVALID_RECIPIENT', ['0x000000000000000000000000000000000000dEaD']),
  ...each('subsidizationBps', 'INVALID_SUBSIDIZATION', [0, 5_000, 10_001, -1, 1.5, '100']),
  ...each('maxSubsidizationAmount', 'INVALID_SUBSIDIZATION', ['1000000']),
  refusal('a share past the whole', 'INVALID_SUBSIDIZATION', () => ({ subsidizeFees: true, subsidizationBps: 10_001 })),
  refusal('a share as a text', 'INVALID_SUBSIDIZATION', () => ({ subsidizeFees: true, subsidizationBps: '5000' })),
]

const destinationFailures: Refusal[] = [
  refusal(
    'a recipient the token blocks (F60)',
    'DESTINATION_TX_FAILED',
    () => ({
      originCurrency: origin().blockable,
      destinationCurrency: destination().blockable,
      amount: '5000000',
      recipient: blocked,
    }),
    /recipient cannot receive this token/i,
  ),
]

const REFUSALS = [...chains, ...currencies, ...addresses, ...amounts, ...slippages, ...options, ...destinationFailures]

describe('a quote with bad input (wire.md C.1, K.1; faults.md F60, F75, F76)', () => {
  it.each(REFUSALS)('$name: 400 $code', async ({ change, code, says }) => {
    const { status, body, text } = await postQuote(world, nativeBody(world, change()))
    expect([status, valueAt(body, 'errorCode')]).toEqual([400, code])
    if (says !== undefined) expect(textAt(body, 'message')).toMatch(says)
    expect(textAt(body, 'message').length).toBeLessThan(500)
    expect(leakIn(world, text)).toBeNull()
  })

  it('/price and /quote/v2 refuse with the same code', async () => {
    for (const { change, code } of new Map(REFUSALS.map((row) => [row.code, row])).values()) {
      const body = nativeBody(world, change())
      const answers = [
        await postQuote(world, body, '/price'),
        await postQuote(world, body, '/quote/v2', world.host.apiKey),
      ]
      for (const { status, body: answer } of answers) {
        expect([status, valueAt(answer, 'errorCode')]).toEqual([400, code])
      }
    }
  })

  it('a refused recipient comes with what was tried, and nothing of ours (wire.md 0.4)', async () => {
    const { body } = await postQuote(world, nativeBody(world, destinationFailures[0]?.change()))
    expect(Object.keys(Object(body)).sort()).toEqual(
      expect.arrayContaining(['errorCode', 'failedCallData', 'message', 'requestId']),
    )
    expect(textAt(body, 'failedCallData.to')).toBe(destination().blockable)
    expect(textAt(body, 'requestId')).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('none of them stores a row', async () => {
    expect(await rowCounts(world)).toEqual(stored)
  })

  it('an amount of 2^53+1 loses nothing (F76)', async () => {
    const amount = (2n ** 53n + 1n).toString()
    const { status, body } = await postQuote(world, nativeBody(world, { amount }))
    expect(status).toBe(200)
    expect(textAt(body, 'details.currencyIn.amount')).toBe(amount)
    expect(textAt(body, 'protocol.v2.paymentDetails.amount')).toBe(amount)
  })
})

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const JSON_TYPE = { 'content-type': 'application/json' }
const good = (): string => JSON.stringify(nativeBody(world))

const BODIES: readonly {
  readonly name: string
  readonly body: () => Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
}[] = [
  { name: 'a body of 20 MB', body: () => bytesOf(`{"amount":"${'1'.repeat(20_000_000)}"}`), status: 413 },
  { name: 'a body one byte past the limit', body: () => bytesOf(good().padEnd(256 * 1024 + 1)), status: 413 },
  { name: 'half a body', body: () => bytesOf(good().slice(0, 30)), status: 400 },
  { name: 'a trailing comma', body: () => bytesOf(good().replace(/}$/, ',}')), status: 400 },
  { name: 'words', body: () => bytesOf('please'), status: 400 },
  { name: 'duplicate keys', body: () => bytesOf(good().replace('{', '{"amount":"5",')), status: 400 },
  {
    name: 'a duplicate key written otherwise',
    body: () => bytesOf(good().replace('{', '{"\\u0061mount":"5",')),
    status: 400,
  },
  { name: '__proto__', body: () => bytesOf(good().replace('{', '{"__proto__":{"polluted":true},')), status: 400 },
  {
    name: 'constructor',
    body: () => bytesOf(good().replace('{', '{"constructor":{"prototype":{"polluted":1}},')),
    status: 400,
  },
  { name: 'ten thousand levels', body: () => bytesOf(`${'['.repeat(10_000)}${']'.repeat(10_000)}`), status: 400 },
  { name: 'U+0000 in a text', body: () => bytesOf(good().replace('{', '{"referrer":"a\\u0000",')), status: 400 },
  { name: 'half a character', body: () => bytesOf(good().replace('{', '{"source":"\\ud800",')), status: 400 },
  { name: 'a list', body: () => bytesOf(`[${good()}]`), status: 400 },
  { name: 'null', body: () => bytesOf('null'), status: 400 },
  { name: 'nothing', body: () => bytesOf(''), status: 400 },
  { name: 'bytes that are no UTF-8', body: () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), status: 400 },
  { name: 'the type text/plain', body: () => bytesOf(good()), headers: { 'content-type': 'text/plain' }, status: 415 },
  {
    name: 'the type of a form',
    body: () => bytesOf(good()),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
  },
  {
    name: 'another charset',
    body: () => bytesOf(good()),
    headers: { 'content-type': 'application/json; charset=utf-16' },
    status: 415,
  },
  {
    name: 'a compressed body',
    body: () => bytesOf(good()),
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    status: 415,
  },
]

describe('a body that is not what it should be (faults.md F91)', () => {
  let before: typeof stored
  beforeAll(async () => {
    before = await rowCounts(world)
  })

  it.each(BODIES)('$name: $status', async ({ body, headers = JSON_TYPE, status }) => {
    const answer = await postRaw(`${world.host.url}/quote`, body(), headers)
    expect([answer.status, JSON.parse(answer.text).errorCode]).toEqual([status, 'INVALID_REQUEST'])
    expect(leakIn(world, answer.text)).toBeNull()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect((await callApi(world.host.url, '/lives')).status).toBe(200)
  })

  it('none of them stores a row', async () => {
    expect(await rowCounts(world)).toEqual(before)
  })

  it.each([
    ['no content type', {}],
    ['a type with its charset', { 'content-type': 'application/json; charset=UTF-8' }],
  ])('%s counts as JSON', async (_name, headers) => {
    expect((await postRaw(`${world.host.url}/quote`, bytesOf(good()), headers)).status).toBe(200)
  })
})

it('the longest and deepest input is refused in about the time of a short one (faults.md F75, F91)', async () => {
  const inputs = ['please', good().replace(/"amount":"\d+"/, `"amount":"${'9'.repeat(100_000)}"`), '['.repeat(10_000)]
  const best = inputs.map(() => Number.POSITIVE_INFINITY)
  for (let turn = 0; turn < TRIES; turn += 1) {
    for (const [at, text] of inputs.entries()) {
      const { status, milliseconds } = await postRaw(`${world.host.url}/quote`, bytesOf(text), JSON_TYPE)
      expect(status).toBe(400)
      best[at] = Math.min(best[at] ?? 0, milliseconds)
    }
  }
  const [short = 0, ...long] = best
  for (const milliseconds of long) expect(milliseconds).toBeLessThan(short * SLOWEST_RATIO)
})

describe('50 quotes at once that compete for the funds of a few (architecture.md 3, step 1)', () => {
  const ROUND = 50

  const compete = async (body: object, apiKey?: string) => {
    const answers = await Promise.all(Array.from({ length: ROUND }, () => postQuote(world, body, '/quote', apiKey)))
    for (const { text } of answers) expect(leakIn(world, text)).toBeNull()
    return {
      given: answers.filter(({ status }) => status === 200).length,
      refused: answers.filter(
        ({ status, body }) => status === 400 && valueAt(body, 'errorCode') === 'INSUFFICIENT_LIQUIDITY',
      ).length,
    }
  }

  it('as many are given as fit, and the others are INSUFFICIENT_LIQUIDITY; strangers are answered and hold nothing of it', async () => {
    const [to, from] = world.network.chains
    const owned = await balanceOnChain(to, world.network.roles.solver.address, to.blockable)
    const body = nativeBody(world, {
      originChainId: from.chain.chainId,
      destinationChainId: to.chain.chainId,
      originCurrency: from.blockable,
      destinationCurrency: to.blockable,
      // Seven and a half fit; one caller without a key may hold a twentieth of all, so none of theirs.
      amount: ((owned * 2n) / 15n).toString(),
    })
    const before = await rowCounts(world)
    expect(await compete(body)).toEqual({ given: ROUND, refused: 0 })
    expect(await compete(body, world.host.apiKey)).toEqual({ given: 7, refused: ROUND - 7 })
    const { quotes = 0, requests, holds = 0 } = before
    expect(await rowCounts(world)).toEqual({ quotes: quotes + ROUND + 7, requests, holds: holds + 7 })
  })
})
