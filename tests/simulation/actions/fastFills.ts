import { ServiceError } from '@causeway/core'
import { HttpError } from '@causeway/core/plugin'
import type { SimUser } from '../chain/simUser.js'
import { FUNDING_WALLET } from '../host/simHost.js'
import type { Random } from '../kernel/random.js'
import type { World } from '../world.js'
import type { Action } from './action.js'
import { CACHED_MS, HIGH, LOW, movePrice } from './faults/outerFaults.js'
import { requireKnown } from './requireKnown.js'
import { LATE_UNTIL_MS, pay, type Quoted, quoteAny, short, UNIT } from './transfers.js'

/** What comes of a deposit whose order is filled ahead. */
const CONDUCTS = [
  'fit',
  'fit',
  'fit',
  'deposit first',
  'never',
  'never',
  'late',
  'less',
  'more',
  'dust before',
  'twice',
  'other currency',
  'after a rise',
  'after a rise',
] as const
type Conduct = (typeof CONDUCTS)[number] | 'in the last seconds'

/** Where a story is about little else. */
const OFTEN: readonly Conduct[] = [...CONDUCTS, ...Array.from({ length: 4 }, () => 'in the last seconds' as const)]

/** By then the first top-up is settled, where nothing went wrong. */
const FUNDED_MS = 13_000

/** From a quote to the end of its order. */
const DEADLINE_MS = 60_000
/** Until a deposit is in its block and read. */
const READ_MS = 8_000

function faultOf(conduct: Conduct): string {
  return `filled ahead: ${conduct}`
}

/** An integrator has a quote filled before its user's deposit is in, or just when it comes. */
export const fastFill: Action = {
  name: 'fast fill',
  weight: 0,
  ofBalances: 10,
  faults: OFTEN.filter((conduct, at) => OFTEN.indexOf(conduct) === at).map(faultOf),
  run: async (world, random) => {
    // Before there is a balance to pay for it.
    if (world.kernel.time.now < FUNDED_MS) await world.sleep(FUNDED_MS - world.kernel.time.now + random.int(0, 9_000))
    const quotedAt = world.kernel.time.now
    const quoted = await quoteAny(world, random)
    if (quoted === null) return
    const conduct = random.pick(world.focus === null ? CONDUCTS : OFTEN)
    world.faults.set(faultOf(conduct), (world.faults.get(faultOf(conduct)) ?? 0) + 1)
    const again = random.chance(0.3)
    if (conduct === 'after a rise') {
      movePrice(world, LOW)
      await world.sleep(CACHED_MS)
    }
    if (conduct === 'deposit first') {
      send(world, quoted, quoted.quote.amount)
      await world.sleep(random.int(0, 5_000))
    }
    await Promise.all([askFor(world, quoted, random), ...(again ? [askFor(world, quoted, random)] : [])])
    await world.sleep(random.int(0, 6_000))
    if (conduct === 'in the last seconds') await untilDeadline(world, quotedAt, random)
    await depositAs(world, quoted, conduct, random)
    if (again) await askFor(world, quoted, random)
  },
}

const depositAs = async (world: World, quoted: Quoted, conduct: Conduct, random: Random): Promise<void> => {
  const { amount, origin, currency } = quoted.quote
  switch (conduct) {
    case 'never':
    case 'deposit first':
      return
    case 'late':
      if (world.kernel.time.now > LATE_UNTIL_MS) return
      await world.sleep(random.int(55_000, 70_000))
      return send(world, quoted, amount)
    case 'less':
      return send(world, quoted, (amount * BigInt(random.int(300, 999))) / 1000n + 1n)
    case 'more':
      return send(world, quoted, amount + (amount * BigInt(random.int(1, 1_500))) / 1000n + 1n)
    case 'dust before':
      send(world, quoted, BigInt(random.int(1, 400)), random.pick(world.users))
      await world.sleep(random.int(0, 6_000))
      return send(world, quoted, amount)
    case 'twice':
      send(world, quoted, amount)
      await world.sleep(random.int(0, 20_000))
      return send(world, quoted, amount)
    case 'other currency':
      return send(world, quoted, amount, undefined, currency === origin.coin ? origin.token : origin.coin)
    case 'after a rise':
      movePrice(world, HIGH)
      await world.sleep(CACHED_MS)
      return send(world, quoted, amount)
    case 'fit':
    case 'in the last seconds':
      return send(world, quoted, amount)
  }
}

/** Waits so that the deposit is in a block at the end of its order, and not settled. */
const untilDeadline = async (world: World, quotedAt: number, random: Random): Promise<void> => {
  const wait = quotedAt + DEADLINE_MS - random.int(1_000, 4_500) - world.kernel.time.now
  world.awaitUser(wait + READ_MS)
  await world.sleep(wait)
}

const send = (
  world: World,
  { quote, data }: Quoted,
  amount: bigint,
  user: SimUser = quote.user,
  currency = quote.currency,
): void => {
  const words = `deposit for order ${short(quote.orderId)}, which may be filled ahead`
  pay(world, quote.origin, user, { money: { currency, amount }, memo: data.memo, to: data.to }, words)
}

/** As `POST /fast-fill`; a host may refuse it, or die meanwhile. */
const askFor = async (world: World, { quote }: Quoted, random: Random): Promise<void> => {
  const host = world.anyHost(random)?.host
  if (host?.fastFill === undefined || host.fastFill === null) return
  const said = random.chance(0.3) ? (quote.amount * BigInt(random.int(970, 1_100))) / 1000n + 1n : null
  const { fastFill: operation } = host
  const body = { requestId: quote.requestId, ...(said === null ? {} : { solverInputCurrencyAmount: said.toString() }) }
  try {
    const answer = await world.as(host.process, () => operation(body))
    world.tell(`fast fill of ${short(quote.requestId)}: ${JSON.stringify(answer)}`)
  } catch (error) {
    requireKnown(error)
    const words = ServiceError.is(error) || HttpError.is(error) ? error.message : `failed: ${String(error)}`
    world.tell(`fast fill of ${short(quote.requestId)}: ${words}`)
  }
}

const MARKS = '012345abcdef'

/** Money for a balance: of the integrator's wallet, of somebody's, or of a sender that has none. */
export const topUp: Action = {
  name: 'top-up',
  weight: 0,
  ofBalances: 3,
  faults: ['top-up of a stranger', 'top-up without a wallet'],
  run: (world, random) => {
    if (!world.hasBalances) return
    const ledger = random.pick(world.ledgers)
    const kind = random.pick(['own', 'own', 'own', 'stranger', 'sender'] as const)
    const first = world.kernel.time.now < (world.focus === null ? 20_000 : 7_000)
    const named = kind === 'sender' && !first ? '0'.repeat(40) : kind === 'stranger' && !first ? 'e2'.repeat(20) : null
    const amount = first ? 5_000n * UNIT : random.pick([1n, BigInt(random.int(1, 400)) * UNIT])
    const currency = random.pick([ledger.coin, ledger.token, ...(first ? [] : [ledger.strangeToken])])
    const memo = `0x${MARKS}${named ?? FUNDING_WALLET.slice(2)}${MARKS}`
    pay(world, ledger, random.pick(world.users), { money: { currency, amount }, memo }, 'top-up')
    if (named !== null)
      world.fault(kind === 'sender' ? 'top-up without a wallet' : 'top-up of a stranger', `it names ${named}`)
  },
}
