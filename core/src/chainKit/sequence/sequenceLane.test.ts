import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../chain/json.js'
import type { Payout, PreparedAttempt, SignedAttempt } from '../../chain/laneAdapter.js'
import { ACCOUNT, FakeAccount, type FakeNode, laneOf, payoutTo, SETTLE, SIGNER } from './fakeAccount.test.support.js'
import { readSequenceGuard } from './numbers/sequenceGuard.js'
import { SequenceValidity } from './reading/sequenceValidity.js'
import type { StrictOrder } from './sequenceChain.js'
import type { SequenceLane } from './sequenceLane.js'

type Lane = SequenceLane<FakeNode>

const numbersOf = (prepared: readonly (PreparedAttempt | null)[]) =>
  prepared.map((item) => (item === null ? null : Number(readSequenceGuard(item.guards[0] ?? '')?.sequence)))

const items = (...names: readonly string[]) => names.map((name) => ({ payout: payoutTo(name), gas: null }))

/** Prepared and signed from a position; where the lane goes on. */
const signAt = async (lane: Lane, position: Json, ...payouts: readonly Payout[]) => {
  const made = await lane.prepare(
    payouts.map((payout) => ({ payout, gas: null })),
    position,
  )
  const attempts = await Promise.all(made.prepared.flatMap((item) => (item === null ? [] : [lane.sign(item, SIGNER)])))
  // As the database keeps it.
  return { attempts, position: JSON.parse(JSON.stringify(made.position)) as Json }
}

const only = (attempts: readonly SignedAttempt[]): SignedAttempt => {
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('Nothing was signed.')
  return attempt
}

describe('numbers that bind nothing', () => {
  it('go on from the position; a payout that cannot be made now takes none', async () => {
    const lane = laneOf(new FakeAccount(false))
    const poor = { payout: payoutTo('poor', { feeLimit: 1n }), gas: null }
    const made = await lane.prepare([...items('a'), poor, ...items('b')], { sequence: 7 })
    expect(numbersOf(made.prepared)).toEqual([7, null, 8])
    expect(made.position).toEqual({ sequence: 9 })
    expect(made.prepared[0]?.guards).toEqual([`sequence:${ACCOUNT}:7:60`])
  })

  it('are times where the chain takes them for such, and say until when a payment can land', async () => {
    const order = { kind: 'free', least: () => 1_000n, until: (sequence: bigint) => sequence + 500n } as const
    const lane = laneOf(new FakeAccount(false), undefined, { order })
    const { prepared } = await lane.prepare(items('a', 'b'), { sequence: 7 })
    expect(prepared.map((item) => item?.guards[0])).toEqual([
      `sequence:${ACCOUNT}:1000:1500`,
      `sequence:${ACCOUNT}:1001:1501`,
    ])
    expect(numbersOf((await lane.prepare(items('c'), { sequence: '2000' })).prepared)).toEqual([2000])
  })

  it('take the expiry of the moment of their draft, and no node is asked; a draft that gives up uses no guard', async () => {
    let newest = 100n
    const chain = new FakeAccount(false)
    chain.draft = async (payouts) => {
      newest = 150n
      return payouts.map(({ payout }) => async ({ sequence, until }) => {
        expect(until).toBe(newest)
        await new Promise(setImmediate)
        newest += 1n
        return payout.feeLimit === 1n ? null : { transaction: `${sequence}`, feeCap: 1n }
      })
    }
    const lane = laneOf(chain, undefined, { order: { kind: 'free', until: () => newest } })
    const poor = { payout: payoutTo('poor', { feeLimit: 1n }), gas: null }
    const made = await lane.prepare([...items('a'), poor, ...items('b')], { sequence: 7 })
    expect(numbersOf(made.prepared)).toEqual([7, null, 9])
    expect(made.prepared[0]?.guards).toEqual([`sequence:${ACCOUNT}:7:150`])
    expect([made.position, chain.asked]).toEqual([{ sequence: 10 }, []])
  })

  it('allow no replacement and no cancel: both would be paid', async () => {
    const lane = laneOf(new FakeAccount(false))
    const attempt = only((await signAt(lane, { sequence: 7 }, payoutTo('a'))).attempts)
    expect([await lane.replace(attempt, { version: 2 }), await lane.cancel(attempt, { version: 2 })]).toEqual([
      null,
      null,
    ])
    expect([lane.cancelFound, lane.readAgain, lane.mayBeDead]).toEqual([undefined, undefined, undefined])
  })
})

