import type { AttemptState } from '../../../chain/laneAdapter.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { depositSeen } from '../depositing.js'
import { balanceOf, broadcast, makePayout, signAll, signAt, signPayout, stateOf, succeeded } from '../paying.js'
import { check, depthOf, eventually, nativeOf, type Rule, steadyTip, there } from '../rule.js'

/** Every account and currency at once, then one by one. */
const balances = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, user, signer, currencies } = harness
  const accounts = [user.address, await harness.freshAddress(), adapter.lane.addressOf(signer), adapter.depository]
  const queries = accounts.flatMap((address) => currencies.map((currency) => ({ address, currency })))
  const { amounts, reserved = amounts.map(() => 0n) } = await adapter.getBalances(queries)
  check(amounts.length === queries.length, `gives ${amounts.length} balances for ${queries.length} questions`)
  check(reserved.length === queries.length, `says what is reserved of ${reserved.length} balances of ${queries.length}`)
  for (const [at, kept] of reserved.entries())
    check(kept >= 0n && kept <= (amounts[at] ?? kept), `calls ${kept} reserved of a balance of ${amounts[at]}`)
  for (const [at, { address, currency }] of queries.entries()) {
    const alone = await balanceOf(harness, address, currency)
    check(amounts[at] === alone, `says ${amounts[at]} of ${currency} at ${address} among others, alone ${alone}`)
  }
}

const finalHeight = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, advance, finalDepth } = harness
  const ask = async (): Promise<bigint> => there(await adapter.finalHeight?.(), 'finalHeight gives nothing')
  const first = await steadyTip(harness)
  for (let blocks = 0; blocks < 3; blocks += 1) {
    const final = await ask()
    const height = BigInt(await harness.height())
    check(final <= height, `calls height ${final} final, but the newest block is ${height}`)
    check(
      height - final >= BigInt(finalDepth),
      `calls height ${final} final at ${height}, but ${finalDepth} blocks may still be replaced`,
    )
    await advance(1)
  }
  await advance(finalDepth + 1)
  await eventually(
    'finalHeight growing with the chain: what stands still lets nothing settle',
    async () => ((await ask()) >= first ? true : null),
    harness.patienceSeconds,
  )
}

const depositDepth = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, advance } = harness
  const { found } = await depositSeen(harness, nativeOf(harness))
  const { height } = there(found.block, 'the deposit has no block')
  const confirms = (confirmations: number) =>
    adapter.confirmDeposit({ ...found, height }, { agreeing: 1, confirmations })
  for (let round = 0; round < 2; round += 1) {
    const depth = await depthOf(harness, height)
    check(await confirms(depth), `does not confirm a deposit ${depth} blocks deep that is to be ${depth} deep`)
    for (const more of [1, 100]) {
      const said = await confirms(depth + more)
      // A chain may make blocks of its own meanwhile.
      const now = await depthOf(harness, height)
      check(!said || now >= depth + more, `confirms a deposit ${now} blocks deep that is to be ${depth + more} deep`)
    }
    await advance(1)
  }
}

/** Of two payments that were made and one that was not, asked in every order. */
const states = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, amount } = harness
  const large = { money: { currency: nativeOf(harness), amount: amount * 2n } }
  const made = await makePayout(harness)
  // The same money to the same recipient as the first, for another order.
  const payouts = [made, await makePayout(harness, large), await makePayout(harness, { to: made.to })]
  const sent = await signAll(harness, payouts.slice(0, 2))
  // In a transaction of its own, which is never sent.
  const unsent = await signAt(harness, payouts.slice(2), sent.position)
  const attempts = [...sent.attempts, ...unsent.attempts]
  const items = payouts.map((payout, at) => ({ payout, attempt: there(attempts[at], 'a payment is missing') }))
  for (const { payout, attempt } of items.slice(0, 2)) {
    await broadcast(adapter, attempt)
    await succeeded(harness, attempt, payout)
  }
  for (const order of [items, [...items].reverse(), items.slice(2)]) {
    const said = await adapter.lane.states(order.map(({ payout, attempt }) => ({ payout, txId: attempt.txId })))
    check(said.length === order.length, `gives ${said.length} states for ${order.length} payments`)
    for (const [at, item] of order.entries()) {
      const state = there(said[at], 'a state is missing')
      const wanted = item === items[2] ? 'missing' : 'success'
      check(state.status === wanted, `says "${state.status}" of a payment that is ${wanted}: it may be another one's`)
      const own = wanted === 'missing' || state.paid === null || state.paid === item.payout.money.amount
      check(own, `says that a payment of ${item.payout.money.amount} paid ${state.paid}: it may be another one's`)
    }
  }
  const twin = there(items[2], 'a payment is missing')
  const { guards, txId } = twin.attempt
  const said = await adapter.lane.payoutVerdict(guards, [txId], { agreeing: 1, payout: twin.payout })
  check(
    said !== 'landed',
    `says "landed" of ${txId}, which was never sent: ${sent.attempts[0]?.txId} paid the same amount`,
  )
}

/** Above `finalDepth` a payment counts as final, and is never looked at again. */
const payoutDepth = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, advance, finalDepth } = harness
  const payout = await makePayout(harness)
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  const { block } = await succeeded(harness, attempt, payout)
  const { height } = there(block, 'a payment that was made has no block')
  const readState = async (): Promise<{ readonly state: AttemptState; readonly depth: number }> => {
    await steadyTip(harness, height)
    const state = await stateOf(harness, attempt, payout)
    return { state, depth: await depthOf(harness, height) }
  }
  const tip = (await adapter.tip()).height
  const newest = await harness.height()
  check(tip <= BigInt(newest), `tip() says ${tip}, the newest block of the local chain is ${newest}`)
  const first = await readState()
  checkDepth(first.state, first.depth, finalDepth)
  if (first.depth < finalDepth) {
    await advance(finalDepth - first.depth)
    const open = await readState()
    checkDepth(open.state, open.depth, finalDepth)
  }
  await eventually(
    `more than ${finalDepth} confirmations of a payment with more than ${finalDepth} blocks above it`,
    async () => {
      await advance(1)
      return (await stateOf(harness, attempt, payout)).confirmations > finalDepth ? true : null
    },
    harness.patienceSeconds,
  )
}

const checkDepth = ({ confirmations }: AttemptState, depth: number, finalDepth: number): void => {
  check(confirmations >= 1 && confirmations <= depth, `says ${confirmations} confirmations at a depth of ${depth}`)
  check(
    depth > finalDepth || confirmations <= finalDepth,
    `says ${confirmations} confirmations of a payment whose block may still be replaced`,
  )
}

/** What is read of the chain, and how deep it lies. */
export const readingRules: readonly Rule[] = [
  {
    id: 'balances',
    says: 'balances come in the order asked, each of its own account and currency',
    run: balances,
  },
  {
    id: 'final-height',
    says: 'finalHeight grows, and no block up to it may still be replaced',
    exemption: ({ adapter }) =>
      adapter.finalHeight === undefined ? 'the chain does not say itself what is final' : null,
    run: finalHeight,
  },
  {
    id: 'deposit-depth',
    says: 'a deposit is confirmed when it lies as deep as is asked, and not before (invariant 3)',
    run: depositDepth,
  },
  {
    id: 'payout-states',
    says: 'states answers in the order asked, each for its own transaction',
    run: states,
  },
  {
    id: 'payout-depth',
    says: 'confirmations tell the depth of a payment, and pass confirmations.settle only once it is final',
    run: payoutDepth,
  },
]
