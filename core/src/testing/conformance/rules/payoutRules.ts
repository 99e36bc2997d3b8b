import type { ChainAdapter } from '../../../chain/chainAdapter.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import {
  balanceOf,
  broadcast,
  checkArrived,
  makePayout,
  signAll,
  signPayout,
  stateOf,
  succeeded,
  verdict,
} from '../paying.js'
import { check, depthOf, forEachCurrency, nativeOf, nothingLeaves, type Rule, there } from '../rule.js'
import { checkError } from './depositRules.js'

/** Runs `work` with a new adapter over the same endpoints, as a process that has only what the database holds. */
const inNewProcess = async (
  { createAdapter, rpc }: ConformanceHarness,
  work: (adapter: ChainAdapter) => Promise<void>,
): Promise<void> => {
  const adapter = await createAdapter(rpc)
  await adapter.start(new AbortController().signal)
  await work(adapter).finally(() => adapter.stop())
}

/** Signed and stored by one process, broadcast first by another, and again by a third after inclusion: one payment. */
const paidOnce = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, amount } = harness
  const payout = await makePayout(harness, { money: { currency, amount } })
  const status = await adapter.recipientStatus(payout.to, currency)
  check(status.canReceive, `says that a new address cannot receive: ${status.why}`)
  const mayAsk = adapter.capabilities.recipientLeast === true
  check(
    status.least === undefined || mayAsk,
    'recipientStatus tells a least amount, but recipientLeast is not declared',
  )
  check((status.least ?? 0n) <= payout.money.amount, `a new address takes no less than ${status.least}`)
  const simulation = await adapter.simulate(payout)
  check(simulation.ok, `simulation says ${simulation.ok ? '' : simulation.message}`)
  const attempt = await signPayout(harness, payout)
  check((await stateOf(harness, attempt, payout)).status === 'missing', 'shows a payment that was never sent')
  const { network: estimated } = await adapter.estimatePayoutFee(payout)
  await inNewProcess(harness, async (other) => {
    const sent = await broadcast(other, attempt)
    check(sent.outcome !== 'rejected', `the broadcast by a process that did not sign is ${sent.outcome}`)
  })
  await broadcast(adapter, attempt)
  const state = await succeeded(harness, attempt, payout)
  check(state.block !== null && state.confirmations >= 1, 'a payment that was made has no block')
  check(state.fee > 0n || estimated.amount === 0n, `says that the fee was ${state.fee}`)
  check(state.paid === null || state.paid === amount, `says ${state.paid} was paid`)
  await inNewProcess(harness, async (other) => {
    await broadcast(other, attempt)
    await harness.advance(2)
    const [seen] = await other.lane.states([{ txId: attempt.txId, payout }])
    check(seen?.status === 'success', `a restarted process sees ${seen?.status}`)
  })
  await checkArrived(harness, payout, amount)
}

/** What the solver lost is the payment and the fee that was told. */
const booksBalance = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, signer, amount } = harness
  const native = nativeOf(harness)
  const solver = adapter.lane.addressOf(signer)
  const payout = await makePayout(harness, { money: { currency, amount } })
  const attempt = await signPayout(harness, payout)
  const before = await balanceOf(harness, solver, native)
  await broadcast(adapter, attempt)
  const state = await succeeded(harness, attempt, payout)
  const lost = before - (await balanceOf(harness, solver, native))
  const paid = currency === native ? amount : 0n
  check(lost === paid + state.fee, `the solver lost ${lost}, told are ${paid} and a fee of ${state.fee}`)
}

/** One transaction may carry several payments (`payout-shared`). */
const mayShare = ({ adapter }: ConformanceHarness): boolean => (adapter.lane.payoutsPerTransaction ?? 1) > 1