describe('numbers in strict order', () => {
  const gapped = { sequence: '7', slots: { 5: '60', 6: '60' } }

  it('that expired unused are given again before new ones, once that is final', async () => {
    const chain = new FakeAccount(true)
    const lane = laneOf(chain)
    chain.height = 60n + BigInt(SETTLE)
    const early = await lane.prepare(items('a'), gapped)
    expect(numbersOf(early.prepared)).toEqual([7])
    expect(early.position).toEqual({ sequence: 8, slots: { 5: '60', 6: '60', 7: '73' } })
    chain.height += 1n
    const { prepared, position } = await lane.prepare(items('a', 'b', 'c'), gapped)
    expect(numbersOf(prepared)).toEqual([5, 6, 7])
    expect(position).toEqual({ sequence: 8, slots: { 5: '74', 6: '74', 7: '74' } })
  })

  it('that something used are not given again', async () => {
    const chain = new FakeAccount(true)
    chain.height = 90n
    chain.next = 6n
    expect(numbersOf((await laneOf(chain).prepare(items('a', 'b'), gapped)).prepared)).toEqual([6, 7])
    // A key that others use too: its own numbers are gone.
    chain.next = 20n
    const after = await laneOf(chain).prepare(items('a'), gapped)
    expect([numbersOf(after.prepared), after.position]).toEqual([[20], { sequence: 21, slots: { 20: '100' } }])
  })

  it('are shared by payouts whose drafts are one and the same', async () => {
    const chain = new FakeAccount(true)
    const draft = chain.draft.bind(chain)
    chain.draft = async (payouts) => {
      const [first = null, , last = null] = await draft(payouts)
      return [first, first, last]
    }
    const lane = laneOf(chain, undefined, { order: { kind: 'strict', mostOpen: 2 } })
    const { prepared, position } = await lane.prepare(items('a', 'b', 'c'), { sequence: 5 })
    expect(prepared[0]).toBe(prepared[1])
    expect(numbersOf(prepared)).toEqual([5, 5, 6])
    expect(position).toMatchObject({ sequence: 7 })
  })

  it('wait for each other only as many as the chain lets wait', async () => {
    const chain = new FakeAccount(true)
    const lane = laneOf(chain, undefined, { order: { kind: 'strict', mostOpen: 2 } })
    const first = await lane.prepare(items('a', 'b', 'c'), { sequence: 5 })
    expect(numbersOf(first.prepared)).toEqual([5, 6, null])
    expect(numbersOf((await lane.prepare(items('c'), first.position)).prepared)).toEqual([null])
    chain.next = 6n
    expect(numbersOf((await lane.prepare(items('c', 'd'), first.position)).prepared)).toEqual([7, null])
  })

  it('are kept by a dearer version and by a cancel, until the same point', async () => {
    const dearer = async () => ({ transaction: { dear: true }, feeCap: 9n })
    const outbid: (Json | null)[] = []
    const nothing: NonNullable<StrictOrder['cancel']> = async (_, { instead }) => {
      outbid.push(instead)
      return { transaction: { nothing: true }, feeCap: 9n }
    }
    const order = { kind: 'strict', replace: dearer, cancel: nothing } as const
    const lane = laneOf(new FakeAccount(true), undefined, { order })
    const attempt = only((await signAt(lane, { sequence: 5 }, payoutTo('a'))).attempts)
    const { guards } = attempt
    const cancel = { kind: 'cancel', guards, transaction: { nothing: true }, feeCap: 9n }
    expect(await lane.replace(attempt, { version: 2 })).toMatchObject({
      kind: 'pay',
      guards,
      transaction: { dear: true },
    })
    expect(await lane.cancel(attempt, { version: 2 })).toEqual(cancel)
    expect(await lane.cancelFound?.({ txId: 'lost', guards })).toEqual(cancel)
    expect(await lane.replace({ ...cancel, kind: 'cancel' }, { version: 3 })).toEqual(cancel)
    expect(outbid).toEqual([attempt.transaction, null, { nothing: true }])
  })

  it('let every payment of many land exactly once, whichever are lost and whichever fail', async () => {
    const chain = new FakeAccount(true)
    const lane = laneOf(chain)
    let position: Json = { sequence: 5 }
    const open = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, null as SignedAttempt | null]))
    let seed = 7
    const chance = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    for (let round = 0; round < 400 && open.size > 0; round += 1) {
      const waiting = [...open].filter(([, attempt]) => attempt === null).map(([name]) => name)
      const signed = await signAt(lane, position, ...waiting.map((name) => payoutTo(name)))
      position = signed.position
      for (const [at, name] of waiting.entries()) open.set(name, signed.attempts[at] ?? null)
      for (const attempt of open.values()) {
        if (attempt !== null && chance() < 0.3) chain.land(attempt, chance() < 0.3 ? 'reverted' : 'success')
      }
      chain.height += 1n
      for (const [name, attempt] of open) {
        if (attempt === null) continue
        const said = await lane.payoutVerdict(attempt.guards, [attempt.txId])
        if (said === 'landed') open.delete(name)
        if (said === 'dead') open.set(name, null)
      }
    }
    expect([...open.keys()]).toEqual([])
    const paid = chain.sent.filter(({ revert }) => revert === null).map(({ to }) => to)
    expect(paid.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(chain.sent.map(({ sequence }) => Number(sequence))).toEqual(chain.sent.map((_, at) => at + 5))
  })
})

