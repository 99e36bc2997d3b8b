import type { AttemptState, Payout, SignedAttempt } from '../../../../chain/laneAdapter.js'
import { ServiceError } from '../../../../errors/serviceError.js'
import type { ConformanceHarness } from '../../conformanceHarness.js'
import { cancels, endPayment, MORTAL, passLifetime } from '../../ending.js'
import { balanceOf, broadcast, checkNeverPaid, makePayout, signPayout, stateOf, verdict } from '../../paying.js'
import { check, eventually, nativeOf, type Rule, steadyTip, there } from '../../rule.js'

/** Blocks that are added at a time while the moment of death is only roughly known. */
const STRIDE = 16
/** Strides after which it is not blocks that payments of the chain die by: the longest known lifetime is 150 blocks. */
const MOST_STRIDES = 40
/** Blocks after which a cancel must have ended its payment. */
const MOST_BLOCKS = 250

/** Adds blocks until a payment is called dead; how many it took, null where so many do not do it. */
const blocksUntilDead = async (
  harness: ConformanceHarness,
  attempt: SignedAttempt,
  stride: number,
  most = MOST_STRIDES,
): Promise<number | null> => {
  for (let strides = 0; strides <= most; strides += 1) {
    const said = await harness.adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])
    check(said !== 'landed', 'calls a payment landed that was never sent')
    if (said === 'dead') return strides * stride
    await harness.advance(stride)
  }
  return null
}

/** A payment signed while the adapter knows the newest block, so that each of them lives equally long. */
const signNow = async (harness: ConformanceHarness) => {
  await steadyTip(harness)
  const payout = await makePayout(harness)
  return { payout, attempt: await signPayout(harness, payout) }
}

/**
 * Three payments that are never sent in time. The first two tell how many blocks after it was signed one is called dead. The third
 * is sent so many blocks earlier as may still be replaced: what could hold it then might not be final at the time of the verdict.
 * Where seconds count, not blocks, one is sent as soon as it is called dead.
 */
const expiryEarly = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, advance, finalDepth } = harness
  const rough = await signNow(harness)
  const about = await blocksUntilDead(harness, rough.attempt, STRIDE)
  if (about === null) {
    await passLifetime(harness, [rough.attempt])
    await verdict(harness, rough.attempt, 'dead')
  }
  await sendDead(harness, rough)
  if (about === null) return
  const exact = await signNow(harness)
  const skipped = Math.max(0, about - STRIDE)
  await advance(skipped)
  const rest = there(
    await blocksUntilDead(harness, exact.attempt, 1, MOST_BLOCKS),
    'of two equal payments one never dies',
  )
  const lifetime = skipped + rest
  await sendDead(harness, exact)
  const late = await signNow(harness)
  const open = Math.max(0, lifetime - finalDepth)
  await advance(open)
  await broadcast(adapter, late.attempt)
  for (let blocks = 0; blocks < 3; blocks += 1) {
    await advance(1)
    const { status } = await stateOf(harness, late.attempt, late.payout)
    check(
      status !== 'success',
      `calls the payment ${late.attempt.txId} dead ${lifetime} blocks after it was signed; but sent ${open} blocks after, it is still paid, and ` +
        `${finalDepth} blocks may be replaced: wait until the last block that can hold it is final`,
    )
  }
}

/** Bytes of which the adapter says that they can never land. */
const sendDead = async (
  harness: ConformanceHarness,
  { attempt, payout }: { readonly attempt: SignedAttempt; readonly payout: Payout },
): Promise<void> => {
  await broadcast(harness.adapter, attempt)
  await checkNeverPaid(harness, attempt, payout)
}

/** At the first verdict everything that is not final is replaced: the cancel must have been deeper. */
const cancelEarly = async (harness: ConformanceHarness): Promise<void> => {
  const { reorg, finalDepth } = harness
  const { payout, attempt } = await signNow(harness)
  await endPayment(harness, attempt)
  const blocks = await blocksUntilDead(harness, attempt, 1, MOST_BLOCKS)
  there(blocks, `a cancel ${MOST_BLOCKS} blocks deep leaves its payment alive`)
  await reorg?.(finalDepth)
  await broadcast(harness.adapter, attempt)
  await checkNeverPaid(harness, attempt, payout).catch((error: unknown) => {
    throw new Error(
      `calls a payment dead before its cancel is final: ${finalDepth} blocks were replaced, its bytes sent, and it was paid`,
      { cause: error },
    )
  })
}

