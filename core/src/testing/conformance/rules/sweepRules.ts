import type { DepositAddress } from '../../../chain/address/depositAddresses.js'
import type { ChainMoney } from '../../../chain/chainReferences.js'
import type { Payout, SignedAttempt } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { stored, tipCursor } from '../depositing.js'
import { endPayment, MORTAL } from '../ending.js'
import {
  balanceOf,
  broadcast,
  prepareAll,
  signAll,
  signAt,
  signOne,
  signPayout,
  stateOf,
  storedAttempt,
  succeeded,
  verdict,
} from '../paying.js'
import { check, depthOf, eventually, nativeOf, nothingLeaves, type Rule, there } from '../rule.js'
import {
  addressesOf,
  checkDeposited,
  hasNoAddresses,
  heldAt,
  newAddress,
  paidAddress,
  payTo,
  sweep,
  sweepOf,
} from '../sweeping.js'
import { checkError } from './depositRules.js'

/** Two payments of each of some currencies, swept by one transaction: all of it is an ordinary deposit, and nothing else moves. */
const swept = async (harness: ConformanceHarness, currencies: readonly string[]): Promise<void> => {
  const { adapter, amount } = harness
  const cursor = await tipCursor(harness)
  const address = newAddress(harness)
  for (const currency of currencies) {
    await payTo(harness, address, { currency, amount })
    await payTo(harness, address, { currency, amount: amount * 2n })
  }
  const main = there(currencies[0], 'the harness names no currency')
  const before = await Promise.all(currencies.map((currency) => balanceOf(harness, adapter.depository, currency)))
  // What lay there when it was planned; the second payment came later.
  const payout = sweepOf(harness, address, { currency: main, amount }, currencies)
  const simulation = await adapter.simulate(payout)
  check(simulation.ok, `simulation of a sweep says ${simulation.ok ? '' : simulation.message}`)
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  const { paid, fee } = await succeeded(harness, attempt, payout)
  // Less than nothing where the accounts it closed gave the lane more rent back than it cost.
  const { network: estimated } = await addressesOf(harness).sweepFee(main)
  check(fee !== 0n || estimated.amount === 0n, 'says that a sweep cost nothing')
  check(paid === null || paid === amount * 3n, `says that ${paid} of a sweep arrived, ${amount * 3n} lay there`)
  for (const [at, currency] of currencies.entries()) {
    const gained = (await balanceOf(harness, adapter.depository, currency)) - (before[at] ?? 0n)
    const missing = amount * 3n - gained
    const mostMissing = currency === nativeOf(harness) ? (harness.receivingCost ?? 0n) : 0n
    check(
      missing >= 0n && missing <= mostMissing,
      `a sweep brought the depository ${gained} of ${amount * 3n} that lay there`,
    )
  }
  const left = await heldAt(harness, address, currencies)
  check(
    left.every((value) => value === 0n),
    `a sweep left ${left.join(' and ')} at the address`,
  )
  await checkDeposited(harness, cursor, address, new Map(currencies.map((currency) => [currency, amount * 3n])))
  await verdict(harness, attempt, 'landed')
  const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
  check(said === 'landed', `calls a sweep "${said}" that arrived, when it is told what was to be swept`)
}

/** As a lane whose database is older than the sweep reads it. */
const found = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer } = harness
  const account = adapter.lane.addressOf(signer)
  const { address, money } = await paidAddress(harness)
  const before = await adapter.lane.read(account, null)
  const { height } = await adapter.tip()
  const { txId } = await sweep(harness, sweepOf(harness, address, money))
  const other = await harness.createAdapter(harness.rpc)
  await other.start(new AbortController().signal)
  try {
    const { unknown } = await other.lane.read(account, { position: stored(before.position), sinceHeight: height })
    const told = unknown.filter(({ tx }) => tx.id === txId)
    check(told.length > 0, 'the lane does not find the sweep')
    for (const { purpose, orderId, to } of told) {
      check(purpose === 'sweep', `the lane reads a sweep back as ${purpose ?? 'the fill or refund of its order'}`)
      check(orderId === address.orderId, `the lane reads order ${orderId} back`)
      check(adapter.sameAddress(to, adapter.depository), `the lane reads ${to} back as the recipient of a sweep`)
    }
  } finally {
    await other.stop()
  }
}

/** Whoever has not the seed cannot take what a key of it holds. */
const keyed = async (harness: ConformanceHarness): Promise<void> => {
  const { seed: _, ...without } = harness
  const { address, money } = await paidAddress(harness)
  const payout = sweepOf(harness, address, money)
  const [item] = (await prepareAll(harness, [payout])).prepared
  const prepared = there(item, 'nothing was prepared')
  const refused = await signOne(without, prepared).catch((error: unknown) => {
    check(ServiceError.is(error), 'a sweep without the seed is refused by something else than a ServiceError')
    return null
  })
  check(refused === null, 'signs a sweep of an address that a key holds, without the seed')
  await sweep(harness, payout)
  check((await heldAt(harness, address))[0] === 0n, 'a sweep leaves what a key holds')
}

