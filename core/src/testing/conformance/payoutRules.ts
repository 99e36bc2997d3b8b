import { ServiceError } from '../../errors/serviceError.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { checkError } from './depositRules.js'
import {
  balanceOf,
  broadcast,
  checkArrived,
  checkNeverPaid,
  included,
  makePayout,
  prepareAll,
  signAll,
  signPayout,
  stateOf,
  strangerOf,
  succeeded,
  verdict,
} from './paying.js'
import { check, forEachCurrency, nativeOf, type Rule, there } from './rule.js'

/** Prepared, stored, sent by one process and sent again by another: one payment. */
const paidOnce = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, amount } = harness
  const payout = makePayout(harness, { money: { currency, amount } })
  const status = await adapter.recipientStatus(payout.to, currency)
  check(status.canReceive, `says that a new address cannot receive: ${status.why}`)
  const simulation = await adapter.simulate(payout)
  check(simulation.ok, `simulation says ${simulation.ok ? '' : simulation.message}`)
  const attempt = await signPayout(harness, payout)
  check((await stateOf(harness, attempt, payout)).status === 'missing', 'shows a payment that was never sent')
  const sent = await broadcast(adapter, attempt)
  check(sent.outcome !== 'rejected', `the broadcast is ${sent.outcome}`)
  await broadcast(adapter, attempt)
  const state = await succeeded(harness, attempt, payout)
  check(state.block !== null && state.confirmations >= 1, 'a payment that was made has no block')
  check(state.fee > 0n, `says that the fee was ${state.fee}`)
  check(state.paid === null || state.paid === amount, `says ${state.paid} was paid`)
  const other = await harness.createAdapter(harness.rpc)
  await other.start(new AbortController().signal)
  try {
    await broadcast(other, attempt)
    await harness.advance(2)
    const [seen] = await other.lane.states([{ txId: attempt.txId, payout }])
    check(seen?.status === 'success', `a restarted process sees ${seen?.status}`)
  } finally {
    await other.stop()
  }
  await checkArrived(harness, payout, amount)
}

/** What the solver lost is the payment and the fee that was told. */
const booksBalance = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, signer, amount } = harness
  const native = nativeOf(harness)
  const solver = adapter.lane.addressOf(signer)
  const payout = makePayout(harness, { money: { currency, amount } })
  const attempt = await signPayout(harness, payout)
  const before = await balanceOf(harness, solver, native)
  await broadcast(adapter, attempt)
  const state = await succeeded(harness, attempt, payout)
  const lost = before - (await balanceOf(harness, solver, native))
  const paid = currency === native ? amount : 0n
  check(lost === paid + state.fee, `the solver lost ${lost}, told are ${paid} and a fee of ${state.fee}`)
}

const together = async (harness: ConformanceHarness): Promise<void> => {
  const payouts = [makePayout(harness), makePayout(harness), makePayout(harness)]
  // The same money to the same account for two orders: two payments all the same.
  const twin = { ...makePayout(harness), to: payouts[0]?.to ?? { address: harness.freshAddress() } }
  const { attempts } = await signAll(harness, [...payouts, twin])
  const guards = attempts.flatMap((attempt) => attempt.guards)
  check(new Set(guards).size === guards.length, `payments share guards: ${guards.join(', ')}`)
  check(new Set(attempts.map(({ txId }) => txId)).size === attempts.length, 'two payments have one transaction id')
  const results = await harness.adapter.lane.broadcast(attempts)
  check(results.length === attempts.length, `${results.length} results for ${attempts.length} payments`)
  for (const [at, payout] of [...payouts, twin].entries()) {
    await succeeded(harness, there(attempts[at], 'a payment is missing'), payout)
  }
  await checkArrived(harness, twin, harness.amount * 2n)
  for (const payout of payouts.slice(1)) await checkArrived(harness, payout, harness.amount)
}