const together = async (harness: ConformanceHarness): Promise<void> => {
  const payouts = [await makePayout(harness), await makePayout(harness), await makePayout(harness)]
  // The same money to the same account for two orders: two payments all the same.
  const twin = { ...(await makePayout(harness)), to: payouts[0]?.to ?? { address: await harness.freshAddress() } }
  const { attempts } = await signAll(harness, [...payouts, twin])
  const sent = mayShare(harness) ? [...new Map(attempts.map((attempt) => [attempt.txId, attempt])).values()] : attempts
  const guards = sent.flatMap((attempt) => attempt.guards)
  check(new Set(guards).size === guards.length, `payments share guards: ${guards.join(', ')}`)
  check(new Set(sent.map(({ txId }) => txId)).size === sent.length, 'two payments have one transaction id')
  const results = await harness.adapter.lane.broadcast(sent)
  check(results.length === sent.length, `${results.length} results for ${sent.length} payments`)
  for (const [at, payout] of [...payouts, twin].entries()) {
    await succeeded(harness, there(attempts[at], 'a payment is missing'), payout)
  }
  await checkArrived(harness, twin, harness.amount * 2n)
  for (const payout of payouts.slice(1)) await checkArrived(harness, payout, harness.amount)
}

const reorged = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const payout = await makePayout(harness)
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  const { block } = await succeeded(harness, attempt, payout)
  await harness.reorg?.(await depthOf(harness, there(block, 'the payment has no block').height))
  const { status } = await stateOf(harness, attempt, payout)
  check(status !== 'success', 'a payment that left the chain still counts as made')
  const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])
  check(said !== 'dead', 'calls a payment dead whose bytes may land again')
  await broadcast(adapter, attempt)
  await succeeded(harness, attempt, payout)
  await checkArrived(harness, payout, harness.amount)
}

/** Payments that go well. */
export const payoutRules: readonly Rule[] = [
  {
    id: 'payout-once',
    says: 'simulated, prepared, stored as JSON, broadcast by three processes with the same bytes: the recipient holds the amount once (architecture.md 3)',
    run: (harness) => forEachCurrency(harness, (currency) => paidOnce(harness, currency)),
  },
  {
    id: 'payout-books',
    says: 'what the solver lost is the payment and the fee that is told, rent and all',
    run: (harness) => forEachCurrency(harness, (currency) => booksBalance(harness, currency)),
  },
  {
    id: 'payout-together',
    says: 'payouts prepared together have guards and ids of their own unless they share a transaction, and all land',
    run: together,
  },
  {
    id: 'payout-fee',
    says: 'the estimated cost of a payout is within the stated error of what was charged, which is below its cap',
    mayDeviate: true,
    run: (harness) =>
      forEachCurrency(harness, async (currency) => {
        const { adapter, amount, feeErrorPercent } = harness
        const payout = await makePayout(harness, { money: { currency, amount } })
        const simulation = await adapter.simulate(payout)
        const { network } = await adapter.estimatePayoutFee(payout, simulation)
        check(network.currency === adapter.native.address, 'estimates in another currency than the native one')
        const rent = simulation.ok ? (simulation.accountCreation ?? 0n) : 0n
        const attempt = await signPayout(harness, payout)
        await broadcast(adapter, attempt)
        const { fee } = await succeeded(harness, attempt, payout)
        check(fee <= attempt.feeCap + rent, `charged ${fee}, above the cap of ${attempt.feeCap}`)
        // Rent may be told apart from the network's fee, or as part of it.
        const charged = network.amount >= rent ? fee : fee - rent
        checkError(network.amount, charged, feeErrorPercent.payout)
      }),
  },
  {
    id: 'payout-landed',
    says: 'a payment that was made is never called dead; it is called landed',
    run: async (harness) => {
      const payout = await makePayout(harness)
      const attempt = await signPayout(harness, payout)
      check((await payoutVerdict(harness, attempt)) === 'alive', 'calls a payment dead that may still land')
      await broadcast(harness.adapter, attempt)
      await succeeded(harness, attempt, payout)
      await verdict(harness, attempt, 'landed')
    },
  },
  {
    id: 'payout-reorg',
    says: 'a payment that leaves the chain is not made any more, is not dead, and lands once when its bytes are sent again',
    exemption: nothingLeaves,
    needs: { ability: 'reorg', isThere: ({ reorg }) => reorg !== undefined },
    run: reorged,
  },
]

const payoutVerdict = (
  { adapter }: ConformanceHarness,
  { guards, txId }: { guards: readonly string[]; txId: string },
) => adapter.lane.payoutVerdict(guards, [txId])