/** Two sweeps of one address on their way, and one of an address where nothing ever was. */
const nothing = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const native = nativeOf(harness)
  const empty = await adapter.simulate(sweepOf(harness, newAddress(harness), { currency: native, amount: 1n }))
  check(!empty.ok, 'simulates a sweep of nothing')
  const cursor = await tipCursor(harness)
  const { address, money } = await paidAddress(harness)
  const payout = sweepOf(harness, address, money)
  const one = await signAll(harness, [payout])
  // A lane may have the second wait for what the first holds.
  const two = await signAt(harness, [payout], one.position).catch((error: unknown) => {
    if (ServiceError.is(error)) return null
    throw error
  })
  const first = there(one.attempts[0], 'nothing was signed')
  await broadcast(adapter, first)
  await succeeded(harness, first, payout)
  const again = await adapter.simulate(payout)
  check(!again.ok, 'simulates a sweep of what was swept before')
  const second = two?.attempts[0]
  if (second !== undefined) await sweptBefore(harness, second, payout)
  await checkDeposited(harness, cursor, address, new Map([[money.currency, money.amount]]))
}

const sweptBefore = async (harness: ConformanceHarness, attempt: SignedAttempt, payout: Payout): Promise<void> => {
  const { adapter } = harness
  const sent = await broadcast(adapter, attempt)
  if (sent.outcome === 'rejected') return
  await harness.advance(harness.finalDepth + 1)
  const { status, paid } = await stateOf(harness, attempt, payout)
  check(status !== 'success' || paid === 0n, `says that ${paid} of a sweep of nothing arrived`)
  const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
  check(said !== 'landed', 'calls a sweep of nothing landed, although it is told what was to be swept')
  if (status !== 'success' && status !== 'reverted') return
  await eventually(
    'payoutVerdict saying "dead" of a sweep of nothing',
    async () => {
      await harness.advance(1)
      const verdict = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
      return verdict === 'dead' ? true : null
    },
    harness.patienceSeconds,
  )
}

/** What comes while a sweep is under way goes along with it or waits for the next. */
const late = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, amount } = harness
  const cursor = await tipCursor(harness)
  const { address, money } = await paidAddress(harness)
  const payout = sweepOf(harness, address, money)
  const attempt = await signPayout(harness, payout)
  await payTo(harness, address, { ...money, amount: amount * 2n })
  await broadcast(adapter, attempt)
  const { paid } = await succeeded(harness, attempt, payout)
  const [left = 0n] = await heldAt(harness, address, [money.currency])
  check(paid === null || paid + left === amount * 3n, `${paid} was swept and ${left} is left of ${amount * 3n}`)
  if (left > 0n) await sweep(harness, sweepOf(harness, address, { ...money, amount: left }))
  await checkDeposited(harness, cursor, address, new Map([[money.currency, amount * 3n]]))
}

const replaced = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const cursor = await tipCursor(harness)
  const { address, money } = await paidAddress(harness)
  const payout = sweepOf(harness, address, money)
  const first = await signPayout(harness, payout)
  const draft = there(await adapter.lane.replace(first, { version: 2 }), 'replace gives nothing')
  const kept =
    draft.guards.length === first.guards.length && draft.guards.every((guard) => first.guards.includes(guard))
  check(kept && draft.kind === 'pay', 'the replacement of a sweep has other guards, or is none')
  check(draft.feeCap > first.feeCap, `the replacement of a sweep may cost ${draft.feeCap}, the first ${first.feeCap}`)
  const second = await signOne(harness, storedAttempt(draft))
  await broadcast(adapter, first)
  await broadcast(adapter, second)
  await eventually(
    'one of two versions of a sweep',
    async () => {
      await harness.advance(1)
      const states = await adapter.lane.states([first, second].map(({ txId }) => ({ txId, payout })))
      const made = states.filter(({ status }) => status === 'success').length
      check(made < 2, 'both versions of a sweep were made')
      return made === 1 ? true : null
    },
    harness.patienceSeconds,
  )
  await checkDeposited(harness, cursor, address, new Map([[money.currency, money.amount]]))
}

/** A sweep that can never land moved nothing: what lay there is swept by the next. */
const ended = async (harness: ConformanceHarness): Promise<void> => {
  const cursor = await tipCursor(harness)
  const { address, money } = await paidAddress(harness)
  const attempt = await signPayout(harness, sweepOf(harness, address, money))
  await endPayment(harness, attempt)
  await verdict(harness, attempt, 'dead')
  const [left = 0n] = await heldAt(harness, address, [money.currency])
  check(left === money.amount, `a sweep that died left ${left} of ${money.amount}`)
  await sweep(harness, sweepOf(harness, address, money))
  await checkDeposited(harness, cursor, address, new Map([[money.currency, money.amount]]))
}

