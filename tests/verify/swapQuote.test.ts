import { swapRouterAbi } from '@causeway/contracts-abi'
import { type KnownChain, type QuotedRequest, type VerifyOptions, verifyQuote } from '@causeway/core/verify'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { NATIVE } from '../harness/localNetwork.js'
import { type HttpWorld, postQuote, startHttpWorld, tokenBody } from '../http/httpWorld.js'

const ROUTER: Hex = `0x${'70'.repeat(20)}`
const TOKEN: Hex = `0x${'71'.repeat(20)}`
const STRANGER: Hex = `0x${'66'.repeat(20)}`
const PAID = 5_000n
const SLIPPAGE = 1_000n
const CALLS = [{ to: STRANGER, data: '0x1234' as Hex, value: 0n }]
const ROUTERS = { harbor: ROUTER }

let world: HttpWorld
let real: { readonly quote: unknown; readonly options: VerifyOptions & { readonly request: QuotedRequest } }
beforeAll(async () => {
  world = await startHttpWorld()
  // CAST: the fields of a quote body, with the right types.
  const request = tokenBody(world) as unknown as QuotedRequest
  const { body: quote } = await postQuote(world, { ...request, includeProtocolData: true })
  // CAST: what `GET /chains` answers.
  const chains = valueAt((await callApi(world.host.url, '/chains')).body, 'chains') as readonly KnownChain[]
  real = { quote, options: { chains, request } }
})
afterAll(() => world?.close())

const hexAt = (path: string): Hex => `0x${textAt(real.quote, path).slice(2)}`
const deposited = () => BigInt(textAt(real.quote, 'protocol.v2.paymentDetails.amount'))
const sender = () => hexAt('details.sender')

/** What `swapAndDeposit` is given; a test changes what it wants. */
interface SwapCall {
  readonly calls: typeof CALLS
  readonly tokenIn: Hex
  readonly amountIn: bigint
  readonly tokenOut: Hex
  readonly minimumOut: bigint
  readonly leftoverTo: Hex
  readonly depository: Hex
  readonly depositor: Hex
  readonly id: Hex
}

const swapCall = (): SwapCall => ({
  calls: CALLS,
  tokenIn: TOKEN,
  amountIn: PAID,
  tokenOut: hexAt('protocol.v2.paymentDetails.currency'),
  minimumOut: deposited() - SLIPPAGE,
  leftoverTo: sender(),
  depository: hexAt('protocol.v2.paymentDetails.depository'),
  depositor: sender(),
  id: hexAt('protocol.v2.orderId'),
})

const encode = ({ depository, depositor, id, ...swap }: SwapCall): Hex =>
  encodeFunctionData({
    abi: swapRouterAbi,
    functionName: 'swapAndDeposit',
    args: [{ ...swap, deadline: 2_000_000_000n }, depository, depositor, id],
  })

const approval = (spender: Hex, amount: bigint): Hex =>
  encodeFunctionData({
    abi: [
      {
        type: 'function',
        name: 'approve',
        inputs: [
          { name: 'spender', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ],
        outputs: [],
        stateMutability: 'nonpayable',
      },
    ],
    args: [spender, amount],
  })

interface Changes {
  readonly call?: Partial<SwapCall>
  readonly deposit?: Readonly<Record<string, unknown>>
  readonly approve?: Readonly<Record<string, unknown>>
}

/** A quote of the host whose user has another token: the order stays, the way to the deposit is a swap. */
const swapQuote = ({ call = {}, deposit = {}, approve = {} }: Changes = {}, paid: Hex = TOKEN) => {
  // CAST: a quote of the host, as it was answered.
  const quote = structuredClone(real.quote) as Record<string, Record<string, unknown>>
  const { details = {} } = quote
  const currencyIn = details.currencyIn as { currency: object }
  const step = (id: string, data: object) => {
    const from = sender()
    const chainId = valueAt(currencyIn, 'currency.chainId')
    const items = [{ status: 'incomplete', data: { from, value: '0', chainId, ...data } }]
    return { id, action: '', description: '', kind: 'transaction', requestId: quote.requestId, items }
  }
  const value = paid === NATIVE ? PAID.toString() : '0'
  const steps = [
    step('deposit', { to: ROUTER, value, data: encode({ ...swapCall(), tokenIn: paid, ...call }), ...deposit }),
  ]
  if (paid !== NATIVE) steps.unshift(step('approve', { to: TOKEN, data: approval(ROUTER, PAID), ...approve }))
  const shown = { ...currencyIn, amount: PAID.toString(), currency: { ...currencyIn.currency, address: paid } }
  const route = { origin: { inputCurrency: shown, outputCurrency: currencyIn, router: 'uniswap-v3' } }
  const slippageTolerance = { total: '50', origin: { usd: '0', value: SLIPPAGE.toString(), percent: '0' } }
  return { ...quote, steps, details: { ...details, currencyIn: shown, route, slippageTolerance } }
}

const optionsFor = (paid: Hex = TOKEN): VerifyOptions => ({
  ...real.options,
  request: { ...real.options.request, originCurrency: paid, amount: PAID.toString() },
  swapRouters: ROUTERS,
})

describe('a deposit through the swap router contract', () => {
  it.each([
    ['a token', TOKEN],
    ['the native currency', NATIVE as Hex],
  ])('that takes %s is verified', (_name, paid) => {
    expect(verifyQuote(swapQuote({}, paid), optionsFor(paid))).toMatchObject({ ok: true, covered: true })
  })

  it('says that the router is taken on trust where it is not known', () => {
    const { swapRouters: _, ...options } = optionsFor()
    const verdict = verifyQuote(swapQuote(), options)
    expect(verdict.ok && verdict.notCovered.join()).toContain(`${ROUTER} is the swap router`)
    expect(verifyQuote(swapQuote(), { ...options, swapRouters: { harbor: STRANGER } }).ok).toBe(false)
  })

  it.each([
    ['another order', { call: { id: `0x${'11'.repeat(32)}` as Hex } }],
    ['another depository', { call: { depository: STRANGER } }],
    ['another depositor', { call: { depositor: STRANGER } }],
    ['another input currency', { call: { tokenIn: STRANGER } }],
    ['more input', { call: { amountIn: PAID + 1n } }],
    ['another output currency', { call: { tokenOut: STRANGER } }],
    ['leftovers for a stranger', { call: { leftoverTo: STRANGER } }],
    ['another contract', { deposit: { to: STRANGER } }],
    ['money along', { deposit: { value: '1' } }],
    ['another function', { deposit: { data: `0x12345678${'0'.repeat(64)}` } }],
    ['no arguments', { deposit: { data: '0x' } }],
    ['an allowance for a stranger', { approve: { data: approval(STRANGER, PAID) } }],
    ['an allowance of everything', { approve: { data: approval(ROUTER, 2n ** 256n - 1n) } }],
    ['an allowance of another token', { approve: { to: STRANGER } }],
    ['money with the allowance', { approve: { value: '1' } }],
  ] satisfies readonly (readonly [string, Changes])[])('is refused with %s', (_name, changes) => {
    expect(verifyQuote(swapQuote(changes), optionsFor()).ok).toBe(false)
  })

  it('is refused when the swap may give less than shown, or must give more', () => {
    const withMinimum = (minimumOut: bigint) => verifyQuote(swapQuote({ call: { minimumOut } }), optionsFor()).ok
    const least = deposited() - SLIPPAGE
    expect([least - 1n, least, deposited(), deposited() + 1n, 0n].map(withMinimum)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })
})
