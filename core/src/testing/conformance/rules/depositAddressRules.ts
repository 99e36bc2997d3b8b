import { isDeepStrictEqual } from 'node:util'
import { derivedAt, derivedTurns } from '../../../chain/address/addressTurns.js'
import type {
  Arrival,
  DepositAddress,
  DepositAddressTerms,
  PooledAddress,
} from '../../../chain/address/depositAddresses.js'
import {
  destinationText,
  parseDestination,
  readAddressToPay,
  readDestination,
  sameDestination,
} from '../../../chain/destination.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { newOrderId, stored } from '../depositing.js'
import { check, checkOwnId, depthOf, nativeOf, nothingLeaves, type Rule, there } from '../rule.js'
import {
  addressesOf,
  arrivalKey,
  arrivalsOf,
  arrivalsUntil,
  arrivalTip,
  hasNoAddresses,
  heldAt,
  liveOf,
  newAddress,
  newSalt,
  newTerms,
  payTo,
} from '../sweeping.js'

/** From memory, by an adapter that was never started: nothing but the configuration and the terms is asked. */
const derived = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const subject = addressesOf(harness)
  check(subject.forms.length > 0, 'names no form of deposit addresses')
  const elsewhere = await harness.createAdapter(harness.rpc)
  const other = addressesOf({ adapter: elsewhere })
  const terms = newTerms(harness)
  const variants = [terms, { ...terms, orderId: newOrderId() }, { ...terms, depositor: await harness.freshAddress() }]
  const made = variants.map((item) => newAddress(harness, item))
  const texts = made.map(({ destination }) => destinationText(destination))
  check(new Set(texts).size === texts.length, `different terms give one address: ${texts.join(', ')}`)
  for (const { destination } of made) {
    const text = destinationText(destination)
    const read = readAddressToPay(adapter, text)
    check(read.ok && destinationText(read.destination) === text, `${text} is no address in its stored form`)
    // Payouts name an account and a tag; a memo that they do not carry is read as an address to pay alone.
    const named = readDestination(adapter, text)
    const paid = [(named.ok ? named : read).destination, nativeOf(harness)] as const
    const status = await adapter.recipientStatus(...paid)
    const isPaid = status.canReceive || subject.opensByPayment === true
    check(isPaid, `says that nothing can be paid to a deposit address: ${status.why}`)
    const same = isDeepStrictEqual(await elsewhere.recipientStatus(...paid), status)
    check(same, 'another process, which did not derive a deposit address, says something else of payments to it')
  }
  await elsewhere.stop()
  const [first] = made
  if (subject.derive === undefined || first === undefined) return
  checkTurns(harness, terms)
  for (const again of [subject.derive(terms), other.derive?.(terms), derivedAt(other, terms, first.destination)]) {
    const same = again !== undefined && destinationText(again.destination) === texts[0]
    check(same, 'the same terms give another address the second time')
    check(isDeepStrictEqual(again.derivation, first.derivation), 'the same terms give another derivation')
  }
}

/** Where an address may be another order's already, there is another one for the same terms. */
const checkTurns = (harness: ConformanceHarness, terms: DepositAddressTerms): void => {
  const turns = derivedTurns(addressesOf(harness), terms).map(({ destination }) => destinationText(destination))
  check(new Set(turns).size === turns.length, `two turns give one address: ${turns.join(', ')}`)
}

const genuine = async (harness: ConformanceHarness): Promise<void> => {
  const pool = there(addressesOf(harness).pool, 'the adapter has no pool')
  const seed = there(harness.seed, 'the harness has no seed')
  const salt = newSalt()
  const [one, other] = [pool.make(seed, salt), pool.make(seed, newSalt())]
  check(isDeepStrictEqual(pool.make(seed, salt), one), 'one salt gives two addresses of a pool')
  check(destinationText(one.destination) !== destinationText(other.destination), 'two salts give one address')
  check(pool.isGenuine(one) && pool.isGenuine(other), 'does not know its own address again')
  const stranger = Uint8Array.from(seed, (byte) => byte ^ 0xff)
  check(pool.publicKey(seed) !== pool.publicKey(stranger), 'two seeds have one public key')
  const first = one.signature[2] === '0' ? '1' : '0'
  const lies: Readonly<Record<string, PooledAddress>> = {
    'with the signature of another': { ...one, signature: other.signature },
    'with a changed signature': { ...one, signature: `0x${first}${one.signature.slice(3)}` },
    'with another address in it': { ...one, destination: other.destination },
    'with another derivation': { ...one, derivation: other.derivation },
    'of another seed': pool.make(stranger, salt),
  }
  for (const [what, lie] of Object.entries(lies)) check(!pool.isGenuine(lie), `takes an address ${what} for its own`)
}

