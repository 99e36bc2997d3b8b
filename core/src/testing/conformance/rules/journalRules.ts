import type { ChainAdapter } from '../../../chain/chainAdapter.js'
import { parseDestination, sameDestination } from '../../../chain/destination.js'
import type { Json } from '../../../chain/json.js'
import type { LaneReading, SignedAttempt } from '../../../chain/laneAdapter.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { stored } from '../depositing.js'
import { endPayment, MORTAL } from '../ending.js'
import {
  broadcast,
  checkArrived,
  checkJson,
  included,
  makePayout,
  prepareAt,
  signAt,
  signPayout,
  stateOf,
  succeeded,
  verdict,
} from '../paying.js'
import { check, type Rule, steadyTip, there } from '../rule.js'

const first = <T>(items: readonly T[]): T => there(items[0], 'nothing was signed')

/** Makes a payment from a position; where the lane goes on, and the block that holds it. */
const payAt = async (harness: ConformanceHarness, position: Json) => {
  const payout = await makePayout(harness)
  const signed = await signAt(harness, [payout], position)
  const attempt = first(signed.attempts)
  await broadcast(harness.adapter, attempt)
  const { block } = await succeeded(harness, attempt, payout)
  return { attempt, payout, next: signed.position, height: there(block, 'a payment that was made has no block').height }
}

const tells = ({ unknown }: LaneReading, { txId }: SignedAttempt): boolean => unknown.some(({ tx }) => tx.id === txId)

/** Two payments that the journal of another process lacks, one after the other; it is read with different memories of them. */
const since = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer } = harness
  const address = adapter.lane.addressOf(signer)
  const start = await adapter.lane.read(address, null)
  const old = await payAt(harness, start.position)
  const newer = await payAt(harness, old.next)
  await steadyTip(harness, newer.height)
  const read = async (position: Json, sinceHeight: bigint): Promise<LaneReading> => {
    const reading = await adapter.lane.read(address, { position: stored(position), sinceHeight })
    checkJson('the position', reading.position)
    check(reading.complete, `could not read the whole lane: ${reading.gap ?? 'no reason given'}`)
    return reading
  }
  const both = await read(start.position, old.height - 1n)
  check(tells(both, old.attempt) && tells(both, newer.attempt), 'does not tell every payment above sinceHeight')
  const one = await read(old.next, newer.height - 1n)
  check(tells(one, newer.attempt), 'does not tell the payment in the first block above sinceHeight')
  check(!tells(one, old.attempt), 'tells a payment that the journal holds and that lies below sinceHeight')
  for (const position of [newer.next, both.position, one.position]) {
    const none = await read(position, newer.height)
    check(none.unknown.length === 0, `tells ${none.unknown.length} payments below sinceHeight that the position counts`)
  }
  const { prepared } = await prepareAt(harness, [await makePayout(harness)], both.position)
  const taken = [...old.attempt.guards, ...newer.attempt.guards]
  check(
    prepared.every(({ guards }) => !guards.some((guard) => taken.includes(guard))),
    'the position that read gives prepares a payment under guards that a payment on the chain has',
  )
}

/** The journal itself is lost: from where it began nothing of what the key sent is missing, and nothing of it is sent again. */
const withoutJournal = async (
  harness: ConformanceHarness,
  other: ChainAdapter,
  { attempt, height }: { readonly attempt: SignedAttempt; readonly height: bigint },
): Promise<void> => {
  const { lane } = other
  if (lane.beginning === undefined) return
  const address = lane.addressOf(harness.signer)
  const reading = await lane.read(address, { position: stored(lane.beginning(height)), sinceHeight: height })
  check(reading.complete, `could not read a lane from its beginning: ${reading.gap ?? 'no reason given'}`)
  check(tells(reading, attempt), 'does not tell what the key sent since the beginning of its journal')
  const { prepared } = await prepareAt(harness, [await makePayout(harness)], reading.position)
  check(
    prepared.every(({ guards }) => guards.every((guard) => !attempt.guards.includes(guard))),
    'prepares a payment under guards of one that it found since the beginning of its journal',
  )
}

