import { type Hex, ServiceError } from '@causeway/core'
import type { QuoteBody } from '@causeway/core/plugin'
import { BY_CONTRACT } from '../chain/address/simArrivals.js'
import { addressOfTerms } from '../chain/address/simSweep.js'
import type { NodeTrouble } from '../chain/node/nodeTrouble.js'
import type { SimLedger } from '../chain/simLedger.js'
import type { SimUser } from '../chain/simUser.js'
import type { Random } from '../kernel/random.js'
import type { GivenAddress, World } from '../world.js'
import type { Action } from './action.js'
import { requireKnown } from './requireKnown.js'
import { amountOf, ask, other, pay, short } from './transfers.js'

/** What users do with an address: mostly what its quote asks for. */
const CONDUCTS = [
  'exact',
  'exact',
  'exact',
  'less',
  'more',
  'twice',
  'later',
  'other currency',
  'both currencies',
  'strange currency',
  'dust',
  'dust first',
  'elsewhere',
  'old address',
  'stranger beside',
  'stranger beside',
] as const
type Conduct = (typeof CONDUCTS)[number]

/** Where a story is about little else. */
const OFTEN: readonly Conduct[] = [...CONDUCTS, ...Array.from({ length: 6 }, () => 'stranger beside' as const)]

/** A quote that is paid to an address, and what comes there. */
export const payAddress: Action = {
  name: 'payment to an address',
  weight: 0,
  inPlace: 12,
  faults: CONDUCTS.filter((conduct, at) => CONDUCTS.indexOf(conduct) === at).map(faultOf),
  run: async (world, random) => {
    const conduct = random.pick(world.focus === null ? CONDUCTS : OFTEN)
    const given = conduct === 'old address' ? anyAddress(world, random) : await addressOf(world, conduct, random)
    if (given === null) return
    await world.sleep(conduct === 'later' ? random.int(31_000, 45_000) : random.int(0, 2_500))
    world.faults.set(faultOf(conduct), (world.faults.get(faultOf(conduct)) ?? 0) + 1)
    await payAs(world, given, conduct, random)
  },
}

function faultOf(conduct: Conduct): string {
  return `address paid: ${conduct}`
}

/** Asks a host for a quote with an address; null when it has none to give. */
const addressOf = async (world: World, conduct: Conduct, random: Random): Promise<GivenAddress | null> => {
  const origin = random.pick(world.ledgers)
  const destination = random.chance(0.9) ? other(world, origin) : origin
  const user = random.pick(world.users)
  const type = conduct === 'stranger beside' || random.chance(0.4) ? 'strict' : 'open'
  const marker = origin.coin
  const refundTo = conduct === 'stranger beside' ? marker : refundToOf(world, type, random)
  const body: QuoteBody = {
    user: user.address,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: random.pick([origin.coin, origin.token]),
    destinationCurrency: random.pick([destination.coin, destination.token]),
    amount: amountOf(random).toString(),
    tradeType: type === 'strict' && random.chance(0.3) ? 'EXACT_OUTPUT' : 'EXACT_INPUT',
    recipient: random.chance(0.3) ? random.pick(world.users).address : user.address,
    useDepositAddress: true,
    ...(type === 'strict' ? { strict: true } : {}),
    ...(refundTo === null ? {} : { refundTo }),
  }
  const quoted = await ask(world, { body, origin, destination, user }, random)
  if (quoted === null) return null
  const given = { quote: quoted.quote, address: quoted.data.to, type, toSender: refundTo === marker } as const
  if (!isItsAddress(given)) world.complaints.push(`${given.address} is told and is not what its order derives to`)
  world.addresses.push(given)
  world.tell(`its address is ${type}: ${given.address}`)
  return given
}

/** Nowhere, to whoever sent it (the marker), or to somebody; a strict one must say. */
const refundToOf = (world: World, type: GivenAddress['type'], random: Random): string | null => {
  const to = random.pick([null, world.ledgers[0]?.coin ?? null, random.pick(world.users).address])
  return to === null && type === 'strict' ? random.pick(world.users).address : to
}

const anyAddress = (world: World, random: Random): GivenAddress | null =>
  world.addresses.length === 0 ? null : random.pick(world.addresses)

/** Whoever pays: mostly the user of the quote. */
const payerOf = (world: World, { quote }: GivenAddress, random: Random) =>
  random.chance(0.8) ? quote.user : random.pick(world.users)

