import { type Hex, ServiceError } from '@causeway/core'
import type { QuoteBody } from '@causeway/core/plugin'
import type { SimPermitTerms } from '../chain/permit/simPermit.js'
import type { SimLedger } from '../chain/simLedger.js'
import type { SimUser, UserPayment } from '../chain/simUser.js'
import { UNFIT_DEPOSITS, unfitDeposit } from '../chain/unfitDeposit.js'
import { CALLER } from '../host/simHost.js'
import type { Random } from '../kernel/random.js'
import type { GivenQuote, World } from '../world.js'
import type { Action } from './action.js'
import { balanceTerms } from './balanceTerms.js'
import { requireKnown } from './requireKnown.js'

/** One whole unit of any currency here. */
export const UNIT = 1_000_000n

/** Worth of a transfer in units: mostly small, now and then above what one provider is believed for. */
export const amountOf = (random: Random): bigint => {
  const whole = random.chance(0.2) ? random.int(150, 900) : random.int(1, 60)
  return BigInt(whole) * UNIT + BigInt(random.int(0, 999_999))
}

/** The parts of a quote's answer that a user needs. */
interface Answer {
  readonly requestId: string
  readonly steps: readonly { readonly items: readonly { readonly data: StepData }[] }[]
  readonly protocol: { readonly v2: { readonly orderId: string } }
}

interface StepData {
  readonly to: string
  readonly currency: string
  readonly amount: string
  readonly memo: string
  /** Of what is signed instead: its message. */
  readonly sign?: { readonly value: SimPermitTerms }
  readonly post?: { readonly body: { readonly kind: string } }
}

export interface Quoted {
  readonly quote: GivenQuote
  readonly data: StepData
}

export const other = (world: World, ledger: SimLedger): SimLedger =>
  world.ledgers.find((item) => item !== ledger) ?? ledger

/** Asks a host for a quote of any kind; null when it has none to give. */
export const quoteAny = (world: World, random: Random): Promise<Quoted | null> => {
  const origin = random.pick(world.ledgers)
  const destination = random.chance(0.85) ? other(world, origin) : origin
  const user = random.pick(world.users)
  const amount = amountOf(random)
  const currency = random.pick([origin.coin, origin.token])
  const wanted = random.pick([destination.coin, destination.token])
  const recipient = random.chance(0.3) ? random.pick(world.users).address : user.address
  const refundTo = random.chance(0.2) ? random.pick(world.users).address : null
  const body = {
    user: user.address,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: currency,
    destinationCurrency: wanted,
    amount: amount.toString(),
    tradeType: random.pick(['EXACT_INPUT', 'EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'] as const),
    recipient,
    ...(refundTo === null ? {} : { refundTo }),
  }
  return ask(world, { body, origin, destination, user }, random)
}

/** What a user asks a host for. */
export interface Asked extends Pick<GivenQuote, 'origin' | 'destination' | 'user'> {
  readonly body: QuoteBody
}

/**
 * Asks a host for this quote; null when it has none to give. Where balances are kept many a quote has app fees and a sponsor; where that has
 * too little, without it.
 */
export const ask = async (world: World, asked: Asked, random: Random): Promise<Quoted | null> => {
  if (!world.hasBalances) return askFor(world, asked, random)
  const { fees, sponsor } = balanceTerms(asked.body, random.fork('balances'))
  const withFees = { ...asked, body: { ...asked.body, ...fees } }
  if (sponsor === null) return askFor(world, withFees, random)
  const sponsored = { ...withFees, body: { ...withFees.body, ...sponsor } }
  return (await askFor(world, sponsored, random)) ?? (await askFor(world, withFees, random))
}