interface Sent {
  readonly txId: string
  readonly address: DepositAddress
  readonly currency: string
  readonly amount: bigint
}

const checkArrival = (harness: ConformanceHarness, arrival: Arrival, { amount }: Sent): void => {
  const { adapter, user } = harness
  check(arrival.money.amount === amount, `says that ${arrival.money.amount} arrived, sent were ${amount}`)
  check(arrival.block !== null, 'an arrival has no block')
  const { sender } = arrival
  const isUser = sender === null || adapter.sameAddress(parseDestination(sender).address, user.address)
  check(isUser, `names ${sender} as the sender of ${arrival.tx.id}, which ${user.address} sent`)
  checkOwnId(harness, arrival.tx.id)
}

const isOf =
  ({ adapter }: ConformanceHarness, { txId, address, currency }: Sent) =>
  ({ tx, to, money }: Arrival): boolean =>
    tx.id === txId && money.currency === currency && sameDestination(adapter, to, address.destination)

/** Several to one address and one to another, given where nothing was live before; a stranger's address is nobody's. */
const seen = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, amount, currencies } = harness
  const [first, second, stranger] = [newAddress(harness), newAddress(harness), newAddress(harness)]
  const live = liveOf([])
  const cursor = await arrivalTip(harness, live)
  live.give(first)
  live.give(second)
  const sent: Sent[] = []
  const send = async (address: DepositAddress, currency: string, value: bigint) => {
    sent.push({ txId: await payTo(harness, address, { currency, amount: value }), address, currency, amount: value })
  }
  for (const currency of currencies) {
    await payTo(harness, stranger, { currency, amount })
    await send(first, currency, amount)
    await send(first, currency, amount)
    await send(second, currency, amount * 2n)
  }
  const hasAll = (arrivals: readonly Arrival[]) => sent.every((item) => arrivals.some(isOf(harness, item)))
  const pages = await arrivalsUntil(harness, cursor, live, (read) => hasAll(arrivalsOf(read)))
  // Of addresses that are parts of one account all are shown; which of them are live, core asks (`Live`).
  const isOwn = ({ to }: Arrival): boolean => !sameDestination(adapter, to, stranger.destination)
  const shared = stranger.destination.address === first.destination.address
  const found = arrivalsOf(pages).filter((arrival) => !shared || isOwn(arrival))
  for (const item of sent) {
    const matching = found.filter(isOf(harness, item))
    const [arrival] = matching
    check(matching.length === 1 && arrival !== undefined, `${matching.length} arrivals are made of one payment`)
    checkArrival(harness, arrival, item)
  }
  check(found.length === sent.length, `${found.length} arrivals are shown of ${sent.length} payments since the cursor`)
  await seenAgain(harness, { cursor, live, found, isOwn: (arrival) => !shared || isOwn(arrival) })
}

/** A process that was away reads from the old cursor what another has seen. */
const seenAgain = async (
  harness: ConformanceHarness,
  before: {
    readonly cursor: Parameters<typeof stored>[0]
    readonly live: ReturnType<typeof liveOf>
    readonly found: readonly Arrival[]
    isOwn(arrival: Arrival): boolean
  },
): Promise<void> => {
  const other = await harness.createAdapter(harness.rpc)
  await other.start(new AbortController().signal)
  try {
    const keys = before.found.map(arrivalKey)
    const again = await arrivalsUntil({ ...harness, adapter: other }, before.cursor, before.live, (read) => {
      const shown = new Set(arrivalsOf(read).map(arrivalKey))
      return keys.every((key) => shown.has(key))
    }).catch(() => null)
    check(again !== null, 'from an old cursor on, arrivals are missing or named otherwise')
    check(
      arrivalsOf(again).filter(before.isOwn).length === keys.length,
      'from an old cursor on, arrivals are shown twice',
    )
  } finally {
    await other.stop()
  }
}

