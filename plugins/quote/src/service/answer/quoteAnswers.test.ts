import type { Currency } from '@causeway/core'
import { defineQuoteExtension, ONE_USD, QuoteBodySchema } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import {
  ANYONE,
  createQuoteWorld,
  DEAD_ADDRESS,
  DESTINATION_USDC,
  ORIGIN_DAI,
  ORIGIN_USDC,
  type QuoteWorld,
  RECIPIENT,
  TOKEN,
  USER,
  usdcBody,
  WRAPPED,
  ZERO_ADDRESS,
} from '../../fixtures/quoteWorld.js'

interface Answer {
  readonly requestId: string
  readonly steps: readonly unknown[]
  readonly protocol?: {
    readonly v2: { readonly orderData: { readonly solverChainId: string; readonly solver: string } }
  }
  readonly details: {
    readonly operation: string
    readonly sender: string
    readonly recipient: string
    readonly userBalance: string
    readonly currencyIn: { readonly currency: object; readonly amount: string }
    readonly currencyOut: { readonly amount: string; readonly currency: object }
    readonly route: { readonly origin: object; readonly destination?: object }
  }
}

const quote = async (world: QuoteWorld, changes: object = {}): Promise<Answer> =>
  // CAST: read as the wire shows it.
  (await world.service.quote({ body: usdcBody({ ...changes }), caller: ANYONE })) as Answer

const refusal = (world: QuoteWorld, changes: object): Promise<string> =>
  quote(world, changes).then(
    () => 'quoted',
    (error: { readonly code: string }) => error.code,
  )

describe('the refund address', () => {
  it('is the depositor where it is the marker of the native currency, on any VM (wire.md 1.2)', async () => {
    const world = createQuoteWorld()
    for (const refundTo of [ZERO_ADDRESS, undefined]) {
      await quote(world, { refundTo })
      expect(world.store.inserted.at(-1)?.terms.refundTo).toEqual({ address: USER })
    }
    const depository = `0x${'de'.repeat(20)}`
    expect(await refusal(world, { user: depository, recipient: RECIPIENT, refundTo: ZERO_ADDRESS })).toBe(
      'INVALID_ADDRESS',
    )
  })
})

describe('a wallet that nobody has connected (wire.md 0.5)', () => {
  it.each<readonly [string, { readonly user?: string; readonly recipient?: string; readonly txs?: readonly object[] }]>(
    [
      ['user', { user: DEAD_ADDRESS }],
      ['user, in capitals', { user: `0x${DEAD_ADDRESS.slice(2).toUpperCase()}`, recipient: RECIPIENT }],
      ['recipient of calls', { recipient: DEAD_ADDRESS, txs: [{ to: RECIPIENT }] }],
      ['user, the zero address', { user: ZERO_ADDRESS }],
      ['user, the zero address, with a recipient', { user: ZERO_ADDRESS, recipient: RECIPIENT }],
      ['user and recipient, the zero address', { user: ZERO_ADDRESS, recipient: ZERO_ADDRESS }],
    ],
  )('as %s: a price, nothing to execute, nothing held or stored', async (_what, changes) => {
    const world = createQuoteWorld()
    const answer = await quote(world, { ...changes, includeProtocolData: true })
    expect(answer.requestId).toMatch(/^0x[0-9a-f]{64}$/)
    expect(answer.steps).toEqual([])
    expect(answer.protocol).toBeUndefined()
    expect(world.store.inserted).toEqual([])
    const real = await quote(createQuoteWorld(), { txs: [], ...changes, user: USER, recipient: RECIPIENT })
    expect(answer.details.currencyOut.amount).toBe(real.details.currencyOut.amount)
    expect(answer.details.sender === ZERO_ADDRESS || answer.details.sender === DEAD_ADDRESS).toBe(
      changes.user !== undefined,
    )
    expect(answer.details.recipient === DEAD_ADDRESS).toBe(changes.recipient !== RECIPIENT)
  })

  const ownerless = `0x${'1'.padStart(40, '0')}`
  it.each([
    ['a user without an owner', { user: ownerless, recipient: RECIPIENT, refundTo: RECIPIENT }, 'INVALID_ADDRESS'],
    ['a recipient without an owner', { recipient: ownerless }, 'INVALID_RECIPIENT'],
    ['a burn address as recipient of a wallet', { recipient: DEAD_ADDRESS }, 'INVALID_RECIPIENT'],
    ['the zero address as recipient of a wallet', { recipient: ZERO_ADDRESS }, 'INVALID_RECIPIENT'],
    ['a refund to an address without an owner', { refundTo: ownerless }, 'INVALID_ADDRESS'],
    ['a refund to a placeholder', { refundTo: DEAD_ADDRESS }, 'INVALID_ADDRESS'],
    ['a token as user', { user: DESTINATION_USDC }, 'INVALID_RECIPIENT'],
    ['a token as user, refunded', { user: ORIGIN_USDC, recipient: RECIPIENT }, 'INVALID_ADDRESS'],
    ['the contract that pays out as user', { user: `0x${'f1'.repeat(20)}` }, 'INVALID_RECIPIENT'],
  ])('%s is refused: implied addresses are checked as given ones (wire.md K.1 6)', async (_what, changes, code) => {
    const world = createQuoteWorld()
    expect(await refusal(world, changes)).toBe(code)
    expect(world.store.inserted).toEqual([])
  })

  it('a user without an owner may stand in a body that names where money goes, if the user has no part in it', async () => {
    const world = createQuoteWorld()
    const named = { user: ORIGIN_USDC, recipient: RECIPIENT, refundTo: RECIPIENT }
    expect((await quote(world, named)).steps.length).toBeGreaterThan(0)
  })

  it('nobody has a balance; a real user keeps theirs', async () => {
    const world = createQuoteWorld()
    expect((await quote(world, { user: DEAD_ADDRESS })).details.userBalance).toBe('0')
    expect(world.mood.balanceQuestions).toBe(0)
    expect((await quote(world, { recipient: DEAD_ADDRESS, txs: [{ to: RECIPIENT }] })).details.userBalance).toBe('777')
  })
})

