import { formatUsd } from '@causeway/core/plugin'
import { beforeEach, describe, expect, it } from 'vitest'
import { ANYONE, createQuoteWorld, type QuoteWorld, RECIPIENT, usdcBody, ZERO_ADDRESS } from '../fixtures/quoteWorld.js'

let world: QuoteWorld
beforeEach(() => {
  world = createQuoteWorld()
})

interface AmountView {
  readonly amount: string
  readonly amountFormatted: string
  readonly amountUsd: string
  readonly minimumAmount: string
}

interface View {
  readonly fees: object
  readonly details: {
    readonly currencyOut: AmountView
    readonly rate: string
    readonly totalImpact: object
    readonly swapImpact: object
    readonly expandedPriceImpact: object
    readonly slippageTolerance: object
    readonly route: {
      readonly destination: { readonly inputCurrency: AmountView; readonly outputCurrency: AmountView }
    }
  }
  readonly protocol: {
    readonly v2: { readonly orderData: { readonly output: { readonly payments: readonly object[] } } }
  }
}

const bodyOf = (changes: object) =>
  usdcBody({ destinationCurrency: ZERO_ADDRESS, recipient: RECIPIENT, includeProtocolData: true, ...changes })

const quote = async (changes: object): Promise<View> =>
  // CAST: the shape of wire.md 1.3.
  (await world.service.quote({ body: bodyOf(changes), caller: ANYONE, exposesUpstreamErrors: true })) as View

const price = async (changes: object): Promise<Pick<View, 'details'>> =>
  // CAST: the part of wire.md 1.8 that is looked at.
  (await world.service.price({ body: bodyOf(changes), caller: ANYONE })) as object as Pick<View, 'details'>

const call = (value: bigint) => ({ to: RECIPIENT, value: value.toString(), data: '0x1234' })
const MILLI = 10n ** 15n
const SPENT = 7n * MILLI
const CALLS = { txs: [call(3n * MILLI), call(4n * MILLI)] }

/** Of the same route, with nothing that calls spend. */
const FREE = { txs: [call(0n), call(0n)] }

describe('what calls leave of a native output (wire.md 1.6, G.2)', () => {
  it.each([
    ['out of the inventory', {}, {}],
    ['after a swap', {}, { quote: { crossAssetInventory: false } }],
    ['for an exact output', { tradeType: 'EXACT_OUTPUT', amount: (20n * MILLI).toString() }, {}],
    ['on one chain', { destinationChainId: 1 }, {}],
  ])(
    '%s: the recipient is shown the rest, everything else goes by the whole output',
    async (_what, changes, options) => {
      world = createQuoteWorld(options)
      const whole = await quote({ ...changes, ...FREE })
      const spending = await quote({ ...changes, ...CALLS })
      const [before, after] = [whole.details.currencyOut, spending.details.currencyOut]
      expect(BigInt(after.amount)).toBe(BigInt(before.amount) - SPENT)
      expect(BigInt(after.minimumAmount)).toBe(BigInt(before.minimumAmount) - SPENT)
      // An ether costs 2000 dollars.
      expect(after.amountUsd).toBe(formatUsd(BigInt(after.amount) * 2000n))
      expect((await price({ ...changes, ...CALLS })).details.currencyOut).toEqual(after)

      expect(spending.fees).toEqual(whole.fees)
      for (const part of ['rate', 'totalImpact', 'swapImpact', 'expandedPriceImpact', 'slippageTolerance'] as const) {
        expect(spending.details[part]).toEqual(whole.details[part])
      }
      const promised = { expectedAmount: before.amount, minimumAmount: before.minimumAmount }
      expect(spending.protocol.v2.orderData.output.payments).toMatchObject([promised])
      const stored = JSON.parse(world.store.inserted.at(-1)?.quoted ?? '{}')
      expect(stored).toMatchObject({ details: { currencyOut: after }, wholeOutput: before })
    },
  )

  it('the route ends with what the recipient gets; the solver pays the whole of it', async () => {
    const whole = await quote(FREE)
    const { route, currencyOut } = (await quote(CALLS)).details
    expect(route.destination.outputCurrency).toEqual(currencyOut)
    expect(route.destination.inputCurrency.amount).toBe(whole.details.currencyOut.amount)
  })

  it('nothing is left of an output that is just what the calls spend, and never less than nothing', async () => {
    const exact = await quote({ tradeType: 'EXACT_OUTPUT', amount: SPENT.toString(), ...CALLS })
    expect(exact.details.currencyOut).toMatchObject({ amount: '0', amountUsd: '0.000000', minimumAmount: '0' })
    const { amount } = (await quote(FREE)).details.currencyOut
    const most = await quote({ txs: [call(BigInt(amount))], slippageTolerance: '100' })
    expect(most.details.currencyOut).toMatchObject({ amount: '0', minimumAmount: '0' })
  })

  it('of a token nobody can say what calls take: the whole output is shown', async () => {
    const { destinationCurrency, ...token } = usdcBody({ recipient: RECIPIENT })
    const whole = await quote({ ...token, destinationCurrency })
    const called = await quote({ ...token, destinationCurrency, ...FREE })
    expect(called.details.currencyOut).toEqual(whole.details.currencyOut)
    expect(JSON.parse(world.store.inserted.at(-1)?.quoted ?? '{}')).not.toHaveProperty('wholeOutput')
  })
})
