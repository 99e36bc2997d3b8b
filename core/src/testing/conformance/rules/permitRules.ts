import type { SignedPermit } from '../../../chain/origin/signedDeposits.js'
import { ServiceError } from '../../../errors/serviceError.js'
import type { Hex } from '../../../money/hex.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { depositsOf, distinct, newOrderId, stored, tipCursor, watchPast } from '../depositing.js'
import { balanceOf, broadcast, signAll, signAt, signPayout, stateOf, succeeded, verdict } from '../paying.js'
import { newForm, newPermit, newPermitTerms, originOf, permitsOf, signedDepositsOf } from '../permitting.js'
import { check, type Rule, there } from '../rule.js'

const APPLIES: Required<Pick<Rule, 'needs' | 'exemption'>> = {
  needs: { ability: 'permits', isThere: ({ permits }) => permits !== undefined },
  exemption: ({ adapter }) => (adapter.signedDeposits === undefined ? 'the adapter has no signedDeposits' : null),
}

/** Of a signature that must not be taken, the error that whoever sent it gets. */
const refuses = async (harness: ConformanceHarness, form: Parameters<typeof signedWith>[1], signature: string) => {
  const said = await signedWith(harness, form, signature).catch((error: unknown) => error)
  return ServiceError.is(said) && said.code === 'PERMIT_FAILED' && said.message.trim() !== ''
}

const signedWith = (harness: ConformanceHarness, form: Awaited<ReturnType<typeof newForm>>, signature: string) =>
  signedDepositsOf(harness).check(form, signature, { agreeing: 1 })

const bound = async (harness: ConformanceHarness): Promise<void> => {
  const wallet = await permitsOf(harness)
  const form = await newForm(harness, await newPermitTerms(harness, wallet))
  const signature = await wallet.sign(form, 'owner')
  const taken = await signedWith(harness, form, signature)
  check(/^0x([0-9a-f]{2})+$/.test(taken), `gives the signature back as ${taken}`)
  check(await refuses(harness, form, await wallet.sign(form, 'stranger')), 'takes the signature of a stranger')
  const others = [{ orderId: newOrderId() }, { amount: harness.amount * 2n }]
  for (const changes of others) {
    const terms = await newPermitTerms(harness, wallet, { orderId: form.terms.orderId, ...changes })
    const other = await newForm(harness, terms)
    check(await refuses(harness, other, signature), 'takes a signature that is for another order or amount')
    const mixed = { ...other, terms: form.terms }
    const mixedSignature = await wallet.sign(mixed, 'owner')
    check(
      await refuses(harness, mixed, mixedSignature),
      'takes what was signed for another order than its terms are of',
    )
    // Whatever check says, the chain must not take it.
    const simulation = await harness.adapter.simulate(originOf(harness, { ...other, signature: taken }))
    check(!simulation.ok, 'simulates a deposit with a signature that is for another order or amount')
  }
  const past = { ...(await newPermitTerms(harness, wallet)), expiresAt: Math.floor(Date.now() / 1000) - 60 }
  const late = await newForm(harness, past)
  check(await refuses(harness, late, await wallet.sign(late, 'owner')), 'takes a signature that has expired')
  for (const odd of ['', '0x', '0x00', 'signature', `0x${'ab'.repeat(100_000)}`]) {
    check(await refuses(harness, form, odd), `takes "${odd.slice(0, 20)}" for a signature, or refuses it otherwise`)
  }
}

/** The deposits that the ordinary watcher shows of an order, from a cursor on. */
const depositedSince = async (harness: ConformanceHarness, cursor: Parameters<typeof watchPast>[1], orderId: Hex) =>
  distinct(depositsOf(await watchPast(harness, cursor), orderId)).filter(({ state }) => state === 'included')

const checkOne = async (
  harness: ConformanceHarness,
  cursor: Parameters<typeof watchPast>[1],
  { terms }: SignedPermit,
): Promise<void> => {
  const deposits = await depositedSince(harness, cursor, terms.orderId)
  check(deposits.length === 1, `${deposits.length} deposits are shown of what was signed for once`)
  const found = there(deposits[0], 'no deposit is shown')
  const { amount, currency } = found.money
  check(currency === terms.money.currency && amount === terms.money.amount, `a deposit of ${amount} is shown`)
  check(harness.adapter.sameAddress(found.depositor, terms.owner), `${found.depositor} is named as the depositor`)
}