const asked = async (harness: ConformanceHarness): Promise<void> => {
  const { lane } = harness.adapter
  const attempt = await signPayout(harness, await makePayout(harness))
  await endPayment(harness, attempt)
  await verdict(harness, attempt, 'dead')
  await eventually(
    'mayBeDead allowing the question about a payment that is dead: while it answers false, payoutVerdict is never asked',
    async () => ((await lane.mayBeDead?.(attempt.guards)) === false ? null : true),
    harness.patienceSeconds,
  )
}

interface Failure {
  readonly payout: Payout
  readonly attempt: SignedAttempt
  readonly state: AttemptState
  /** What the solver had before it, native currency. */
  readonly before: bigint
}

/** Payments that the chain may include although they fail: more than there is, or to who cannot receive. */
const failingPayouts = async (harness: ConformanceHarness): Promise<readonly Payout[]> => {
  const { adapter, signer, currencies, amount, impossibleRecipients } = harness
  const unaffordable = [...currencies].reverse().map(async (currency) => {
    const held = await balanceOf(harness, adapter.lane.addressOf(signer), currency)
    return makePayout(harness, { money: { currency, amount: held + amount } })
  })
  const impossible = ((await impossibleRecipients?.()) ?? []).map(({ address, currency }) =>
    makePayout(harness, { to: { address }, money: { currency, amount } }),
  )
  return Promise.all([...unaffordable, ...impossible])
}

/** Sends one after the other until the chain holds one that failed. */
const failOnChain = async (harness: ConformanceHarness): Promise<Failure> => {
  const { adapter, signer, advance } = harness
  for (const payout of await failingPayouts(harness)) {
    const attempt = await signPayout(harness, payout).catch((error: unknown) => {
      if (ServiceError.is(error)) return null
      throw error
    })
    if (attempt === null) continue
    const before = await balanceOf(harness, adapter.lane.addressOf(signer), nativeOf(harness))
    await broadcast(adapter, attempt)
    for (let blocks = 0; blocks < 3; blocks += 1) {
      await advance(1)
      const state = await stateOf(harness, attempt, payout)
      check(state.status !== 'success', 'calls a payment made that failed')
      if (state.status === 'reverted') return { payout, attempt, state, before }
    }
  }
  throw new Error(
    'no payment of more than there is, and none to impossibleRecipients, is told as reverted, though transactions fail here',
  )
}

const reverted = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer, advance, finalDepth } = harness
  const { payout, attempt, state, before } = await failOnChain(harness)
  const after = await balanceOf(harness, adapter.lane.addressOf(signer), nativeOf(harness))
  check(
    state.fee === before - after,
    `a failed payment cost ${before - after}, told is a fee of ${state.fee}: the books would not balance`,
  )
  check(state.paid === null || state.paid === 0n, `says that a failed payment paid ${state.paid}`)
  const { height } = there(state.block, 'a failed payment has no block')
  await eventually(
    'payoutVerdict saying "dead" of a payment that failed',
    async () => {
      const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId])
      check(said !== 'landed', 'calls a payment landed that failed: it would never be paid')
      if (said === 'dead') return true
      await advance(1)
      return null
    },
    harness.patienceSeconds,
  )
  const depth = BigInt(await harness.height()) - height
  check(
    depth >= BigInt(finalDepth),
    `calls a failed payment dead with ${depth} blocks above it: of ${finalDepth} it may be one that is replaced`,
  )
  const { status } = await stateOf(harness, attempt, payout)
  check(status === 'reverted', `a failed payment becomes ${status}`)
}

/** When a payment may be called dead, and when it must be. */
export const deathProofRules: readonly Rule[] = [
  {
    id: 'payout-reverted',
    says: 'a payment that failed in a block is told with its fee; it is never landed, and dead once that is final (architecture.md 3)',
    needs: { ability: 'user.sendFailing', isThere: ({ user }) => user.sendFailing !== undefined },
    run: reverted,
  },
  {
    id: 'death-early',
    says: 'a payment is called dead only when no block that may still come, or be replaced, can hold it (F122)',
    ...MORTAL,
    run: (harness) => (cancels(harness) ? cancelEarly(harness) : expiryEarly(harness)),
  },
  {
    id: 'death-asked',
    says: 'mayBeDead does not deny that a dead payment may be dead (F122)',
    needs: MORTAL.needs,
    exemption: (harness) =>
      harness.adapter.lane.mayBeDead === undefined ? 'the lane has no mayBeDead' : MORTAL.exemption(harness),
    run: asked,
  },
]