const payAs = async (world: World, given: GivenAddress, conduct: Conduct, random: Random): Promise<void> => {
  const { quote } = given
  const { origin, currency, amount } = quote
  const wrong = currency === origin.coin ? origin.token : origin.coin
  const send = (money: { readonly currency: string; readonly amount: bigint }, ledger = origin): void => {
    const words = `${conduct} payment to the address of ${short(quote.orderId)}`
    pay(world, ledger, payerOf(world, given, random), { to: given.address, money, memo: '' }, words)
  }
  const dust = { currency, amount: BigInt(random.int(1, 400)) }
  switch (conduct) {
    case 'less':
      return send({ currency, amount: (amount * BigInt(random.int(1, 999))) / 1000n + 1n })
    case 'more':
      return send({ currency, amount: amount + (amount * BigInt(random.int(1, 1500))) / 1000n + 1n })
    case 'other currency':
      return send({ currency: wrong, amount })
    case 'both currencies':
      send({ currency, amount })
      return send({ currency: wrong, amount: amountOf(random) })
    case 'strange currency':
      return send({ currency: origin.strangeToken, amount })
    case 'dust':
      return send(dust)
    case 'elsewhere': {
      const ledger = other(world, origin)
      return send({ currency: random.pick([ledger.coin, ledger.token]), amount }, ledger)
    }
    case 'twice':
    case 'dust first':
      send(conduct === 'twice' ? { currency, amount } : dust)
      // At times within one block, at times while the first is swept.
      await world.sleep(random.pick([0, random.int(0, 4_000), random.int(0, 15_000)]))
      return send({ currency, amount })
    case 'stranger beside':
      return payBeside(world, given, random)
    default:
      return send({ currency, amount })
  }
}

/** Another sender pays a little or most of it before less than the quote asks for comes, at times from a contract: all of it is refunded. */
const payBeside = async (world: World, { quote, address }: GivenAddress, random: Random): Promise<void> => {
  const { origin, currency, amount, user, orderId } = quote
  const words = `payment beside a stranger's to the address of ${short(orderId)}`
  const stranger = random.pick(world.users.filter((item) => item !== user))
  const payer = random.pick(world.users.filter((item) => item !== stranger))
  const byContract = currency === origin.coin && random.chance(0.6)
  // Where a story is about little else, nearly half of it or one unit, in one sweep.
  const isFocus = world.focus !== null
  const share = BigInt(random.pick(isFocus ? [0, 400] : [0, 0, 5, 200, 700]))
  const send = (from: SimUser, part: bigint, memo: string): void =>
    pay(world, origin, from, { to: address, money: { currency, amount: part }, memo }, words)
  send(stranger, (amount * share) / 1_000n + 1n, '')
  await world.sleep(isFocus ? 0 : random.pick([0, random.int(0, 4_000)]))
  if (byContract) world.paidByContracts.add(address)
  send(payer, (amount * BigInt(random.int(300, isFocus ? 550 : 950))) / 1_000n, byContract ? BY_CONTRACT : '')
}

/** Somebody else sweeps an address, as everybody may. */
export const strangerSweep: Action = {
  name: 'sweep by a stranger',
  weight: 0,
  inPlace: 2,
  faults: ['sweep by a stranger'],
  run: async (world, random) => {
    const given = (await arrivedAt(world, world.ledgers, random)) ?? anyAddress(world, random)
    if (given === null) return
    sweepBy(world, given, given.quote.origin, random)
    world.fault('sweep by a stranger', `somebody sweeps the address of ${short(given.quote.orderId)}`)
  },
}

const sweepBy = (world: World, { quote }: GivenAddress, ledger: SimLedger, random: Random): void => {
  const currencies = random.pick([[ledger.coin, ledger.token], [ledger.token], [ledger.coin]])
  const stranger = random.pick(world.users)
  // CAST: ids of orders are hex.
  const terms = { orderId: quote.orderId as Hex, depositor: quote.user.address }
  try {
    ledger.submit(stranger.sweep(ledger, { ...terms, currencies }).raw)
  } catch (error) {
    world.tell(`a sweep is refused by ${ledger.slug}: ${error instanceof Error ? error.message : ''}`)
  }
}

const PATIENCE_MS = 8_000
const LOOK_MS = 200

/** Waits a while for an address of one of these ledgers at which something lies; null where none has any. */
const arrivedAt = async (world: World, ledgers: readonly SimLedger[], random: Random): Promise<GivenAddress | null> => {
  const until = world.kernel.time.now + PATIENCE_MS
  for (;;) {
    const full = world.addresses.filter(
      ({ quote: { origin }, address }) =>
        ledgers.includes(origin) && [origin.coin, origin.token].some((item) => origin.balance(address, item) > 0n),
    )
    if (full.length > 0) return random.pick(full)
    if (world.calm || world.kernel.time.now >= until) return null
    await world.sleep(LOOK_MS)
  }
}

