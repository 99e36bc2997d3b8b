import { beforeEach, describe, expect, it } from 'vitest'
import { createQuoteWorld, INTEGRATOR, type QuoteWorld, usdcBody, ZERO_ADDRESS } from '../../fixtures/quoteWorld.js'

let world: QuoteWorld
beforeEach(() => {
  world = createQuoteWorld()
})

const quote = (changes: object = {}) => world.service.quote({ body: usdcBody({ ...changes }), caller: INTEGRATOR })
const paid = (): bigint => world.store.inserted.at(-1)?.terms.payoutAmount ?? 0n

/** Two assets by the oracle: no pool is asked. */
const toEther = { destinationCurrency: ZERO_ADDRESS, amount: '2000000000' }
const useOracle = () =>
  world.rules.push({
    ruleId: 1,
    integratorId: 'integrator-1',
    bucket: 'any',
    relayFeeBps: 0,
    integratorFeeBps: 0,
    integratorFeeRecipient: null,
    oracleBps: 40,
  })

describe('F127: the amounts of simulations are those that would be paid', () => {
  it.each([
    { what: 'one asset', changes: {} },
    { what: 'two assets', changes: toEther },
    { what: 'an exact output', changes: { tradeType: 'EXACT_OUTPUT', amount: '7000000' } },
  ])('$what', async ({ changes }) => {
    useOracle()
    await quote(changes)
    expect(world.mood.simulated.at(-1)).toBe(paid())
    expect(world.mood.simulated).toHaveLength(1)
  })

  it('asks again with the right amount where a simulation shows another fee than the usual one', async () => {
    world.mood.simulation = { ok: true, gas: 1n, block: 1n }
    world.mood.simulatedFee = 3n * world.mood.payoutFee
    await quote()
    expect(world.mood.simulated).toHaveLength(2)
    expect(world.mood.simulated.at(-1)).toBe(paid())
  })

  it('an answer serves another amount only where the chain says that it makes no difference', async () => {
    await quote({ amount: '50000000' })
    await quote({ amount: '60000000' })
    expect(world.mood.simulations).toBe(2)
    world.mood.simulation = { ok: true, gas: 1n, block: 1n, leastAmount: 20_000_000n }
    world.clock.time += 61_000
    await quote({ amount: '50000000' })
    await quote({ amount: '60000000' })
    expect(world.mood.simulations).toBe(3)
    await quote({ amount: '20000000' })
    expect(world.mood.simulations).toBe(4)
  })

  it('a refusal of a small payment is not remembered for a larger one to the same recipient', async () => {
    world.mood.leastPayment = 20_000_000n
    await expect(quote({ amount: '10000000' })).rejects.toMatchObject({ code: 'DESTINATION_TX_FAILED' })
    await expect(quote({ amount: '20000000' })).rejects.toMatchObject({ code: 'DESTINATION_TX_FAILED' })
    await quote({ amount: '21000000' })
    expect(paid()).toBeGreaterThan(20_000_000n)
  })

  it('a recipient that could not receive is asked again by the next quote, and an able one is not', async () => {
    world.mood.simulation = { ok: false, kind: 'recipient-cannot-receive', message: 'Open the account first.' }
    await expect(quote()).rejects.toMatchObject({ code: 'DESTINATION_TX_FAILED' })
    world.mood.simulation = { ok: true, gas: 1n, block: 1n }
    await quote()
    await quote()
    expect(world.mood.simulations).toBe(2)
  })

  it('a recipient that was told to be unable is asked for its status again by the next quote', async () => {
    world.mood.recipientLeast = 1n
    world.mood.recipientRefusal = 'Open the account first.'
    await expect(quote()).rejects.toMatchObject({ code: 'DESTINATION_TX_FAILED' })
    world.mood.recipientRefusal = null
    await quote()
  })

  it('a recipient that takes no less than some amount is asked where that is declared, and the least is told', async () => {
    world.mood.recipientLeast = 20_000_000n
    const tooLow = { code: 'AMOUNT_TOO_LOW', message: 'The recipient can receive no less than 20.0 USDC now' }
    await expect(quote({ amount: '10000000' })).rejects.toMatchObject(tooLow)
    await expect(quote({ amount: '20000000' })).rejects.toMatchObject(tooLow)
    await quote({ amount: '21000000' })
    expect(paid()).toBeGreaterThan(20_000_000n)
  })

  it('nor does a simulation that stands for any amount stand for less than the recipient takes', async () => {
    world.mood.recipientLeast = 20_000_000n
    world.mood.simulation = { ok: true, gas: 1n, block: 1n, leastAmount: 1n }
    await quote({ amount: '50000000' })
    await expect(quote({ amount: '20000000' })).rejects.toMatchObject({ code: 'AMOUNT_TOO_LOW' })
  })
})
