import type { PreparedAttempt, SignedAttempt } from '../../../../chain/laneAdapter.js'
import type { ConformanceHarness } from '../../conformanceHarness.js'
import { passLifetime } from '../../ending.js'
import {
  balanceOf,
  broadcast,
  checkArrived,
  checkNeverPaid,
  makePayout,
  signOne,
  signPayout,
  stateOf,
  storedAttempt,
  succeeded,
  verdict,
} from '../../paying.js'
import { check, eventually, nativeOf, type Rule, there } from '../../rule.js'

const replaces = ({ adapter }: ConformanceHarness): string | null =>
  adapter.capabilities.bump === 'replace' ? null : 'capabilities.bump says that the chain has no replacement'

const sharesGuards = (left: PreparedAttempt, right: PreparedAttempt): boolean =>
  left.guards.length > 0 && left.guards.every((guard) => right.guards.includes(guard))

const sameGuards = (left: PreparedAttempt, right: PreparedAttempt): boolean =>
  sharesGuards(left, right) && left.guards.length === right.guards.length

const checkAlive = async ({ adapter }: ConformanceHarness, { guards, txId }: SignedAttempt): Promise<void> => {
  const said = await adapter.lane.payoutVerdict(guards, [txId])
  check(said === 'alive', `says "${said}" of a payment that may still land`)
}

const replaced = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const payout = await makePayout(harness)
  const first = await signPayout(harness, payout)
  const draft = there(await adapter.lane.replace(first, { version: 2 }), 'replace gives nothing')
  check(sameGuards(first, draft), 'a replacement has other guards, so both could be paid')
  check(draft.kind === 'pay', `a replacement is of kind "${draft.kind}"`)
  check(
    draft.feeCap > first.feeCap,
    `a replacement may cost ${draft.feeCap}, the first version ${first.feeCap}: nodes take it only for a higher fee`,
  )
  const second = await signOne(harness, storedAttempt(draft))
  check(second.txId !== first.txId, 'a replacement is the same transaction')
  await broadcast(adapter, first)
  await broadcast(adapter, second)
  await eventually(
    'one of two versions',
    async () => {
      await harness.advance(1)
      const states = await adapter.lane.states([first, second].map(({ txId }) => ({ txId, payout })))
      const paid = states.filter(({ status }) => status === 'success').length
      check(paid < 2, 'both versions were paid')
      return paid === 1 ? true : null
    },
    harness.patienceSeconds,
  )
  await harness.advance(2)
  await checkArrived(harness, payout, harness.amount)
  // Long after: of two versions one landed and the other never can.
  await harness.advance(harness.finalDepth)
  const txIds = [first.txId, second.txId]
  for (const order of [txIds, [...txIds].reverse()]) {
    await eventually(
      'payoutVerdict saying "landed" of a payment of which one version was made',
      async () => {
        await harness.advance(1)
        const said = await adapter.lane.payoutVerdict(first.guards, order)
        check(said !== 'dead', 'calls a payment dead of which one version was made: it would be paid again')
        return said === 'landed' ? true : null
      },
      harness.patienceSeconds,
    )
  }
}

const cancelled = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const payout = await makePayout(harness)
  const attempt = await signPayout(harness, payout)
  await checkAlive(harness, attempt)
  const draft = there(await adapter.lane.cancel(attempt, { version: 2 }), 'cancel gives nothing')
  check(sameGuards(attempt, draft), 'a cancel has other guards')
  check(draft.kind === 'cancel', `a cancel is of kind "${draft.kind}"`)
  const signed = await signOne(harness, storedAttempt(draft))
  await broadcast(adapter, signed)
  await verdict(harness, attempt, 'dead')
  await broadcast(adapter, attempt)
  await checkNeverPaid(harness, attempt, payout)
}

const expired = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const payout = await makePayout(harness)
  const attempt = await signPayout(harness, payout)
  check((await adapter.lane.replace(attempt, { version: 2 })) === null, 'replaces, but declares that it cannot')
  await checkAlive(harness, attempt)
  await passLifetime(harness, [attempt])
  await verdict(harness, attempt, 'dead')
  // A node may well take them; what counts is that they never land.
  await broadcast(adapter, attempt)
  await checkNeverPaid(harness, attempt, payout)
  // Only now the money may be paid by other bytes, which must have other guards.
  const next = await signPayout(harness, payout)
  check(!sharesGuards(attempt, next) && next.txId !== attempt.txId, 'a new generation is the old one')
  await broadcast(adapter, next)
  await succeeded(harness, next, payout)
  check((await stateOf(harness, attempt, payout)).status === 'missing', 'the dead payment is on the chain')
  await checkArrived(harness, payout, harness.amount)
}

