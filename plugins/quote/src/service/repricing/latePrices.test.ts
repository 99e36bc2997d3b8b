import { defineQuoteExtension, type QuoteTerms, type TermsEarning } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { ANYONE, createQuoteWorld, DESTINATION_USDC, usdcBody, ZERO_ADDRESS } from '../../fixtures/quoteWorld.js'

const EARNER = `0x${'ea'.repeat(20)}`
const SPONSOR = `0x${'5a'.repeat(20)}`
const BALANCES = { chainId: 2, currency: DESTINATION_USDC }
const ETHER = 10n ** 18n

/** An app takes a tenth of the deposit. */
const appFee = defineQuoteExtension({
  name: 'app',
  bodySchema: Type.Object({}),
  phase: 'fees',
  conditions: () => ({ usesBalances: true }),
  apply: () => undefined,
  amountFees: (_draft, { money: { currency, amount } }) => [
    { bucket: 'app', payer: 'user', owedTo: EARNER, bps: '1000', money: { currency, amount: amount / 10n } },
  ],
})

/** The service sends the deposit and takes a thousandth of an ether for it. */
const originGas = defineQuoteExtension({
  name: 'origin',
  bodySchema: Type.Object({}),
  phase: 'resolve',
  apply: (draft) => {
    draft.feeLines.push({
      bucket: 'execution',
      payer: 'user',
      money: { currency: draft.originNative, amount: ETHER / 1_000n },
    })
  },
})

const worldOf = (conversionBps = 0) =>
  createQuoteWorld({
    extensions: [appFee, originGas],
    balanceCurrency: { chainId: BALANCES.chainId, address: BALANCES.currency, conversionBps },
  })
type World = ReturnType<typeof worldOf>

const quoted = async (world: World, body: object): Promise<QuoteTerms> => {
  await world.service.quote({
    body: usdcBody({ slippageTolerance: '9000', latePaymentSlippageTolerance: '9000', ...body }),
    caller: ANYONE,
  })
  const stored = world.store.inserted.at(-1)
  if (stored === undefined) throw new Error('The quote was not stored')
  return stored.terms
}
const ETHERS = { originCurrency: ZERO_ADDRESS, destinationCurrency: ZERO_ADDRESS, amount: ETHER.toString() }

const fillOf = async (world: World, terms: QuoteTerms) => {
  const decision = await world.service.reprice(terms, { amount: terms.depositAmount, includedAt: world.clock.time })
  if (decision.action !== 'fill') throw new Error(`It was not filled: ${decision.reason}`)
  return decision
}
const late = (world: World, prices: Readonly<Record<string, string>>): void => {
  world.clock.time += 31_000
  Object.assign(world.prices, prices)
}
const worthOf = ({ earnings }: { earnings?: { list: readonly TermsEarning[] } }) => earnings?.list[0]?.worth

it('credits an app fee at the price of the quote while that stands, then at the price of now, at most what was quoted', async () => {
  const world = worldOf()
  const terms = await quoted(world, ETHERS)
  expect(worthOf(await fillOf(world, terms))).toBe(200_000_000n)
  late(world, { ETH: '1000' })
  expect(worthOf(await fillOf(world, terms))).toBe(100_000_000n)
  late(world, { ETH: '4000' })
  const fill = await fillOf(world, terms)
  expect([worthOf(fill), fill.earnings?.list[0]?.fromDeposit]).toEqual([200_000_000n, ETHER / 20n])
})

it('charges the conversion of another asset, in time and late (faults.md F142)', async () => {
  const world = worldOf(50)
  const terms = await quoted(world, ETHERS)
  expect(worthOf(await fillOf(world, terms))).toBe(199_000_000n)
  late(world, { ETH: '1000' })
  expect(worthOf(await fillOf(world, terms))).toBe(99_500_000n)
  const dollars = await quoted(world, {})
  expect(dollars.earnings?.list[0]?.worth).toBe(10_000_000n)
})

it('charges gas that the service pays on the origin at the price of now', async () => {
  const world = worldOf()
  const terms = await quoted(world, {})
  expect(terms.convertedFees).toEqual([
    { chainId: 1, currency: ZERO_ADDRESS, amount: ETHER / 1_000n, deposited: 2_000_000n },
  ])
  const before = await fillOf(world, terms)
  late(world, { ETH: '4000' })
  const after = await fillOf(world, terms)
  // Two dollars more of gas on the origin, two cents more of the fill.
  expect(before.amount - after.amount).toBe(2_020_000n)
  late(world, { ETH: '1000' })
  expect((await fillOf(world, terms)).amount).toBe(before.amount)
})

it('takes from a sponsor what the fees cost now, at most what was quoted, and from the user what that no longer buys', async () => {
  const world = worldOf()
  const plain = await quoted(world, ETHERS)
  const half = plain.feesIn / 2n
  const balance = (half * 2_000n) / 10n ** 12n
  // CAST: a sponsor pays half of all fees.
  const terms: QuoteTerms = {
    ...plain,
    feesIn: plain.feesIn - half,
    payoutAmount: plain.payoutAmount + half,
    sponsorship: { wallet: SPONSOR, ...BALANCES, amount: balance, fees: half, rateCost: 0n },
  }
  late(world, { ETH: '1000' })
  const cheap = await fillOf(world, terms)
  expect(cheap.sponsorship).toMatchObject({ amount: balance / 2n, fees: half })
  late(world, { ETH: '4000' })
  const dear = await fillOf(world, terms)
  expect(dear.sponsorship?.amount).toBe(balance)
  expect(dear.sponsorship?.fees).toBeLessThanOrEqual(half / 2n + 1n)
  expect(cheap.amount - dear.amount).toBeGreaterThanOrEqual(half / 2n - 10n ** 13n)
})

it('needs the price of balances, and waits where nobody knows it', async () => {
  const world = worldOf()
  const terms = await quoted(world, ETHERS)
  late(world, { USDC: '0' })
  await expect(fillOf(world, terms)).rejects.toMatchObject({ name: 'ServiceError' })
})
