import type { Hex } from '@causeway/core'
import type { QuoteBody } from '@causeway/core/plugin'
import type { SimPermitTerms } from '../../chain/permit/simPermit.js'
import type { SimLedger } from '../../chain/simLedger.js'
import { SimUser } from '../../chain/simUser.js'
import type { Random } from '../../kernel/random.js'
import type { GivenPermit, GivenQuote, World } from '../../world.js'
import type { Action } from '../action.js'
import { amountOf, ask, other, pay, short, UNIT } from '../transfers.js'
import { bringIn, postPermit, postSignature } from './postPermit.js'

/** What becomes of what a user signs for: mostly it is posted. */
const CONDUCTS = [
  'once',
  'once',
  'once',
  'twice',
  'two hosts',
  'two hosts',
  'stranger first',
  'stranger first',
  'emptied',
  'emptied',
  'blocked',
  'just in time',
  'too late',
  'paid besides',
  'dust before',
  'wrong signer',
] as const
type Conduct = (typeof CONDUCTS)[number]

/** Whose signature is looked at when it is handed in, that of a call is not. */
const OF_CALLS: readonly Conduct[] = CONDUCTS.filter((conduct) => conduct !== 'too late' && conduct !== 'wrong signer')

function faultOf(conduct: Conduct): string {
  return `signed: ${conduct}`
}

/** A quote that its user signs for, and does not send. */
export const signedDeposit: Action = {
  name: 'deposit by signature',
  weight: 0,
  ofPermits: 12,
  faults: CONDUCTS.filter((conduct, at) => CONDUCTS.indexOf(conduct) === at).map(faultOf),
  run: async (world, random) => {
    const conduct = random.pick(CONDUCTS)
    const isCall = OF_CALLS.includes(conduct) && random.chance(0.3)
    const given = await permitFor(world, { conduct, isCall }, random)
    if (given === null) return
    world.faults.set(faultOf(conduct), (world.faults.get(faultOf(conduct)) ?? 0) + 1)
    await world.sleep(random.int(0, 2_500))
    await postAs(world, given, conduct, random)
  },
}

/** Seconds that a signature stands: the least there is, and what is usual. */
const SHORTEST = 30
const EXPIRIES = [SHORTEST, SHORTEST, 60, 600] as const

/** Coin for what an owner sends itself. */
const FOR_FEES = 100n * UNIT

interface PermitWanted {
  readonly conduct: Conduct
  readonly isCall: boolean
  /** The signer and its ledger; default: a fresh user on any ledger. */
  readonly owner?: { readonly user: SimUser; readonly origin: SimLedger }
  /** Smallest unit; default: any. */
  readonly amount?: bigint
}

/** Asks a host for a quote and signs for it; null when it has none to give. */
export const permitFor = async (
  world: World,
  { conduct, isCall, owner, amount: wanted }: PermitWanted,
  random: Random,
): Promise<GivenPermit | null> => {
  const origin = owner?.origin ?? random.pick(world.ledgers)
  const destination = random.chance(0.9) ? other(world, origin) : origin
  const user = owner?.user ?? newOwner(random)
  const amount = wanted ?? amountOf(random)
  origin.fund(user.address, origin.token, 2n * amount)
  origin.fund(user.address, origin.coin, FOR_FEES)
  const expiry = conduct === 'just in time' || conduct === 'too late' ? SHORTEST : random.pick(EXPIRIES)
  const body: QuoteBody = {
    user: user.address,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: origin.token,
    destinationCurrency: random.pick([destination.coin, destination.token]),
    amount: amount.toString(),
    tradeType: 'EXACT_INPUT',
    recipient: random.chance(0.3) ? random.pick(world.users).address : user.address,
    ...(isCall ? {} : { usePermit: true, permitExpiry: expiry }),
  }
  const quoted = await ask(world, { body, origin, destination, user }, random)
  const expiresAt = Math.floor(world.kernel.time.unix / 1_000) + expiry
  const terms = isCall ? quoted && callTerms(quoted.quote, expiresAt) : quoted?.data.sign?.value
  if (quoted === null || terms === undefined || terms === null) return null
  const given = { quote: quoted.quote, permit: user.permit(origin, terms), isCall, posted: false, taken: false }
  if (terms.owner !== user.address || terms.orderId !== quoted.quote.orderId) {
    world.complaints.push(`${JSON.stringify(terms)} is to be signed, which is not what was quoted`)
  }
  world.permits.push(given)
  world.tell(`its user signs ${isCall ? 'a call ' : ''}for it until ${new Date(terms.expiresAt * 1_000).toISOString()}`)
  return given
}

