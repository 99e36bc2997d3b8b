import { depositoryAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { computeOrderId, type Order, recoverOrderSigner } from '@causeway/core/chain'
import { decodeFunctionData, encodeFunctionData, getAddress, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { ether, NATIVE, type NetworkChain, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { type HttpWorld, nativeBody, postQuote, rowCounts, startHttpWorld, tokenBody } from './httpWorld.js'
import { amountAt, expectAmount, microUsdAt, namesAt, percentText } from './quoteAmounts.js'

const DEAD = '0x000000000000000000000000000000000000dead'
const HASH = /^0x[0-9a-f]{64}$/
const FLAT_MICRO_USD = 20_000n
const WEEK_SECONDS = 604_800
const VM_TYPES = { harbor: 'ethereum-vm', lagoon: 'ethereum-vm' }

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
  for (const body of [nativeBody(world), tokenBody(world)]) expect((await postQuote(world, body)).status).toBe(200)
})
afterAll(() => world?.close())

const quoted = async (body: unknown, path = '/quote', apiKey?: string): Promise<unknown> => {
  const answer = await postQuote(world, body, path, apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

const currencyOf = ({ chain, currencies }: NetworkChain, address: string) => {
  const { symbol = '', decimals = 0 } = currencies.find((currency) => currency.address === address) ?? {}
  return { chainId: chain.chainId, address, symbol, decimals }
}

const scale = (amount: bigint, from: number, to: number, up: boolean): bigint => {
  const upper = amount * 10n ** BigInt(to)
  const lower = 10n ** BigInt(from)
  return up ? (upper + lower - 1n) / lower : upper / lower
}

const FEES = ['app', 'gas', 'relayer', 'relayerGas', 'relayerService', 'subsidized']
const PRICE_DETAILS = [
  ...['currencyIn', 'currencyOut', 'operation', 'rate', 'recipient', 'sender', 'slippageTolerance'],
  ...['swapImpact', 'timeEstimate', 'totalImpact', 'userBalance'],
].sort()
const QUOTE_DETAILS = [...PRICE_DETAILS, 'expandedPriceImpact', 'isFixedRate', 'refundCurrency', 'route'].sort()

interface Kind {
  readonly name: string
  readonly body: (more: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  readonly currency: (chain: NetworkChain) => string
  /** Smallest unit: of the input, and of the output. */
  readonly input: bigint
  readonly output: bigint
}

const KINDS: readonly Kind[] = [
  {
    name: 'native',
    body: (more) => nativeBody(world, more),
    currency: () => NATIVE,
    input: ether('0.123456789012345678'),
    output: ether('0.1'),
  },
  {
    name: 'a token of 6 and 18 decimals',
    body: (more) => tokenBody(world, more),
    currency: ({ usdc }) => usdc,
    input: 25_000_001n,
    output: 25_000_000_000_000_000_001n,
  },
]
const TRADE_TYPES = ['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'] as const
const CASES = KINDS.flatMap((kind) => TRADE_TYPES.map((tradeType) => ({ ...kind, tradeType })))

describe.each(CASES)('the answer for $name, $tradeType (wire.md 1.3 to 1.7, D)', (given) => {
  const { tradeType, input, output } = given
  const amount = tradeType === 'EXACT_INPUT' ? input : output
  let answer: unknown
  let body: Readonly<Record<string, unknown>>
  const recipient = freshAddress()
  const paid = () => currencyOf(world.network.chains[0], given.currency(world.network.chains[0]))
  const got = () => currencyOf(world.network.chains[1], given.currency(world.network.chains[1]))
  const native = () => currencyOf(world.network.chains[0], NATIVE)

  beforeAll(async () => {
    body = given.body({ tradeType, amount: amount.toString(), recipient })
    answer = await quoted(body)
  })

  it('has the required parts and no others', () => {
    expect(namesAt(answer)).toEqual(['details', 'fees', 'protocol', 'requestId', 'steps'])
    expect(namesAt(answer, 'fees')).toEqual(FEES)
    expect(namesAt(answer, 'details')).toEqual(QUOTE_DETAILS)
    expect(namesAt(answer, 'protocol')).toEqual(['v2'])
    expect(namesAt(answer, 'protocol.v2')).toEqual(['hubType', 'orderId', 'paymentDetails'])
    expect(textAt(answer, 'requestId')).toMatch(HASH)
    expect(textAt(answer, 'protocol.v2.orderId')).toMatch(HASH)
    expect(textAt(answer, 'requestId')).not.toBe(textAt(answer, 'protocol.v2.orderId'))
  })

  it('its fees add up (D.2)', () => {
    expectAmount(answer, 'fees.gas', native())
    const fee = (name: string) => expectAmount(answer, `fees.${name}`, paid())
    const [relayer, gas, service] = [fee('relayer'), fee('relayerGas'), fee('relayerService')]
    expect(relayer.amount).toBe(gas.amount + service.amount)
    expect(relayer.usd).toBe(gas.usd + service.usd)
    expect(gas.amount).toBeGreaterThan(0n)
    // A bridge has no platform fee, and the solver's own route no swap fee: the flat part is all.
    expect(service.usd - FLAT_MICRO_USD).toBeLessThanOrEqual(1n)
    expect(service.usd).toBeGreaterThanOrEqual(FLAT_MICRO_USD)
    for (const name of ['app', 'subsidized']) expect(fee(name)).toEqual({ amount: 0n, usd: 0n, minimum: 0n })
    for (const name of FEES) {
      expect(textAt(answer, `fees.${name}.minimumAmount`)).toBe(textAt(answer, `fees.${name}.amount`))
    }
  })

  it('what goes in and comes out is what was asked for, less the fees (D.5, H.2 rounding)', () => {
    const inside = expectAmount(answer, 'details.currencyIn', paid())
    const outside = expectAmount(answer, 'details.currencyOut', got())
    const fees = amountAt(answer, 'fees.relayer.amount')
    expect(inside.minimum).toBe(inside.amount)
    if (tradeType === 'EXACT_INPUT') {
      expect(inside.amount).toBe(amount)
      expect(outside.amount).toBe(scale(amount - fees, paid().decimals, got().decimals, false))
    } else {
      expect(outside.amount).toBe(amount)
      expect(inside.amount).toBe(scale(amount, got().decimals, paid().decimals, true) + fees)
    }
  })

  it('its floor is the output less the slippage (D.4)', () => {
    const out = expectAmount(answer, 'details.currencyOut', got())
    const exact = tradeType === 'EXACT_OUTPUT'
    expect(textAt(answer, 'details.slippageTolerance.total')).toBe('50')
    expect(out.minimum).toBe(exact ? out.amount : (out.amount * 9_950n) / 10_000n)
    expect(amountAt(answer, 'details.slippageTolerance.destination.value')).toBe(out.amount - out.minimum)
    const usd = microUsdAt(answer, 'details.slippageTolerance.destination.usd')
    expect(textAt(answer, 'details.slippageTolerance.destination.percent')).toBe(percentText(usd, out.usd))
    expect(valueAt(answer, 'details.slippageTolerance.origin')).toEqual({
      usd: '0.000000',
      value: '0',
      percent: '0.00',
    })
    expect(namesAt(answer, 'details.slippageTolerance')).toEqual(['destination', 'origin', 'total'])
  })

  it('its impacts follow from its own amounts (D.3, D.4)', () => {
    const micro = (path: string) => microUsdAt(answer, path)
    const paidUsd = micro('details.currencyIn.amountUsd')
    const total = micro('details.totalImpact.usd')
    expect(total).toBe(micro('details.currencyOut.amountUsd') - paidUsd)
    expect(textAt(answer, 'details.totalImpact.percent')).toBe(percentText(total, paidUsd))
    const swap = micro('details.swapImpact.usd')
    expect(swap).toBe(total + micro('fees.relayer.amountUsd') + micro('fees.app.amountUsd'))
    expect(textAt(answer, 'details.swapImpact.percent')).toBe(percentText(swap, paidUsd))
    const parts = ['swap', 'execution', 'relay', 'app'].map((name) => micro(`details.expandedPriceImpact.${name}.usd`))
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total)
    const [ofSwap, execution, relay, app] = parts
    expect(execution).toBe(-(FLAT_MICRO_USD + micro('fees.relayerGas.amountUsd')))
    expect([relay, app]).toEqual([0n, -micro('fees.app.amountUsd')])
    expect((ofSwap ?? 0n) - swap).toBeLessThanOrEqual(1n)
    expect(textAt(answer, 'details.expandedPriceImpact.sponsored.usd')).toBe('0.000000')
    expect(namesAt(answer, 'details.expandedPriceImpact')).toEqual(['app', 'execution', 'relay', 'sponsored', 'swap'])
  })

  it('its rate is output over input in whole units (D.4)', () => {
    const whole = (path: string, decimals: number) => Number(amountAt(answer, path)) / 10 ** decimals
    const rate =
      whole('details.currencyOut.amount', got().decimals) / whole('details.currencyIn.amount', paid().decimals)
    expect(Number(textAt(answer, 'details.rate')) / rate).toBeCloseTo(1, 12)
  })

  it('says who, what and how (1.6)', async () => {
    const { user } = body
    expect(valueAt(answer, 'details')).toMatchObject({
      operation: 'bridge',
      sender: String(user).toLowerCase(),
      recipient,
      isFixedRate: false,
      timeEstimate: expect.any(Number),
      refundCurrency: valueAt(answer, 'details.currencyIn'),
    })
    const balance = await balanceOnChain(world.network.chains[0], String(user), paid().address)
    expect(textAt(answer, 'details.userBalance')).toBe(balance.toString())
    const [currencyIn, currencyOut] = ['currencyIn', 'currencyOut'].map((name) => valueAt(answer, `details.${name}`))
    expect(valueAt(answer, 'details.route')).toEqual({
      origin: { inputCurrency: currencyIn, outputCurrency: currencyIn, router: 'relay' },
      destination: { inputCurrency: currencyOut, outputCurrency: currencyOut, router: 'relay' },
    })
  })

  it('names what to pay, by the slug of the chain (1.7)', () => {
    const [{ depository, slug }] = world.network.chains
    expect(valueAt(answer, 'protocol.v2.hubType')).toBe('onchain')
    expect(valueAt(answer, 'protocol.v2.paymentDetails')).toEqual({
      chainId: slug,
      depository,
      currency: paid().address,
      amount: textAt(answer, 'details.currencyIn.amount'),
    })
  })

  it('its steps can be executed as they are (1.4, A.5, A.6)', () => {
    const steps = listAt(answer, 'steps')
    const isNative = paid().address === NATIVE
    expect(steps.map((step) => valueAt(step, 'id'))).toEqual(isNative ? ['deposit'] : ['approve', 'deposit'])
    const requestId = textAt(answer, 'requestId')
    for (const step of steps) {
      const isDeposit = valueAt(step, 'id') === 'deposit'
      const names = ['action', 'description', 'id', 'items', 'kind', 'requestId']
      expect(namesAt(step)).toEqual(isDeposit ? [...names, 'depositAddress'].sort() : names)
      expect(step).toMatchObject({ kind: 'transaction', requestId, ...(isDeposit ? { depositAddress: '' } : {}) })
      expect(textAt(step, 'action').length * textAt(step, 'description').length).toBeGreaterThan(0)
      const items = listAt(step, 'items')
      expect(items).toHaveLength(1)
      expectItem(items[0], isDeposit ? requestId : null)
    }
    expectDeposit(valueAt(steps.at(-1), 'items.0.data'), isNative)
    if (!isNative) expectApproval(valueAt(steps[0], 'items.0.data'))
  })

  /** The check of the request stands on the last item that moves funds, that of an allowance on an approve (wire.md 1.4). */
  const expectItem = (item: unknown, checked: string | null): void => {
    expect(namesAt(item)).toEqual(['check', 'data', 'status'])
    expect(valueAt(item, 'status')).toBe('incomplete')
    if (checked === null) {
      const [owner, token, , amount] = textAt(item, 'check.endpoint').split('approval=')[1]?.split(',') ?? []
      expect([owner, token, amount]).toEqual([textAt(item, 'data.from'), textAt(item, 'data.to'), expect.any(String)])
    } else {
      expect(valueAt(item, 'check')).toEqual({ endpoint: `/intents/status?requestId=${checked}`, method: 'GET' })
    }
    const always = ['chainId', 'data', 'from', 'maxFeePerGas', 'maxPriorityFeePerGas', 'to', 'value']
    expect(namesAt(item, 'data')).toEqual(always)
    expect(valueAt(item, 'data.chainId')).toBe(world.network.chains[0].chain.chainId)
    expect(textAt(item, 'data.from')).toBe(String(body.user).toLowerCase())
    expect(textAt(item, 'data.data')).toMatch(/^0x([0-9a-f]{2})+$/)
    for (const name of ['value', 'maxFeePerGas', 'maxPriorityFeePerGas']) amountAt(item, `data.${name}`)
    expect(amountAt(item, 'data.maxFeePerGas')).toBeGreaterThanOrEqual(amountAt(item, 'data.maxPriorityFeePerGas'))
  }

  /** A deposit commits to the order it pays (wire.md 1.1 5). */
  const expectDeposit = (data: unknown, isNative: boolean): void => {
    const [{ depository }] = world.network.chains
    const orderId = textAt(answer, 'protocol.v2.orderId')
    const value = amountAt(answer, 'details.currencyIn.amount')
    const user = getAddress(String(body.user))
    expect(textAt(data, 'to')).toBe(depository)
    expect(amountAt(data, 'value')).toBe(isNative ? value : 0n)
    const call = decodeFunctionData({ abi: depositoryAbi, data: hex(textAt(data, 'data')) })
    expect(call).toEqual(
      isNative
        ? { functionName: 'depositNative', args: [user, orderId] }
        : { functionName: 'depositErc20', args: [user, getAddress(paid().address), value, orderId] },
    )
  }

  /** Exactly what is paid, never more (architecture.md 5). */
  const expectApproval = (data: unknown): void => {
    const [{ depository, usdc }] = world.network.chains
    expect([textAt(data, 'to'), textAt(data, 'value')]).toEqual([usdc, '0'])
    expect(decodeFunctionData({ abi: testTokenAbi, data: hex(textAt(data, 'data')) })).toEqual({
      functionName: 'approve',
      args: [getAddress(depository), amountAt(answer, 'details.currencyIn.amount')],
    })
  }
})

const hex = (text: string): Hex => `0x${text.slice(2)}`

describe('includeProtocolData (wire.md 1.1 5, 1.7)', () => {
  it.each(KINDS)(
    'the order of $name is the one the id and the signature commit to',
    async ({ body, currency, input }) => {
      const refundTo = freshAddress()
      const recipient = freshAddress()
      const before = Math.floor(Date.now() / 1000)
      const answer = await quoted(
        body({ amount: input.toString(), includeProtocolData: true, refundTo, recipient, slippageTolerance: '123' }),
      )
      expect(namesAt(answer, 'protocol.v2')).toEqual([
        'hubType',
        'orderData',
        'orderId',
        'orderSignature',
        'paymentDetails',
      ])
      const orderId = hex(textAt(answer, 'protocol.v2.orderId'))
      const signature = hex(textAt(answer, 'protocol.v2.orderSignature'))
      // CAST: what follows checks every field that the id is computed from.
      const order = valueAt(answer, 'protocol.v2.orderData') as Order
      const signer = world.network.roles.order.address.toLowerCase()
      expect(computeOrderId(order, VM_TYPES)).toBe(orderId)
      expect(recoverOrderSigner(orderId, signature)).toBe(signer)
      expect((await recoverMessageAddress({ message: { raw: orderId }, signature })).toLowerCase()).toBe(signer)
      const [from, to] = world.network.chains
      const deadline = order.output.deadline
      expect(order).toEqual({
        version: 'v1',
        solverChainId: from.slug,
        solver: signer,
        salt: expect.stringMatching(HASH),
        inputs: [
          {
            payment: { chainId: from.slug, currency: currency(from), amount: input.toString(), weight: '1' },
            refunds: [
              {
                chainId: from.slug,
                recipient: refundTo,
                currency: currency(from),
                minimumAmount: '0',
                deadline,
                extraData: `0x${from.fillRouter.slice(2).padStart(64, '0')}`,
              },
            ],
          },
        ],
        output: {
          chainId: to.slug,
          payments: [
            {
              recipient,
              currency: currency(to),
              minimumAmount: textAt(answer, 'details.currencyOut.minimumAmount'),
              expectedAmount: textAt(answer, 'details.currencyOut.amount'),
            },
          ],
          calls: [],
          deadline,
          extraData: `0x${to.fillRouter.slice(2).padStart(64, '0')}`,
        },
        fees: [],
      })
      expect(deadline).toBeGreaterThanOrEqual(before + WEEK_SECONDS)
      expect(deadline).toBeLessThanOrEqual(before + WEEK_SECONDS + 5)
      expect(textAt(answer, 'details.slippageTolerance.total')).toBe('123')
    },
  )

  it('its old name has no effect', async () => {
    const answer = await quoted(nativeBody(world, { includeProtocolSignature: true, includeProtocolData: false }))
    expect(namesAt(answer, 'protocol.v2')).toEqual(['hubType', 'orderId', 'paymentDetails'])
  })
})

describe('variants of a quote', () => {
  const headersOf = ({ headers }: ApiAnswer) => [headers.get('cache-control'), headers.get('content-type')]

  it('/quote/v2 answers like /quote; both are never stored, and each has an id of its own (1.1)', async () => {
    const body = tokenBody(world)
    const first = await postQuote(world, body)
    const second = await postQuote(world, body, '/quote/v2', world.host.apiKey)
    expect(namesAt(second.body)).toEqual(namesAt(first.body))
    expect(namesAt(second.body, 'details')).toEqual(QUOTE_DETAILS)
    for (const name of ['requestId', 'protocol.v2.orderId']) {
      expect(textAt(second.body, name)).not.toBe(textAt(first.body, name))
    }
    for (const answer of [first, second]) {
      expect(headersOf(answer)).toEqual(['no-store', expect.stringMatching(/^application\/json/)])
    }
  })

  it('a recipient that is left out is the user, unchecked (wire.md 1.1 2)', async () => {
    const user = userOf(world.network, 2).address
    const answer = await quoted(nativeBody(world, { user, recipient: undefined }))
    expect(textAt(answer, 'details.recipient')).toBe(user.toLowerCase())
  })

  it('addresses may be written in any case', async () => {
    const user = getAddress(userOf(world.network, 2).address)
    const [{ usdc }] = world.network.chains
    const answer = await quoted(tokenBody(world, { user, recipient: user, originCurrency: getAddress(usdc) }))
    expect(textAt(answer, 'details.sender')).toBe(user.toLowerCase())
    expect(textAt(answer, 'details.currencyIn.currency.address')).toBe(usdc)
  })

  it('unknown fields and options that are off change nothing (0.1)', async () => {
    const off = {
      useDepositAddress: false,
      usePermit: false,
      topupGas: false,
      subsidizeFees: false,
      txs: [],
      appFees: [],
    }
    const answer = await quoted(nativeBody(world, { ...off, source: 'x', protocolVersion: 'preferV2', nonsense: [1] }))
    expect(namesAt(answer)).toEqual(['details', 'fees', 'protocol', 'requestId', 'steps', 'warnings'])
  })

  it.each(['0', '1', '10000'])('a slippage of %s is taken as it is (K.1 2)', async (slippage) => {
    const answer = await quoted(
      nativeBody(world, { slippageTolerance: slippage, latePaymentSlippageTolerance: slippage }),
    )
    const out = amountAt(answer, 'details.currencyOut.amount')
    const floor = (out * (10_000n - BigInt(slippage))) / 10_000n
    expect(textAt(answer, 'details.slippageTolerance.total')).toBe(slippage)
    // An order that binds to nothing at all would be worth nothing.
    expect(amountAt(answer, 'details.currencyOut.minimumAmount')).toBe(floor === 0n ? 1n : floor)
  })

  it('a small amount gets a wider floor, for its network cost may change much (H.2)', async () => {
    const { body } = await callApi(world.host.url, '/price', { body: nativeBody(world) })
    const amount = amountAt(body, 'fees.relayerGas.amount') * 20n
    const answer = await quoted(nativeBody(world, { amount: amount.toString() }))
    expect(Number(textAt(answer, 'details.slippageTolerance.total'))).toBeGreaterThan(400)
  })

  it('an allowance that is there already needs no approval (1.4)', async () => {
    const [{ chain, usdc, depository }] = world.network.chains
    const user = userOf(world.network, 3)
    const args = [getAddress(depository), 10n ** 12n] as const
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args })
    await receiptOf(chain, await chain.send(user, { to: usdc, data }))
    const answer = await quoted(tokenBody(world, { user: user.address, recipient: user.address }))
    expect(listAt(answer, 'steps').map((step) => valueAt(step, 'id'))).toEqual(['deposit'])
  })

  it('explicitDeposit false pays by a bare transfer that carries the order id (1.2)', async () => {
    const answer = await quoted(tokenBody(world, { explicitDeposit: false }))
    const steps = listAt(answer, 'steps')
    expect(steps.map((step) => valueAt(step, 'id'))).toEqual(['deposit'])
    const data = textAt(steps[0], 'items.0.data.data')
    expect(textAt(steps[0], 'items.0.data.to')).toBe(world.network.chains[0].usdc)
    expect(data.endsWith(textAt(answer, 'protocol.v2.orderId').slice(2))).toBe(true)
    expect(valueAt(steps[0], 'items.0.check.method')).toBe('GET')
  })
})

describe('POST /price (wire.md 1.8)', () => {
  it.each(CASES)('$name, $tradeType: fees and details alone, and nothing is written', async ({ body, ...given }) => {
    const amount = given.tradeType === 'EXACT_INPUT' ? given.input : given.output
    const before = await rowCounts(world)
    const answer = await quoted(body({ tradeType: given.tradeType, amount: amount.toString() }), '/price')
    expect(await rowCounts(world)).toEqual(before)
    expect(namesAt(answer)).toEqual(['details', 'fees'])
    expect(namesAt(answer, 'fees')).toEqual(FEES)
    expect(namesAt(answer, 'details')).toEqual(PRICE_DETAILS)
    const [from, to] = world.network.chains
    expectAmount(answer, 'details.currencyIn', currencyOf(from, given.currency(from)))
    expectAmount(answer, 'details.currencyOut', currencyOf(to, given.currency(to)))
  })

  it.each(['/price', '/quote'])('%s serves the placeholder addresses of clients (0.5)', async (path) => {
    for (const user of [DEAD, NATIVE]) {
      for (const make of [nativeBody, tokenBody]) {
        const answer = await quoted(make(world, { user, recipient: DEAD }), path)
        expect(textAt(answer, 'details.sender')).toBe(user)
        await quoted(make(world, { user: DEAD, recipient: undefined }), path)
      }
    }
  })

  it('checks the whole body of a quote (K.1 3)', async () => {
    const code = async (more: object) =>
      valueAt((await postQuote(world, nativeBody(world, { ...more }), '/price')).body, 'errorCode')
    expect(await code({ latePaymentSlippageTolerance: 5 })).toBe('INVALID_SLIPPAGE_TOLERANCE')
    expect(await code({ ttl: 'x' })).toBe('INVALID_REQUEST')
    expect(await code({ refundTo: 'x' })).toBe('INVALID_ADDRESS')
  })
})