const paid = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer } = harness
  const wallet = await permitsOf(harness)
  const account = adapter.lane.addressOf(signer)
  const cursor = await tipCursor(harness)
  const permit = await newPermit(harness, wallet)
  const { money, owner } = permit.terms
  const payout = originOf(harness, permit)
  const held = () =>
    Promise.all([owner, adapter.depository, account].map((of) => balanceOf(harness, of, money.currency)))
  const before = await held()
  const simulation = await adapter.simulate(payout)
  check(simulation.ok, `simulation of a signed deposit says ${simulation.ok ? '' : simulation.message}`)
  const attempt = await signPayout(harness, payout)
  check(
    attempt.guards.some((guard) => guard.startsWith('request:')),
    'what was signed is no guard of its payout',
  )
  await broadcast(adapter, attempt)
  const { paid: brought, fee, currencyFee = 0n } = await succeeded(harness, attempt, payout)
  check(brought === null || brought === money.amount, `says that ${brought} of ${money.amount} was brought in`)
  check(fee > 0n && currencyFee === 0n, 'a signed deposit costs the lane its fee, and nothing of the currency')
  const after = await held()
  const [spent = 0n, gained = 0n, lane = 0n] = after.map((amount, at) => amount - (before[at] ?? 0n))
  check(spent === -money.amount && gained === money.amount, `the depository got ${gained}, the owner has ${spent} more`)
  check(lane === 0n, `the lane has ${lane} more of the currency`)
  await checkOne(harness, cursor, permit)
  await verdict(harness, attempt, 'landed')
}

const once = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const cursor = await tipCursor(harness)
  const permit = await newPermit(harness, await permitsOf(harness))
  const payout = originOf(harness, permit)
  const one = await signAll(harness, [payout])
  const two = await signAt(harness, [payout], one.position)
  const [first, second] = [there(one.attempts[0], 'nothing was signed'), there(two.attempts[0], 'nothing was signed')]
  const requests = (guards: readonly string[]) => guards.filter((guard) => guard.startsWith('request:')).join()
  check(requests(first.guards) === requests(second.guards), 'two payouts could hold what was signed once')
  await broadcast(adapter, first)
  await succeeded(harness, first, payout)
  const again = await adapter.simulate(payout)
  check(!again.ok, 'simulates what was signed a second time')
  const sent = await broadcast(adapter, second)
  await harness.advance(harness.finalDepth + 1)
  if (sent.outcome !== 'rejected') {
    const { status } = await stateOf(harness, second, payout)
    check(status !== 'success', 'what was signed once was brought in twice')
    await verdict(harness, second, 'landed')
  }
  await checkOne(harness, cursor, permit)
}

/** As a lane whose database is older than the transaction reads it. */
const found = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer } = harness
  const account = adapter.lane.addressOf(signer)
  const permit = await newPermit(harness, await permitsOf(harness))
  const payout = originOf(harness, permit)
  const before = await adapter.lane.read(account, null)
  const { height } = await adapter.tip()
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  await succeeded(harness, attempt, payout)
  const { unknown } = await adapter.lane.read(account, { position: stored(before.position), sinceHeight: height })
  const told = unknown.filter(({ tx }) => tx.id === attempt.txId)
  check(told.length > 0, 'the lane does not find what it sent for a user')
  for (const { purpose, orderId, to, money, guards } of told) {
    check(purpose === 'origin', `the lane reads it back as ${purpose ?? 'the fill or refund of its order'}`)
    check(orderId === permit.terms.orderId, `the lane reads order ${orderId} back`)
    check(adapter.sameAddress(to, adapter.depository), `the lane reads ${to} back as the recipient`)
    check(money.currency === payout.money.currency && money.amount === payout.money.amount, 'reads other money back')
    check(
      attempt.guards.every((guard) => guards.includes(guard)),
      'reads other guards back than it had',
    )
  }
}

/** Deposits that their owners only sign for (wire.md F.2). */
export const permitRules: readonly Rule[] = [
  {
    id: 'permit-bound',
    says: 'a signature binds owner, order and amount: whatever differs, has expired or is none is refused with PERMIT_FAILED',
    ...APPLIES,
    run: bound,
  },
  {
    id: 'permit-paid',
    says: 'what was signed is an ordinary deposit of its owner under the order id, and costs the lane its fee alone',
    ...APPLIES,
    run: paid,
  },
  {
    id: 'permit-once',
    says: 'what was signed brings in one deposit, however often it is sent',
    ...APPLIES,
    run: once,
  },
  {
    id: 'permit-found',
    says: 'a lane whose journal was lost reads back what it sent for users',
    ...APPLIES,
    run: found,
  },
]