/** A block with a payment to an address leaves, before its sweep or with it. */
export const leavingArrival: Action = {
  name: 'reorg of an address',
  weight: 0,
  inPlace: 2,
  faults: ['payment to an address leaves', 'sweep leaves'],
  run: async (world, random) => {
    const ledgers = world.ledgers.filter(({ kind }) => kind === 'reorging')
    const given = await arrivedAt(world, ledgers, random)
    const [ledger] = ledgers
    if (given === null || ledger === undefined || world.calm) return
    const swept = random.chance(0.5)
    const until = world.kernel.time.now + PATIENCE_MS
    const isSwept = () => newest(ledger, ({ from }) => from === given.address) !== null
    while (swept && !isSwept() && world.kernel.time.now < until) await world.sleep(LOOK_MS)
    const { address } = given
    const height = newest(ledger, ({ from, to }) => from === address || to === address)
    const depth = ledger.head.height - (height ?? 0) + 1
    if (world.calm || height === null || depth > ledger.settle - 1) return
    const kind = isSwept() ? 'sweep leaves' : 'payment to an address leaves'
    ledger.reorg(depth, random.pick(['returned', 'lost', 'shuffled']))
    world.noteDeposits()
    world.fault(kind, `${depth} blocks of ${ledger.slug} leave: ${kind}`)
  },
}

const newest = (
  ledger: SimLedger,
  isMeant: (transfer: { readonly from: string; readonly to: string }) => boolean,
): number | null => ledger.records().findLast(({ transfer }) => isMeant(transfer))?.block?.height ?? null

/** Nothing moves to or from an address for a while, as where a token bars it. */
export const blockedAddress: Action = {
  name: 'blocked address',
  weight: 0,
  inPlace: 1,
  faults: ['blocked address'],
  run: async (world, random) => {
    const given = (await arrivedAt(world, world.ledgers, random)) ?? anyAddress(world, random)
    if (given === null || world.calm) return
    const { origin } = given.quote
    origin.close(given.address)
    world.fault('blocked address', `the address of ${short(given.quote.orderId)} is blocked`)
    await world.sleep(random.int(2_000, 40_000))
    origin.open(given.address)
  },
}

/** One node shows a payment to an address that nobody made. */
export const inventedArrival: Action = {
  name: 'invented payment to an address',
  weight: 0,
  inPlace: 1,
  faults: ['node invents an arrival'],
  run: async (world, random) => {
    const given = anyAddress(world, random)
    if (given === null) return
    const { origin, currency, amount, user } = given.quote
    const node = random.pick(origin.nodes)
    if (origin.nodes.some(({ lies }) => lies)) return
    const deposit = { from: user.address, to: given.address, currency, amount, memo: '' }
    const trouble: NodeTrouble = { kind: 'invents-deposit', deposit }
    node.trouble = trouble
    world.fault(
      'node invents an arrival',
      `${node.name} invents a payment to the address of ${short(given.quote.orderId)}`,
    )
    await world.sleep(random.int(2_000, 15_000))
    if (node.trouble === trouble) node.trouble = { kind: 'none' }
  },
}

/**
 * Users whose money lies where nobody looks name its address to a host: on another chain than that of their quote, or of a quote that the
 * database has lost; of one that nobody knows they sweep it themselves.
 */
export const nameAddresses: Action = {
  name: 'named addresses',
  weight: 0,
  inPlace: 2,
  faults: ['address named', 'address forgotten'],
  run: async (world, random) => {
    const host = world.anyHost(random)?.host
    if (host?.reindex === null || host?.reindex === undefined) return
    for (const { given, ledger } of elsewhere(world)) {
      const body = {
        chainId: given.quote.origin.chainId,
        depositAddress: given.address,
        targetChainId: ledger.chainId,
      }
      try {
        await world.as(host.process, async () => host.reindex?.(body))
        world.fault('address named', `the address of ${short(given.quote.orderId)} is named on ${ledger.slug}`)
      } catch (error) {
        requireKnown(error)
        if (isUnknown(error)) forgotten(world, given, ledger, random)
        else world.tell(`an address is not looked at: ${error instanceof Error ? error.message : ''}`)
      }
    }
  },
}

const isUnknown = (error: unknown): boolean =>
  !ServiceError.is(error) && typeof error === 'object' && error !== null && 'status' in error && error.status === 404

const forgotten = (world: World, given: GivenAddress, ledger: SimLedger, random: Random): void => {
  sweepBy(world, given, ledger, random)
  world.fault('address forgotten', `nobody knows the address of ${short(given.quote.orderId)}: its user sweeps it`)
}

/** Whether the database has lost anything. */
const forgets = ({ faults }: World): boolean => faults.has('failover') || faults.has('restore')

/** Addresses at which something lies on a ledger that is not that of their quote, or that lies there for long. */
const elsewhere = (world: World) =>
  world.addresses.flatMap((given) =>
    world.ledgers
      .filter((ledger) => [ledger.coin, ledger.token].some((item) => ledger.balance(given.address, item) > 0n))
      .filter((ledger) => ledger !== given.quote.origin || forgets(world) || world.paidByContracts.has(given.address))
      .map((ledger) => ({ given, ledger })),
  )

const isItsAddress = ({ quote, address }: GivenAddress): boolean =>
  // CAST: ids of orders are hex.
  addressOfTerms({ orderId: quote.orderId as Hex, depositor: quote.user.address }) === address
