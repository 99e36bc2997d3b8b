import type { AttemptState, Payout, PreparedAttempt, SignedAttempt } from '../../../chain/laneAdapter.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { stored } from '../depositing.js'
import { balanceOf, checkArrived, makePayout, signOne, storedAttempt, succeeded } from '../paying.js'
import { check, nativeOf, type Rule, there } from '../rule.js'

const mostOf = ({ adapter }: ConformanceHarness): number => adapter.lane.payoutsPerTransaction ?? 1

interface Carried {
  readonly payout: Payout
  readonly attempt: SignedAttempt
}

/** Prepared as the host does it; what the adapter gives as one object is signed once. */
const signShared = async (
  harness: ConformanceHarness,
  payouts: readonly Payout[],
  position: Parameters<typeof stored>[0],
) => {
  const { lane } = harness.adapter
  const items = payouts.map((payout) => ({ payout, gas: null }))
  const { prepared } = await lane.prepare(items, stored(position))
  const signed = new Map<PreparedAttempt, SignedAttempt>()
  for (const item of prepared) {
    if (item !== null && !signed.has(item)) signed.set(item, await signOne(harness, storedAttempt(item)))
  }
  return payouts.map((payout, at): Carried => {
    const item = there(prepared[at], 'a payment was not prepared')
    return { payout, attempt: there(signed.get(item), 'a payment was not prepared') }
  })
}

const checkGroups = (carried: readonly Carried[], most: number): readonly SignedAttempt[] => {
  const attempts = [...new Set(carried.map(({ attempt }) => attempt))]
  check(attempts.length < carried.length, `declares ${most} payments for a transaction, and has none of them share one`)
  for (const attempt of attempts) {
    const shared = carried.filter((item) => item.attempt === attempt).length
    check(shared <= most, `one transaction carries ${shared} payments, more than the ${most} that are declared`)
  }
  const guards = attempts.flatMap((attempt) => attempt.guards)
  check(new Set(guards).size === guards.length, `transactions share guards: ${guards.join(', ')}`)
  check(new Set(attempts.map(({ txId }) => txId)).size === attempts.length, 'two transactions have one id')
  return attempts
}

/** Native currency that the books take for payments and their fees: that of a transaction once, or the part of each payment. */
const bookedOf = (
  harness: ConformanceHarness,
  carried: readonly Carried[],
  states: readonly AttemptState[],
): bigint => {
  const seen = new Set<SignedAttempt>()
  return carried.reduce((sum, { payout: { money }, attempt }, at) => {
    const { fee, bearsPart } = there(states[at], 'states gives no state')
    const borne = bearsPart === true || !seen.has(attempt) ? fee : 0n
    seen.add(attempt)
    return sum + borne + (money.currency === nativeOf(harness) ? money.amount : 0n)
  }, 0n)
}

const shared = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer, amount } = harness
  const address = adapter.lane.addressOf(signer)
  const { position } = await adapter.lane.read(address, null)
  const { height } = await adapter.tip()
  const first = await makePayout(harness)
  const larger = await makePayout(harness, { money: { ...first.money, amount: amount * 2n } })
  // To one recipient for two orders: if they shared a transaction, each would have to be told from the other.
  const twin = await makePayout(harness, { to: first.to })
  // To one recipient for one order, as refunds of two deposits of an order: only currency and amount tell them apart.
  const other = harness.currencies.find((currency) => currency !== first.money.currency) ?? first.money.currency
  const sibling: Payout = { ...first, money: { currency: other, amount } }
  const payouts = [first, larger, twin, sibling, await makePayout(harness)]
  const before = await balanceOf(harness, address, nativeOf(harness))
  const carried = await signShared(harness, payouts, position)
  const attempts = checkGroups(carried, mostOf(harness))
  const results = await adapter.lane.broadcast(attempts)
  check(results.length === attempts.length, `${results.length} results for ${attempts.length} transactions`)
  for (const attempt of attempts) {
    // A node may refuse a number until the transaction before it is in a block, so the host broadcasts repeatedly.
    await adapter.lane.broadcast([attempt])
    for (const { payout } of carried.filter((item) => item.attempt === attempt))
      await succeeded(harness, attempt, payout)
  }
  const states = await adapter.lane.states(carried.map(({ payout, attempt }) => ({ txId: attempt.txId, payout })))
  carried.forEach(({ payout }, at) => {
    const { paid } = there(states[at], 'states gives no state')
    check(paid === payout.money.amount, `says that ${paid} reached a recipient who was paid ${payout.money.amount}`)
  })
  const lost = before - (await balanceOf(harness, address, nativeOf(harness)))
  const told = bookedOf(harness, carried, states)
  check(lost === told, `the solver lost ${lost}, and ${told} by what is told of payments and fees`)
  const stranger = await makePayout(harness)
  const [nothing] = await adapter.lane.states([{ txId: there(attempts[0], 'nothing was sent').txId, payout: stranger }])
  check(nothing?.paid === 0n, `says that ${nothing?.paid} reached an account that the transaction does not pay`)
  const isOther = other !== first.money.currency
  const [brought, held] = [amount * (isOther ? 2n : 3n), await balanceOf(harness, twin.to.address, twin.money.currency)]
  // A payment in another currency may bring some of the native one too.
  const isExact = isOther ? held >= brought && held < brought + amount : held === brought
  check(isExact, `the recipient of two orders holds ${held} instead of ${brought}`)
  for (const payout of [larger, ...(isOther ? [sibling] : []), ...payouts.slice(4)])
    await checkArrived(harness, payout, payout.money.amount)
  const { unknown } = await adapter.lane.read(address, { position, sinceHeight: height })
  for (const { payout, attempt } of carried) {
    const found = unknown.filter(({ tx, orderId }) => tx.id === attempt.txId && orderId === payout.orderId)
    check(found.length > 0, 'the lane does not read every order of a transaction back')
    const { currency, amount: paid } = payout.money
    const isThere = found.some(({ money }) => money.currency === currency && money.amount === paid)
    check(isThere, `the lane reads ${found[0]?.money.amount} of one order back`)
  }
}

/** Transactions that carry several payouts. */
export const sharedRules: readonly Rule[] = [
  {
    id: 'payout-shared',
    says: 'payouts that share a transaction are each paid by it once, and judged alone by what reached their recipient',
    exemption: (harness) =>
      mostOf(harness) > 1 ? null : 'a transaction carries one payout (lane.payoutsPerTransaction)',
    run: shared,
  },
]