const disjoint = (left: SignedAttempt, right: SignedAttempt): boolean =>
  !left.guards.some((guard) => right.guards.includes(guard))

/** The position goes from payment to payment as the database keeps it, past one that dies; the chain is not asked again. */
const positionKept = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, signer } = harness
  const start = await adapter.lane.read(adapter.lane.addressOf(signer), null)
  const made = await payAt(harness, start.position)
  const lost = await makePayout(harness)
  const signed = await signAt(harness, [lost], made.next)
  const dead = first(signed.attempts)
  check(disjoint(made.attempt, dead), 'a payment prepared from the returned position has the guards of the one before')
  await endPayment(harness, dead)
  await verdict(harness, dead, 'dead')
  await steadyTip(harness)
  const payouts = [lost, await makePayout(harness)]
  const again = await signAt(harness, [lost], signed.position)
  const other = await signAt(harness, payouts.slice(1), again.position)
  const attempts = [first(again.attempts), first(other.attempts)] as const
  check(disjoint(...attempts), 'two payments prepared one after the other, neither sent, share guards')
  check(attempts[0].txId !== dead.txId, 'the new generation of a dead payment is the dead one')
  check(
    attempts.every((attempt) => disjoint(attempt, made.attempt)),
    'a payment has guards of one that was made',
  )
  for (const [at, payout] of payouts.entries()) {
    const attempt = there(attempts[at], 'a payment is missing')
    await broadcast(adapter, attempt)
    await succeeded(harness, attempt, payout).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error)
      throw new Error(`a payment prepared from a position that was stored before another one died is not made: ${said}`)
    })
    await checkArrived(harness, payout, harness.amount)
  }
  check((await stateOf(harness, dead, lost)).status !== 'success', 'the dead payment is on the chain')
}

/** Comparing a lane with the chain, and going on where it stopped. */
export const journalRules: readonly Rule[] = [
  {
    id: 'journal-kept',
    says: 'a journal that holds every payment finds nothing unknown on the chain (architecture.md 3)',
    run: async (harness) => {
      const { adapter, signer } = harness
      const address = adapter.lane.addressOf(signer)
      const begun = await adapter.lane.read(address, null)
      // The journal's last block holds this payment: a tip from the adapter's memory may be older than payments that were made before.
      const made = await payAt(harness, begun.position)
      const payout = await makePayout(harness)
      const { attempts, position } = await signAt(harness, [payout], made.next)
      const attempt = first(attempts)
      await broadcast(adapter, attempt)
      await included(harness, attempt, payout)
      const reading = await adapter.lane.read(address, { position, sinceHeight: made.height })
      check(reading.complete, 'could not read the whole lane')
      check(reading.unknown.length === 0, `calls ${reading.unknown.length} of its own payments unknown`)
    },
  },
  {
    id: 'journal-lost',
    says: 'a payment that the journal lacks is read back with its order id and whole recipient, so that it can be matched (architecture.md 3)',
    run: async (harness) => {
      const { adapter, signer } = harness
      const address = adapter.lane.addressOf(signer)
      const before = await adapter.lane.read(address, null)
      const { height } = await adapter.tip()
      const payout = await makePayout(harness)
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
        const same = sameDestination(adapter, parseDestination(found.to), payout.to)
        check(same, `the lane reads recipient ${found.to} back`)
        await withoutJournal(harness, other, { attempt, height })
      } finally {
        await other.stop()
      }
    },
  },
  {
    id: 'journal-since',
    says: 'payments above sinceHeight that the position does not count are told, those at or below it are not (architecture.md 3)',
    run: since,
  },
  {
    id: 'position-kept',
    says: 'a position that prepare returned goes on after it was stored, also past a payment that died (F122)',
    ...MORTAL,
    run: positionKept,
  },
]