describe('names in an answer', () => {
  it('the solver is one account on one chain, whichever the origin is (wire.md 1.7)', async () => {
    const world = createQuoteWorld()
    const back = {
      originChainId: 2,
      originCurrency: DESTINATION_USDC,
      destinationChainId: 1,
      destinationCurrency: ORIGIN_USDC,
    }
    for (const changes of [{}, back]) {
      const { protocol } = await quote(world, { ...changes, includeProtocolData: true })
      expect(protocol?.v2.orderData.solverChainId).toBe('one')
    }
  })

  it('one side for what stays on one chain, also where the solver carries it (wire.md 1.6)', async () => {
    const onOne = {
      destinationChainId: 1,
      destinationCurrency: ORIGIN_USDC,
      originCurrency: ORIGIN_DAI,
      amount: '5000000000000000000',
    }
    const { details } = await quote(createQuoteWorld(), { ...onOne, forceSolverExecution: true })
    expect(details.route).toEqual({
      origin: expect.objectContaining({ inputCurrency: details.currencyIn, outputCurrency: details.currencyOut }),
    })
  })
})

describe('lists of swap sources', () => {
  it('leaving out what is not there is no mistake; wanting it alone is (wire.md 1.2)', async () => {
    const world = createQuoteWorld()
    expect(await refusal(world, { excludedSwapSources: ['nowhere'] })).toBe('quoted')
    for (const field of ['includedSwapSources', 'includedOriginSwapSources', 'includedDestinationSwapSources']) {
      expect(await refusal(world, { [field]: ['nowhere'] })).toBe('INVALID_REQUEST')
    }
  })
})

describe('a quote without an order (wire.md 1.7)', () => {
  const wrap = { destinationChainId: 1, originCurrency: ZERO_ADDRESS, destinationCurrency: WRAPPED, amount: '1000' }

  it('says so where the order is asked for, and has no protocol elsewhere', async () => {
    const asked = await quote(createQuoteWorld(), { ...wrap, includeProtocolData: true })
    expect(asked.protocol).toEqual({
      v2: { orderId: null, hubType: 'onchain', orderData: null, orderSignature: null, paymentDetails: null },
    })
    expect(await quote(createQuoteWorld(), wrap)).not.toHaveProperty('protocol')
  })
})

describe('a fixed rate (wire.md D.8)', () => {
  const fixed = defineQuoteExtension({
    name: 'fixed',
    bodySchema: Type.Object({ fixedRate: Type.Optional(Type.String()) }),
    phase: 'resolve',
    apply: (draft) => {
      draft.fixedRate = { output: ONE_USD, input: (ONE_USD * 10_005n) / 10_000n }
    },
  })

  it('has no slippage of its own: the minimum is the amount, and the rate is the one asked for', async () => {
    const world = createQuoteWorld({ extensions: [fixed] })
    const { details } = await quote(world, { fixedRate: '1:1.0005', amount: '1234567' })
    expect(details).toMatchObject({
      rate: '0.999500249875062469',
      slippageTolerance: { total: '0' },
      isFixedRate: true,
    })
    expect(details.currencyOut).toMatchObject({ minimumAmount: details.currencyOut.amount })
    const { terms } = world.store.inserted[0] ?? {}
    expect([terms?.minimumPayout, terms?.latePaymentSlippageBps]).toEqual([terms?.payoutAmount, 0])
    const asked = await quote(world, { fixedRate: '1:1.0005', amount: '1234567', slippageTolerance: '50' })
    expect(asked.details).toMatchObject({ slippageTolerance: { total: '50' } })
  })
})