/** A payment that fails in a block before one that succeeds, to the same address: one arrival, and the amount of one lies there. */
const failed = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, user, amount, currencies } = harness
  const address = newAddress(harness)
  const live = liveOf([address])
  const cursor = await arrivalTip(harness, live)
  // A plain transfer of the native currency cannot fail on every chain.
  const currency = there(currencies.at(-1), 'the harness names no currency')
  const money = { currency, amount }
  const items = await addressesOf(harness).buildPayment({ from: user.address, to: address.destination, money })
  const item = there(items.at(-1), 'buildPayment gives no step')
  const failing = (await user.sendFailing?.(item.data, item)) ?? ''
  const paid = await payTo(harness, address, money)
  const pages = await arrivalsUntil(harness, cursor, live, (read) => arrivalsOf(read).some(({ tx }) => tx.id === paid))
  const wrong = arrivalsOf(pages).find(({ tx }) => tx.id === failing)
  check(
    wrong === undefined,
    `shows ${wrong?.money.amount} ${wrong?.money.currency} of ${failing} as arrived, a transaction that failed in block ${wrong?.block?.height}`,
  )
  const [held] = await heldAt(harness, address, [currency])
  check(
    held === amount,
    `says that ${held} lies at an address that ${paid} paid ${amount}, and ${failing} failed to pay`,
  )
  const { status } = await adapter.findTransaction({ id: failing })
  check(status === 'failure', `the failed transaction ${failing} is ${status}`)
}

const reorged = async (harness: ConformanceHarness): Promise<void> => {
  const address = newAddress(harness)
  const live = liveOf([address])
  const cursor = await arrivalTip(harness, live)
  await payTo(harness, address, { currency: nativeOf(harness), amount: harness.amount })
  const pages = await arrivalsUntil(harness, cursor, live, (read) => arrivalsOf(read).length > 0)
  const { height } = there(arrivalsOf(pages)[0]?.block, 'an arrival has no block')
  await harness.reorg?.(await depthOf(harness, height))
  await harness.advance(1)
  const since = stored(pages.at(-1)?.cursor ?? null)
  await arrivalsUntil(harness, since, live, (read) =>
    read.some(({ rewoundTo }) => rewoundTo !== null && rewoundTo < height),
  )
}

const held = async (harness: ConformanceHarness): Promise<void> => {
  const { currencies, amount } = harness
  const [full, empty, native] = [newAddress(harness), newAddress(harness), newAddress(harness)]
  for (const currency of currencies) await payTo(harness, full, { currency, amount })
  await payTo(harness, native, { currency: nativeOf(harness), amount: amount * 2n })
  const backwards = [...currencies].reverse()
  const answer = await addressesOf(harness).holdings([native, full, empty], backwards)
  check(answer.length === 3, `${answer.length} answers for three addresses`)
  const [ofNative, ofFull, ofEmpty] = answer
  const wanted = backwards.map((currency) => ({ currency, amount }))
  check(isDeepStrictEqual(ofFull, wanted), 'does not tell all that lies at an address, in the order of the currencies')
  const only = [{ currency: nativeOf(harness), amount: amount * 2n }]
  check(isDeepStrictEqual(ofNative, only), 'does not tell just the one currency that lies at an address')
  check(ofEmpty?.length === 0, 'tells something of an address that holds nothing')
  const alone = await heldAt(harness, full)
  check(
    alone.every((value) => value === amount),
    'tells another amount of an address that is asked about alone',
  )
}

/** Addresses that users pay to, and what comes there. */
export const depositAddressRules: readonly Rule[] = [
  {
    id: 'address-derived',
    says: 'the same order id and depositor give the same deposit address from public material alone, others another (wire.md E.4)',
    exemption: hasNoAddresses,
    run: derived,
  },
  {
    id: 'address-genuine',
    says: 'an address of a pool is told only with the word of the holder of the seed, none that was changed',
    exemption: (harness) =>
      hasNoAddresses(harness) ??
      (harness.adapter.depositAddresses?.pool === undefined ? 'addresses are derived, not taken from a pool' : null),
    needs: { ability: 'seed', isThere: ({ seed }) => seed !== undefined },
    run: genuine,
  },
  {
    id: 'arrival-seen',
    says: 'what comes to a live address is shown once, with its amount and sender, from an old cursor as well',
    exemption: hasNoAddresses,
    run: seen,
  },
  {
    id: 'arrival-failed',
    says: 'a payment to an address that failed in a block did not arrive, and is not swept (invariant 3)',
    exemption: hasNoAddresses,
    needs: { ability: 'user.sendFailing', isThere: ({ user }) => user.sendFailing !== undefined },
    run: failed,
  },
  {
    id: 'arrival-reorg',
    says: 'an arrival that leaves the chain is reported: the watcher rewinds',
    exemption: (harness) => hasNoAddresses(harness) ?? nothingLeaves(harness),
    needs: { ability: 'reorg', isThere: ({ reorg }) => reorg !== undefined },
    run: reorged,
  },
  {
    id: 'holdings',
    says: 'what lies at addresses is told in the order asked, and nothing of what is empty',
    exemption: hasNoAddresses,
    run: held,
  },
]