test('nobody but the key of its account signs a payment', async () => {
  const chain = new FakeAccount(false)
  const lane = laneOf(chain)
  const { prepared } = await lane.prepare([{ payout: payoutTo('a', { from: 'somebody' }), gas: null }], {
    sequence: 1,
  })
  const [attempt] = prepared
  if (attempt === null || attempt === undefined) throw new Error('Nothing was prepared.')
  await expect(lane.sign(attempt, SIGNER)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('states come in the order asked, with the depth below the newest block', async () => {
  const chain = new FakeAccount(false)
  const lane = laneOf(chain, [{ name: 'away', away: true }, { name: 'two' }])
  const payouts = [payoutTo('a'), payoutTo('b'), payoutTo('c')]
  const { attempts } = await signAt(lane, { sequence: 1 }, ...payouts)
  const [first, second] = attempts
  if (first === undefined || second === undefined) throw new Error('Nothing was signed.')
  chain.land(first)
  chain.land(second, 'reverted')
  const states = await lane.states(attempts.map(({ txId }, at) => ({ txId, payout: payouts[at] ?? payoutTo('x') })))
  expect(states.map(({ status, confirmations, paid, revert }) => [status, confirmations, paid, revert])).toEqual([
    ['success', 2, 7n, null],
    ['reverted', 1, 0n, 'refused'],
    ['missing', 0, null, null],
  ])
})

test('a block that can leave the chain never counts as deeper than is settled, and a final one always does', async () => {
  const chain = new FakeAccount(false)
  const payout = payoutTo('a')
  const attempt = only((await signAt(laneOf(chain), { sequence: 1 }, payout)).attempts)
  chain.land(attempt)
  chain.height += 20n
  const depthAt = async (final: bigint) => {
    const reading = { moment: { height: chain.height, final }, transactions: chain.sent }
    const lane = laneOf(Object.assign(new FakeAccount(false), { read: async () => reading }))
    return (await lane.states([{ txId: attempt.txId, payout }]))[0]?.confirmations
  }
  const { height } = chain
  expect([await depthAt(height - 21n), await depthAt(height - 20n)]).toEqual([SETTLE, 21])
  chain.height -= 19n
  expect(await depthAt(height)).toBe(SETTLE + 1)
})

test('what a node tells of the place of a transaction is handed back with the next question about it', async () => {
  const chain = new FakeAccount(false)
  const lane = laneOf(chain)
  const payout = payoutTo('a')
  const attempt = only((await signAt(lane, { sequence: 1 }, payout)).attempts)
  chain.land(attempt)
  const [shown] = chain.sent.splice(0)
  if (shown !== undefined) chain.sent.push({ ...shown, tx: { ...shown.tx, locator: { lt: '9' } } })
  const [state] = await lane.states([{ txId: attempt.txId, payout }])
  expect(state?.locator).toEqual({ lt: '9' })
  await lane.states([{ txId: attempt.txId, payout, locator: { lt: '9' } }])
  await lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, locators: { [attempt.txId]: { lt: '9' } } })
  expect(chain.asked.map(({ attempts }) => attempts[0]?.locator)).toEqual([
    undefined,
    undefined,
    { lt: '9' },
    { lt: '9' },
  ])
})

test('a payment that nobody shows is asked about once it may have expired, or its number is used up', async () => {
  const chain = new FakeAccount(true)
  let newest: bigint | null = 55n
  const lane = laneOf(chain, undefined, { newest: () => newest })
  const guards = [`sequence:${ACCOUNT}:5:60`]
  expect(await lane.mayBeDead?.(guards)).toBe(false)
  chain.next = 6n
  expect(await lane.mayBeDead?.(guards)).toBe(true)
  chain.next = 5n
  newest = 61n
  expect(await lane.mayBeDead?.(guards)).toBe(true)
  newest = null
  expect(await lane.mayBeDead?.(guards)).toBe(true)
})

test('F121: what was signed unseen may land for a lifetime after the newest point; an invented one is not waited for', async () => {
  const points = [50n, 52n, 9_999n]
  const providers = points.map((height) => ({ name: `${height}`, height }))
  const validity = new SequenceValidity({
    pool: { providers, providerCount: 3 },
    moment: async ({ height }) => ({ height, final: height - 3n }),
    longestLifetime: 10n,
    known: async () => 51n,
  })
  expect(await validity.until()).toBe(62n)
  expect([await validity.isOver(48n), await validity.isOver(49n)]).toEqual([true, false])
})