const reorged = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const payout = makePayout(harness)
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  const { block } = await succeeded(harness, attempt, payout)
  const tip = await adapter.tip()
  await harness.reorg?.(Number(tip.height - there(block, 'the payment has no block').height) + 1)
  const { status } = await stateOf(harness, attempt, payout)
  check(status !== 'success', 'a payment that left the chain still counts as made')
  const said = await adapter.lane.isDead(attempt.guards, [attempt.txId])
  check(said !== 'dead', 'calls a payment dead whose bytes may land again')
  await broadcast(adapter, attempt)
  await succeeded(harness, attempt, payout)
  await checkArrived(harness, payout, harness.amount)
}

/** Payments that go well. */
export const payoutRules: readonly Rule[] = [
  {
    id: 'payout-once',
    says: 'simulated, prepared, stored as JSON, sent three times with the same bytes: the recipient holds the amount once (design 3)',
    run: (harness) => forEachCurrency(harness, (currency) => paidOnce(harness, currency)),
  },
  {
    id: 'payout-books',
    says: 'what the solver lost is the payment and the fee that is told, rent and all',
    run: (harness) => forEachCurrency(harness, (currency) => booksBalance(harness, currency)),
  },
  {
    id: 'payout-together',
    says: 'payouts prepared together have guards and ids of their own, and all land',
    run: together,
  },
  {
    id: 'payout-fee',
    says: 'the estimated cost of a payout is within the stated error of what was charged, which is below its cap',
    mayDeviate: true,
    run: (harness) =>
      forEachCurrency(harness, async (currency) => {
        const { adapter, amount, feeErrorPercent } = harness
        const payout = makePayout(harness, { money: { currency, amount } })
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
      const payout = makePayout(harness)
      const attempt = await signPayout(harness, payout)
      check((await isDead(harness, attempt)) === 'alive', 'calls a payment dead that may still land')
      await broadcast(harness.adapter, attempt)
      await succeeded(harness, attempt, payout)
      await verdict(harness, attempt, 'landed')
    },
  },
  {
    id: 'payout-reorg',
    says: 'a payment that leaves the chain is not made any more, is not dead, and lands once when its bytes are sent again',
    needs: { ability: 'reorg', isThere: ({ reorg }) => reorg !== undefined },
    run: reorged,
  },
]

const isDead = ({ adapter }: ConformanceHarness, { guards, txId }: { guards: readonly string[]; txId: string }) =>
  adapter.lane.isDead(guards, [txId])

const plain = (what: string, message: string): void => {
  check(message.trim().length > 0, `${what} gives no reason`)
  check(!/https?:\/\/|wss?:\/\//i.test(message), `${what} tells a URL: ${message}`)
}

const unaffordable = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, signer } = harness
  const held = await balanceOf(harness, adapter.lane.addressOf(signer), currency)
  const payout = makePayout(harness, { money: { currency, amount: held + harness.amount } })
  const simulation = await adapter.simulate(payout)
  check(!simulation.ok, 'simulates a payment that the solver cannot afford')
  check(simulation.kind === 'insufficient-funds', `calls missing funds "${simulation.kind}"`)
  plain('the simulation', simulation.message)
  await forced(harness, payout)
}

/** Sends what simulation refused; the chain must refuse it as well. A lane that will not prepare it is right too. */
const forced = async (harness: ConformanceHarness, payout: ReturnType<typeof makePayout>): Promise<void> => {
  const before = await balanceOf(harness, payout.to.address, payout.money.currency).catch(() => 0n)
  const attempt = await signPayout(harness, payout).catch((error: unknown) => {
    check(ServiceError.is(error), `prepare or sign throws something else than a ServiceError: ${String(error)}`)
    return null
  })
  if (attempt === null) return
  await broadcast(harness.adapter, attempt)
  await checkNeverPaid(harness, attempt, payout, before)
}