const askFor = async (
  world: World,
  { body, origin, destination, user }: Asked,
  random: Random,
): Promise<Quoted | null> => {
  const host = world.anyHost(random)?.host
  if (host === null || host === undefined) return null
  try {
    // CAST: the shape is that of the quote's schema, checked by the plugin's own tests.
    const answer = (await world.as(host.process, () => host.engine.quote({ body, caller: CALLER }))) as Answer
    const data = answer.steps.at(-1)?.items.at(-1)?.data
    if (data === undefined) return null
    const { orderId } = answer.protocol.v2
    const { currency, amount } = data.sign?.value ?? data
    const given = {
      requestId: answer.requestId,
      orderId,
      origin,
      destination,
      user,
      currency,
      amount: BigInt(amount),
    }
    world.quotes.push(given)
    world.tell(
      `quote ${short(answer.requestId)}, order ${short(orderId)}: ${amount} on ${origin.slug} for ${destination.slug}${wordsOf(body)}`,
    )
    return { quote: given, data }
  } catch (error) {
    // What a host has no database or chain for is not quoted.
    requireKnown(error)
    world.tell(`no quote: ${ServiceError.is(error) ? error.code : error instanceof Error ? error.message : ''}`)
    return null
  }
}

const wordsOf = ({ appFees, subsidizeFees }: QuoteBody): string =>
  `${appFees === undefined ? '' : ', with app fees'}${subsidizeFees === true ? ', sponsored' : ''}`

export const short = (id: string): string => id.slice(0, 10)

/** What users do with a quote: mostly what it asks for. */
const CONDUCTS = ['fit', 'fit', 'fit', 'fit', 'twice', 'late', 'stranger', 'unfit', 'unfit'] as const
type Conduct = (typeof CONDUCTS)[number]

/** Deposits that come after the deadline of their order belong to quotes from before this. */
export const LATE_UNTIL_MS = 20_000

/** A quote and its deposit. */
export const transfer: Action = {
  name: 'transfer',
  weight: 22,
  run: (world, random) => quoteAndPay(world, random, random.pick(CONDUCTS)),
}

const quoteAndPay = async (world: World, random: Random, conduct: Conduct): Promise<void> => {
  const quoted = await quoteAny(world, random)
  if (quoted === null) return
  // Later in a story nobody would live to see it.
  const late = conduct === 'late' && world.kernel.time.now < LATE_UNTIL_MS
  await world.sleep(late ? random.int(60_500, 64_000) : random.int(0, 2_500))
  deposit(world, quoted, conduct, random)
  if (conduct !== 'twice') return
  await world.sleep(random.int(0, 20_000))
  deposit(world, quoted, 'twice', random)
}

const deposit = (world: World, { quote: given, data }: Quoted, conduct: Conduct, random: Random): void => {
  const { origin, orderId, user } = given
  const money = { currency: data.currency, amount: BigInt(data.amount) }
  const kind = random.pick(UNFIT_DEPOSITS)
  // CAST: ids of orders are hex.
  const unfit = () => unfitDeposit(kind, { money, orderId: orderId as Hex }, origin, random)
  const payment: UserPayment = conduct === 'unfit' ? unfit() : { money, memo: data.memo, to: data.to }
  const words = `${conduct === 'unfit' ? kind : conduct} deposit for order ${short(orderId)}`
  pay(world, origin, conduct === 'stranger' ? random.pick(world.users) : user, payment, words)
}

/** A user's payment, past all nodes; what the ledger refuses is not paid. */
export const pay = (world: World, ledger: SimLedger, user: SimUser, payment: UserPayment, words: string): void => {
  const { money } = payment
  const signed = user.deposit(ledger, { ...payment, fee: ledger.fee * 2n })
  try {
    ledger.submit(signed.raw)
    world.tell(`${words}: ${money.amount} on ${ledger.slug}, ${short(signed.id)}`)
  } catch (error) {
    world.tell(`${words} is refused by ${ledger.slug}: ${error instanceof Error ? error.message : ''}`)
  }
}

/** Money that belongs to no quote: to the depository, or to the solver itself. */
export const stray: Action = {
  name: 'stray payment',
  weight: 3,
  faults: ['stray payment'],
  run: (world, random) => {
    const ledger = random.pick(world.ledgers)
    const to = random.pick([ledger.depository, ledger.keys.payer.address])
    const currency = random.pick([ledger.coin, ledger.token, ledger.strangeToken])
    const memo = world.quotes.length > 0 && random.chance(0.5) ? random.pick(world.quotes).orderId : ''
    const amount = random.pick([1n, amountOf(random)])
    const whom = to === ledger.depository ? 'the depository' : 'the solver'
    pay(world, ledger, random.pick(world.users), { to, money: { currency, amount }, memo }, `stray payment to ${whom}`)
    world.fault('stray payment', 'nobody asked for it')
  },
}