/** A user who has nothing yet. */
export const newOwner = (random: Random): SimUser => new SimUser(`signer ${random.int(1, 1_000_000_000)}`)

/** What a user's call does. */
const callTerms = ({ orderId, user, currency, amount }: GivenQuote, expiresAt: number): SimPermitTerms => ({
  // CAST: ids of orders are hex.
  orderId: orderId as Hex,
  owner: user.address,
  currency,
  amount: amount.toString(),
  expiresAt,
})

const postAs = async (world: World, given: GivenPermit, conduct: Conduct, random: Random): Promise<void> => {
  const post = () => postPermit(world, given, random)
  switch (conduct) {
    case 'once':
      return void (await post())
    case 'twice':
      await post()
      await world.sleep(random.int(0, 20_000))
      return void (await post())
    case 'two hosts':
      await Promise.all(world.places.map(({ host }) => postPermit(world, given, random, host)))
      return
    case 'stranger first':
      return besides(world, given, () => bringIn(world, given, random), random)
    case 'emptied':
      return besides(world, given, () => empty(world, given, random), random)
    case 'blocked':
      return besides(world, given, () => void block(world, given, random), random)
    case 'paid besides':
      return besides(world, given, () => payItself(world, given), random)
    case 'just in time':
      await world.sleep(untilEnd(world, given) - random.int(0, 4_000))
      return void (await post())
    case 'too late':
      return postTooLate(world, given, random)
    case 'dust before':
      return postAfterDust(world, given, random)
    case 'wrong signer':
      return postForged(world, given, random)
  }
}

/** Something happens before the signature is posted, at once with it or later. */
const besides = async (world: World, given: GivenPermit, work: () => void, random: Random): Promise<void> => {
  const before = random.chance(0.4)
  if (before) work()
  await world.sleep(before ? random.int(0, 4_000) : 0)
  const posted = postPermit(world, given, random)
  if (!before) await world.sleep(random.int(0, 3_000))
  if (!before) work()
  await posted
}

/** All that the owner has goes to somebody else. */
const empty = (world: World, { quote: { user, origin, orderId } }: GivenPermit, random: Random): void => {
  const money = { currency: origin.token, amount: origin.balance(user.address, origin.token) }
  const to = random.pick(world.users).address
  if (money.amount > 0n)
    pay(world, origin, user, { to, money, memo: '' }, `who signed for ${short(orderId)} leaves with all`)
}

/** The token bars the owner for a while. */
const block = async (
  world: World,
  { quote: { user, origin, orderId } }: GivenPermit,
  random: Random,
): Promise<void> => {
  if (world.calm) return
  origin.close(user.address)
  world.tell(`who signed for ${short(orderId)} is barred on ${origin.slug}`)
  await world.sleep(random.int(2_000, 60_000))
  origin.open(user.address)
}

const payItself = (world: World, { quote: { user, origin, orderId, currency, amount } }: GivenPermit): void =>
  pay(
    world,
    origin,
    user,
    { money: { currency, amount }, memo: orderId },
    `who signed for ${short(orderId)} pays itself`,
  )

/** Virtual milliseconds for which the signature still stands. */
const untilEnd = ({ kernel }: World, { permit }: GivenPermit): number =>
  Math.max(0, permit.expiresAt * 1_000 - kernel.time.unix)

const postTooLate = async (world: World, given: GivenPermit, random: Random): Promise<void> => {
  await world.sleep(untilEnd(world, given) + random.int(1_000, 5_000))
  // A signature that was posted before may be stored although the host died before it answered.
  const wasPosted = given.posted
  // A host whose clock is wrong may take it.
  const areRight = world.places.every(({ process }) => process.clockOffMs === 0)
  const isTaken = await postPermit(world, given, random)
  if (isTaken && areRight && !wasPosted) {
    world.complaints.push(`what was signed for ${given.quote.orderId} is taken after its time`)
  }
}

/** Dust that names an order keeps nobody from paying it. */
const postAfterDust = async (world: World, given: GivenPermit, random: Random): Promise<void> => {
  const { origin, currency, orderId } = given.quote
  const money = { currency, amount: BigInt(random.int(1, 400)) }
  pay(world, origin, random.pick(world.users), { money, memo: orderId }, `dust for ${short(orderId)}`)
  await world.sleep(random.int(0, 8_000))
  await postPermit(world, given, random)
}

const postForged = async (world: World, given: GivenPermit, random: Random): Promise<void> => {
  const { origin } = given.quote
  const forged = random.pick(world.users).permit(origin, given.permit)
  if (await postSignature(world, given, forged, world.anyHost(random)?.host ?? null)) {
    world.complaints.push(`what a stranger signed for ${given.quote.orderId} is taken`)
  }
}