describe('a partial sponsor (wire.md K.1 9)', () => {
  const sponsoring = defineQuoteExtension({
    name: 'sponsoring',
    bodySchema: Type.Object({ subsidizeFees: Type.Optional(Type.Boolean()) }),
    phase: 'fees',
    apply: () => undefined,
  })
  const asked = { subsidizeFees: true, subsidizationBps: 5_000, destinationChainId: 1 }

  it('is for swaps: no wrap, unwrap, bridge or send', async () => {
    const world = createQuoteWorld({ extensions: [sponsoring] })
    const swap = {
      ...asked,
      originCurrency: ORIGIN_DAI,
      destinationCurrency: ORIGIN_USDC,
      amount: '5000000000000000000',
    }
    expect(await refusal(world, swap)).toBe('quoted')
    const ether = { ...asked, amount: '1000000000000000000' }
    for (const [originCurrency, destinationCurrency] of [
      [ZERO_ADDRESS, WRAPPED],
      [WRAPPED, ZERO_ADDRESS],
    ]) {
      expect(await refusal(world, { ...ether, originCurrency, destinationCurrency })).toBe('INVALID_SUBSIDIZATION')
    }
    expect(await refusal(world, { ...asked, destinationChainId: 2 })).toBe('INVALID_SUBSIDIZATION')
  })
})

describe('a listed currency (wire.md K.5 1)', () => {
  const listed: Currency = {
    chainId: 1,
    address: TOKEN,
    symbol: 'CORAL',
    name: 'Coral',
    decimals: 2,
    vmType: 'evm',
    groupId: 'coral',
    metadata: { logoURI: 'https://example.com/coral.png', verified: true, isNative: false },
  }
  const swap = { originCurrency: TOKEN, amount: '5000000000000000000' }

  it('is quoted under its listed name, group and logo; its decimals are those of the chain', async () => {
    const { details } = await quote(createQuoteWorld({ listed: [listed] }), swap)
    const { groupId: _, ...shown } = listed
    expect(details.currencyIn.currency).toEqual({ ...shown, decimals: 18 })
    const unlisted = await quote(createQuoteWorld(), swap)
    expect(unlisted.details.currencyIn.currency).toMatchObject({ symbol: 'TOK', metadata: { verified: false } })
  })

  it('of the same asset as the other side is a bridge', async () => {
    const world = createQuoteWorld({ listed: [{ ...listed, groupId: 'usdc' }] })
    expect((await quote(world, swap)).details.operation).toBe('bridge')
  })

  it('is never paid to: recipient and refund address are looked up (wire.md K.1 6)', async () => {
    const there = `0x${'7a'.repeat(20)}`
    const world = createQuoteWorld({ listed: [listed, { ...listed, chainId: 2, address: there }] })
    expect(await refusal(world, { recipient: there })).toBe('INVALID_RECIPIENT')
    expect(await refusal(world, { refundTo: TOKEN })).toBe('INVALID_ADDRESS')
    // The same address on another chain is somebody's account.
    expect(await refusal(world, { recipient: TOKEN })).toBe('quoted')
  })
})

describe('fields that a client sends and that move nothing (wire.md 1.2, G.6)', () => {
  const HARMLESS = {
    referrerAddress: RECIPIENT,
    refundOnOrigin: false,
    protocolVersion: 'preferV2',
    disableSwapProviderPreference: true,
    useSharedAccounts: true,
    includeComputeUnitLimit: true,
  }

  it('are told apart in the description of the API, and no other is', () => {
    const harmless = Object.entries(QuoteBodySchema.properties).filter(([, { description = '' }]) =>
      description.startsWith('Accepted, without effect: '),
    )
    expect(harmless.map(([name]) => name).toSorted()).toEqual(Object.keys(HARMLESS).toSorted())
  })

  it.each(Object.entries(HARMLESS))('%s: what is quoted and stored is the same with it', async (field, value) => {
    const worlds = [createQuoteWorld(), createQuoteWorld()] as const
    const [plain, sent] = [await quote(worlds[0]), await quote(worlds[1], { [field]: value })]
    expect(sent.details).toEqual(plain.details)
    const termsIn = ({ store }: QuoteWorld) => {
      const { requestId: _, orderId: __, ...terms } = store.inserted.at(-1)?.terms ?? { requestId: '', orderId: '' }
      return terms
    }
    expect(termsIn(worlds[1])).toEqual(termsIn(worlds[0]))
  })
})
