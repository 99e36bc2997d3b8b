import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { WatchPage } from '../chain/chainAdapter.js'
import { createPayouts } from '../payout/createPayouts.js'
import { recordDecisions } from '../payout/decision/decisions.js'
import { GroundlessPayoutError } from '../payout/ground/payoutGround.js'
import { GroundWorld, gone, NOW, ORIGIN, originChain } from '../payout/groundWorld.test.support.js'
import { findChainHalts, haltIfDeep, releaseChain, replacedBlocks } from './chainHalt.js'
import { findDepositsAbove } from './depositStore.js'

let world: GroundWorld

beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())
afterEach(() => world.pool.query('delete from chain_halts'))

const release = async (replaced: bigint): Promise<boolean> =>
  world.commit((client) => releaseChain(client, { chainId: ORIGIN, replaced }, NOW))

describe('a chain whose settled blocks were replaced (F125)', () => {
  it('is halted beyond "settle" and not at it', async () => {
    expect(await world.leave([], 10n)).toBe(false)
    expect(await findChainHalts(world.pool)).toEqual([])
    expect(await world.leave([], 11n)).toBe(true)
    expect(await findChainHalts(world.pool)).toMatchObject([
      { chainId: ORIGIN, height: 100n, replaced: 11n, settle: 10 },
    ])
  })

  it('decides and signs nothing for its deposits, those that stand there too; all goes on when it is released', async () => {
    const [undecided, decided] = [await world.deposit(), await world.deposit()]
    const payout = await world.decide(decided, 'fill')
    const open = await world.open(undecided)
    await world.leave([], 11n)
    expect(await world.findReady(decided, 'fill')).toBeUndefined()
    // Nor what is made while it is halted.
    const withdrawal = { ...world.payoutOf(await world.open(undecided), 'refund'), purpose: 'withdraw' as const }
    await world.commit((client) => createPayouts(client, [withdrawal], NOW))
    expect(await world.findReady(undecided, 'withdraw')).toBeUndefined()
    await expect(world.signAndStore(payout)).rejects.toBeInstanceOf(GroundlessPayoutError)
    const fill = { kind: 'fill', open, payout: world.payoutOf(open, 'fill') } as const
    await world.commit((client) => recordDecisions(client, [fill], NOW))
    expect(await world.standing(undecided)).toMatchObject({ outcome: null, status: 'pending' })
    expect((await world.open(undecided)).halted).toBe(true)
    const later = { kind: 'later', open, at: NOW + 10_000, trouble: null, action: 'await-release' } as const
    await world.commit((client) => recordDecisions(client, [later], NOW))
    expect(await findChainHalts(world.pool)).toMatchObject([{ requests: 1, payouts: 2 }])
    expect(await release(11n)).toBe(true)
    expect(await world.standing(undecided)).toMatchObject({ next: 'decide' })
    await world.signAndStore(await world.ready(decided, 'fill'))
    await world.decide(undecided, 'fill')
  })

  it('is not released by who has not seen the deepest reorganization', async () => {
    await world.leave([], 11n)
    await world.leave([], 40n)
    await world.leave([], 12n)
    expect(await release(11n)).toBe(false)
    expect(await release(40n)).toBe(true)
  })
})

describe('a chain that declares that nothing ever leaves it', () => {
  // CAST: what is read of a chain.
  const absolute = {
    ...originChain,
    adapter: { ...originChain.adapter, capabilities: { absoluteFinality: true }, finalHeight: async () => 100n },
  } as unknown as typeof originChain
  const page: WatchPage = { deposits: [], cursor: 0, height: 99n, tip: 100n, rewoundTo: 99n }

  it('is halted by any rewind, however deep "settle" is', async () => {
    const replaced = replacedBlocks(absolute, page, 100n, { stored: [], evidence: [] })
    expect(replaced).toBe(1n)
    expect(replacedBlocks(absolute, { ...page, replaced: 3n }, 100n, { stored: [], evidence: [] })).toBe(3n)
    expect(await world.commit((client) => haltIfDeep(client, absolute, { height: 100n, replaced }, NOW))).toBe(true)
    expect(await findChainHalts(world.pool)).toMatchObject([{ chainId: ORIGIN, replaced: 1n, settle: 0 }])
  })
})

describe('how deep a rewind went', () => {
  const page: WatchPage = { deposits: [], cursor: 0, height: 80n, tip: 100n, rewoundTo: 80n }

  it('is what the watcher says, or as deep as the deepest deposit that moved, whatever it rewound to', async () => {
    const [deep, moved] = [await world.deposit(1_000n, 85n), await world.deposit(1_000n, 99n)]
    const stored = await findDepositsAbove(world.pool, ORIGIN, 80n)
    const stays = { ...gone(deep), finding: 'present' as const, deposit: deep }
    const judge = (evidence: Parameters<typeof replacedBlocks>[3]['evidence'], more = {}) =>
      replacedBlocks(originChain, { ...page, ...more }, 100n, { stored, evidence })
    expect(judge([stays, gone(moved)])).toBe(2n)
    expect(judge([gone(deep), gone(moved)])).toBe(16n)
    expect(judge([gone(deep)], { replaced: 3n })).toBe(16n)
    expect(judge([stays], { replaced: 3n })).toBe(3n)
    const final = { ...originChain, adapter: { ...originChain.adapter, finalHeight: async () => 90n } }
    expect(replacedBlocks(final, page, 100n, { stored, evidence: [gone(deep)] })).toBe(0n)
  })
})
