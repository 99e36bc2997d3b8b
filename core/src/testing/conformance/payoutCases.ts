import type { AttemptState, Payout, PreparedAttempt, SignedAttempt } from '../../chain/laneAdapter.js'
import { type ConformanceCase, type ConformanceHarness, check, eventually, newOrderId } from './conformanceHarness.js'

const makePayout = ({ adapter, signer, amount, freshAddress }: ConformanceHarness, currency: string): Payout => ({
  purpose: 'fill',
  orderId: newOrderId(),
  from: adapter.lane.addressOf(signer),
  to: { address: freshAddress() },
  money: { currency, amount },
  calls: [],
})

/** Prepares and signs at the lane's present position. */
const signAll = async (
  { adapter, signer }: ConformanceHarness,
  payouts: readonly Payout[],
): Promise<SignedAttempt[]> => {
  const { position } = await adapter.lane.read(adapter.lane.addressOf(signer), null)
  const { prepared } = await adapter.lane.prepare(
    payouts.map((payout) => ({ payout, gas: null })),
    position,
  )
  check(prepared.length === payouts.length, `prepared ${prepared.length} of ${payouts.length}`)
  return Promise.all(prepared.map((item) => adapter.lane.sign(item, signer)))
}

const stateOf = async ({ adapter }: ConformanceHarness, txId: string, payout: Payout): Promise<AttemptState> => {
  const [state] = await adapter.lane.states([{ txId, payout }])
  if (state === undefined) throw new Error('gives no state')
  return state
}

const included = (harness: ConformanceHarness, txId: string, payout: Payout): Promise<AttemptState> =>
  eventually(`the inclusion of ${txId}`, async () => {
    await harness.advance(1)
    const state = await stateOf(harness, txId, payout)
    return state.status === 'success' || state.status === 'reverted' ? state : null
  })

const sharesGuards = (left: PreparedAttempt, right: PreparedAttempt): boolean =>
  left.guards.length > 0 && left.guards.every((guard) => right.guards.includes(guard))

/** Payouts: stored bytes are what lands, once; replacement and death follow the guards. */
export const payoutCases = (harness: ConformanceHarness): ConformanceCase[] => [
  ...harness.currencies.map(
    (currency): ConformanceCase => ({
      name: `payouts of ${currency}: simulate, sign, broadcast, and the recipient holds just the amount; the same bytes again pay nothing`,
      run: async () => {
        const { adapter, amount } = harness
        const payout = makePayout(harness, currency)
        const simulation = await adapter.simulate(payout)
        check(simulation.ok, simulation.ok ? '' : `simulation says ${simulation.message}`)
        const [attempt] = await signAll(harness, [payout])
        if (attempt === undefined) throw new Error('signs nothing')
        check(
          (await stateOf(harness, attempt.txId, payout)).status === 'missing',
          'shows a transaction that was never sent',
        )
        const [sent] = await adapter.lane.broadcast([attempt])
        check(sent?.outcome === 'known', `the broadcast is ${sent?.outcome}`)
        const state = await included(harness, attempt.txId, payout)
        check(state.status === 'success' && state.fee > 0n && state.block !== null, `ends as ${state.status}`)
        check(state.paid === null || state.paid === amount, `says ${state.paid} was paid`)
        await adapter.lane.broadcast([attempt])
        await harness.advance(1)
        const { amounts } = await adapter.getBalances([{ address: payout.to.address, currency }])
        check(amounts[0] === amount, `the recipient holds ${amounts[0]} instead of ${amount}`)
      },
    }),
  ),
  {
    name: 'payouts prepared together have guards of their own',
    run: async () => {
      const { currencies } = harness
      const attempts = await signAll(harness, [
        makePayout(harness, currencies[0] ?? ''),
        makePayout(harness, currencies[0] ?? ''),
      ])
      const guards = attempts.flatMap((attempt) => attempt.guards)
      check(guards.length >= 2 && new Set(guards).size === guards.length, `guards are ${guards.join(', ')}`)
      check(new Set(attempts.map(({ txId }) => txId)).size === 2, 'two payouts have one transaction id')
    },
  },
  {
    name: 'a payment is read back with its order id, so that a lost journal can be matched (design 3)',
    run: async () => {
      const { adapter, signer, currencies } = harness
      const address = adapter.lane.addressOf(signer)
      const before = await adapter.lane.read(address, null)
      const { height } = await adapter.tip()
      const payout = makePayout(harness, currencies[0] ?? '')
      const [attempt] = await signAll(harness, [payout])
      if (attempt === undefined) throw new Error('signs nothing')
      await adapter.lane.broadcast([attempt])
      await included(harness, attempt.txId, payout)
      const reading = await adapter.lane.read(address, { position: before.position, sinceHeight: height })
      const found = reading.unknown.find(({ tx }) => tx.id === attempt.txId)
      check(found?.orderId === payout.orderId, `the lane reads order ${found?.orderId} back`)
    },
  },
  {
    name: 'replacing keeps the guards, cancelling spends them, and only then the payment is dead (design 3)',
    run: async () => {
      const { adapter, signer, currencies } = harness
      const payout = makePayout(harness, currencies[0] ?? '')
      const [attempt] = await signAll(harness, [payout])
      if (attempt === undefined) throw new Error('signs nothing')
      const replacement = await adapter.lane.replace(attempt, { version: 2 })
      const cancel = await adapter.lane.cancel(attempt, { version: 2 })
      check(
        (await adapter.lane.isDead(attempt.guards, [attempt.txId])) === 'alive',
        'calls a payment dead that may still land',
      )
      if (replacement !== null) check(sharesGuards(attempt, replacement), 'a replacement has other guards')
      if (cancel === null) return
      check(sharesGuards(attempt, cancel), 'a cancel has other guards')
      const signed = await adapter.lane.sign(cancel, signer)
      await adapter.lane.broadcast([signed])
      await eventually('the proof of death', async () => {
        await harness.advance(2)
        return (await adapter.lane.isDead(attempt.guards, [attempt.txId])) === 'dead' ? true : null
      })
      await adapter.lane.broadcast([attempt])
      await harness.advance(2)
      const state = await stateOf(harness, attempt.txId, payout)
      check(state.status === 'missing', `the dead payment is ${state.status}`)
    },
  },
]