const withdrawn = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, allocator, amount, currencies } = harness
  check(allocator !== null, 'the chain has withdrawals: the harness must give the allocator')
  for (const currency of currencies) {
    const { withdraw, attempt, held } = await withdrawal(harness, currency)
    const before = await balanceOf(harness, withdraw.to.address, currency)
    await broadcast(adapter, attempt)
    const { paid, fee, feeFrom, currencyFee = 0n } = await succeeded(harness, attempt, withdraw)
    check(paid === null || paid === amount, `says that ${paid} of a withdrawal of ${amount} arrived`)
    const left = await depositoryBalance(harness, currency)
    const gained = (await balanceOf(harness, withdraw.to.address, currency)) - before
    const booked = amount - currencyFee - (feeFrom !== 'capital' && currency === nativeOf(harness) ? fee : 0n)
    check(gained === booked, `the wallet gained ${gained} by a withdrawal, and ${booked} by what is told of it`)
    // What the operator left there for fees is no deposit.
    const taken = feeFrom === 'capital' && currency === nativeOf(harness) ? amount + fee : amount
    check(held - left === taken, `the depository lost ${held - left} instead of ${taken}`)
    if (withdraw.authorization === undefined) continue
    const again = await signPayout(harness, withdraw).catch(() => null)
    if (again === null) continue
    await broadcast(adapter, again)
    for (let blocks = 0; blocks < 3; blocks += 1) {
      await harness.advance(1)
      check((await stateOf(harness, again, withdraw)).status !== 'success', 'one authorisation moves money twice')
    }
    check((await depositoryBalance(harness, currency)) === left, 'one authorisation moves money twice')
  }
}

export const withdraws = ({ adapter: { lane } }: ConformanceHarness): boolean =>
  lane.cosigns === true || lane.authorizeWithdrawal !== undefined

const depositoryBalance = async ({ adapter }: ConformanceHarness, currency: string): Promise<bigint> =>
  there((await adapter.getBalances([{ address: adapter.depository, currency }])).amounts[0], 'no balance')

/** Authorised as the chain wants it, and signed. */
export const withdrawal = async (harness: ConformanceHarness, currency: string) => {
  const { adapter, allocator, amount, signer } = harness
  const to = adapter.lane.addressOf(signer)
  const draft = await makePayout(harness, { purpose: 'withdraw', to: { address: to }, money: { currency, amount } })
  const held = await depositoryBalance(harness, currency)
  check(
    held >= amount,
    `the depository holds ${held} ${currency}, less than one deposit: the deposits of other rules are gone`,
  )
  const { time } = await adapter.tip()
  const request = {
    to,
    money: draft.money,
    nonce: draft.orderId,
    expiration: time + 3_600,
    orderId: draft.orderId,
  }
  const authorization =
    adapter.lane.cosigns === true || allocator === null
      ? undefined
      : await adapter.lane.authorizeWithdrawal?.(request, allocator)
  const withdraw = authorization === undefined ? draft : { ...draft, authorization }
  return { withdraw, held, attempt: await signPayout(harness, withdraw) }
}

/** What makes a payment impossible for ever, and what is then done. */
export const deathRules: readonly Rule[] = [
  {
    id: 'payout-replaced',
    says: 'a replacement holds the same guards, and of two versions only one is ever paid (architecture.md 3)',
    exemption: replaces,
    run: replaced,
  },
  {
    id: 'payout-cancelled',
    says: 'a cancel spends the guards: the payment is then dead, and its bytes never land (architecture.md 3)',
    exemption: replaces,
    mayDeviate: true,
    run: cancelled,
  },
  {
    id: 'payout-expired',
    says: 'when its time has passed a payment is dead, its bytes never land, and only then it is signed anew (architecture.md 3)',
    exemption: ({ adapter }) =>
      adapter.capabilities.bump === 'resign-after-expiry' ? null : 'capabilities.bump says that payments are replaced',
    needs: { ability: 'expire', isThere: ({ expire }) => expire !== undefined },
    run: expired,
  },
  {
    id: 'withdrawal',
    says: 'a deposit is taken out of the depository as its key allows, and one authorisation moves it once',
    exemption: (harness) => (withdraws(harness) ? null : 'the lane has no withdrawals'),
    run: withdrawn,
  },
]