/** A sweep that left the chain moved nothing any more; its bytes land once when they are sent again. */
const reorged = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const cursor = await tipCursor(harness)
  const { address, money } = await paidAddress(harness)
  // The payment to the address is to stay.
  await harness.advance(1)
  const payout = sweepOf(harness, address, money)
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  const { block } = await succeeded(harness, attempt, payout)
  await harness.reorg?.(await depthOf(harness, there(block, 'the sweep has no block').height))
  const { status } = await stateOf(harness, attempt, payout)
  check(status !== 'success', 'a sweep that left the chain still counts as made')
  const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
  check(said !== 'dead', 'calls a sweep dead whose bytes may land again')
  await broadcast(adapter, attempt)
  await succeeded(harness, attempt, payout)
  await checkDeposited(harness, cursor, address, new Map([[money.currency, money.amount]]))
}

const priced = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, amount, feeErrorPercent } = harness
  const address: DepositAddress = newAddress(harness)
  const money: ChainMoney = { currency, amount }
  await payTo(harness, address, money)
  const { network } = await addressesOf(harness).sweepFee(currency)
  check(network.currency === adapter.native.address, 'estimates a sweep in another currency than the native one')
  const payout = sweepOf(harness, address, money)
  const attempt = await signPayout(harness, payout)
  await broadcast(adapter, attempt)
  const { fee } = await succeeded(harness, attempt, payout)
  check(fee <= attempt.feeCap, `a sweep was charged ${fee}, above its cap of ${attempt.feeCap}`)
  checkError(network.amount, fee, feeErrorPercent.payout)
}

/** From a deposit address into the depository. */
export const sweepRules: readonly Rule[] = [
  {
    id: 'sweep-deposited',
    says: 'a sweep brings all that lies at an address into the depository, as a deposit with its order id (wire.md E.4)',
    exemption: hasNoAddresses,
    run: async (harness) => {
      const [native, ...tokens] = harness.currencies
      for (const currency of tokens) await swept(harness, [currency])
      const isAlone = addressesOf(harness).sweepsOneCurrency === true
      await swept(harness, [there(native, 'the harness names no currency'), ...(isAlone ? [] : tokens)])
    },
  },
  {
    id: 'sweep-found',
    says: 'a sweep that the journal lacks is read back as one, with its order id, never as a fill or refund (architecture.md 3)',
    exemption: hasNoAddresses,
    run: found,
  },
  {
    id: 'sweep-key',
    says: 'an address that a key holds is swept with the seed only',
    exemption: (harness) =>
      hasNoAddresses(harness) ??
      (harness.seed === undefined && harness.adapter.depositAddresses?.isSweptByKey !== true
        ? 'no key holds a deposit address'
        : null),
    needs: { ability: 'seed', isThere: ({ seed }) => seed !== undefined },
    run: keyed,
  },
  {
    id: 'sweep-nothing',
    says: 'a sweep of nothing is not simulated as one, and one that came second does not count as paid',
    exemption: hasNoAddresses,
    run: nothing,
  },
  {
    id: 'sweep-late',
    says: 'money that comes while a sweep is under way is swept by it or by the next',
    exemption: hasNoAddresses,
    run: late,
  },
  {
    id: 'sweep-replaced',
    says: 'a replaced sweep holds the same guards, and what lay there is deposited once',
    exemption: (harness) =>
      hasNoAddresses(harness) ??
      (harness.adapter.capabilities.bump === 'replace' ? null : 'capabilities.bump says that there is no replacement'),
    run: replaced,
  },
  {
    id: 'sweep-ended',
    says: 'a sweep that was ended moved nothing, and the next takes all',
    needs: MORTAL.needs,
    exemption: (harness) => hasNoAddresses(harness) ?? MORTAL.exemption(harness),
    run: ended,
  },
  {
    id: 'sweep-reorg',
    says: 'a sweep that leaves the chain is not made any more, is not dead, and is deposited once when its bytes are sent again',
    exemption: (harness) => hasNoAddresses(harness) ?? nothingLeaves(harness),
    needs: { ability: 'reorg', isThere: ({ reorg }) => reorg !== undefined },
    run: reorged,
  },
  {
    id: 'sweep-fee',
    says: 'the estimated cost of a sweep is within the stated error of what was charged',
    mayDeviate: true,
    exemption: hasNoAddresses,
    run: async (harness) => {
      for (const currency of harness.currencies) await priced(harness, currency)
    },
  },
]