const impossible = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const recipients = there(await harness.impossibleRecipients?.(), 'the harness gives no recipients')
  check(recipients.length > 0, 'the harness gives no recipients')
  for (const { what, address, currency } of recipients) {
    const payout = makePayout(harness, { to: { address }, money: { currency, amount: harness.amount } })
    const status = await adapter.recipientStatus(payout.to, currency)
    if (!status.canReceive) {
      plain(`recipientStatus of ${what}`, status.why ?? '')
      continue
    }
    const simulation = await adapter.simulate(payout)
    check(!simulation.ok, `neither recipientStatus nor simulation reports ${what}`)
    check(
      simulation.kind === 'recipient-cannot-receive' || simulation.kind === 'revert',
      `reports ${what} as "${simulation.kind}"`,
    )
    plain(`the simulation of ${what}`, simulation.message)
    await forced(harness, payout)
  }
}

/** Payments that cannot be made. */
export const refusalRules: readonly Rule[] = [
  {
    id: 'payout-unaffordable',
    says: 'missing funds are reported before sending, and the chain agrees',
    run: (harness) => forEachCurrency(harness, (currency) => unaffordable(harness, currency)),
  },
  {
    id: 'payout-impossible',
    says: 'a recipient that cannot be paid is reported before sending, and the chain agrees',
    needs: { ability: 'impossibleRecipients', isThere: (harness) => harness.impossibleRecipients !== undefined },
    run: impossible,
  },
  {
    id: 'payout-wrong-key',
    says: 'a payment is not signed with a key that is not its lane',
    run: async (harness) => {
      const { adapter, signer } = harness
      const payout = makePayout(harness)
      const item = there((await prepareAll(harness, [payout])).prepared[0], 'nothing was prepared')
      const refused = await adapter.lane.sign(item, strangerOf(signer)).then(
        () => null,
        (error: unknown) => error,
      )
      check(refused !== null, 'signs with the key of somebody else')
      check(ServiceError.is(refused), 'refuses with something else than a ServiceError')
    },
  },
]

/** Comparing a lane with the chain. */
export const journalRules: readonly Rule[] = [
  {
    id: 'journal-kept',
    says: 'a journal that holds every payment finds nothing unknown on the chain (design 3)',
    run: async (harness) => {
      const { adapter, signer } = harness
      const { height } = await adapter.tip()
      const payout = makePayout(harness)
      const { attempts, position } = await signAll(harness, [payout])
      const attempt = there(attempts[0], 'nothing was signed')
      await broadcast(adapter, attempt)
      await included(harness, attempt, payout)
      const reading = await adapter.lane.read(adapter.lane.addressOf(signer), { position, sinceHeight: height })
      check(reading.complete, 'could not read the whole lane')
      check(reading.unknown.length === 0, `calls ${reading.unknown.length} of its own payments unknown`)
    },
  },
  {
    id: 'journal-lost',
    says: 'a payment that the journal lacks is read back with its order id, so that it can be matched (design 3)',
    run: async (harness) => {
      const { adapter, signer } = harness
      const address = adapter.lane.addressOf(signer)
      const before = await adapter.lane.read(address, null)
      const { height } = await adapter.tip()
      const payout = makePayout(harness)
      const attempt = await signPayout(harness, payout)
      await broadcast(adapter, attempt)
      await succeeded(harness, attempt, payout)
      const other = await harness.createAdapter(harness.rpc)
      await other.start(new AbortController().signal)
      try {
        const reading = await other.lane.read(address, { position: before.position, sinceHeight: height })
        const found = reading.unknown.find(({ tx }) => tx.id === attempt.txId)
        check(found !== undefined, 'the lane does not find the payment')
        check(found.orderId === payout.orderId, `the lane reads order ${found.orderId} back`)
        check(found.money.amount === payout.money.amount, `the lane reads ${found.money.amount} back`)
        check(adapter.sameAddress(found.to, payout.to.address), `the lane reads recipient ${found.to} back`)
      } finally {
        await other.stop()
      }
    },
  },
]
