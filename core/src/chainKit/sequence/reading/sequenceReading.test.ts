import { describe, expect, it } from 'vitest'
import type { Json } from '../../../chain/json.js'
import type { LaneReading } from '../../../chain/laneAdapter.js'
import { ACCOUNT, FakeAccount, laneOf, payoutTo, SIGNER } from '../fakeAccount.test.support.js'

/** Pays from a position, as this process or another one would; where it goes on. */
const pay = async (chain: FakeAccount, position: Json, to: string, lands = true): Promise<Json> => {
  const lane = laneOf(chain)
  const made = await lane.prepare([{ payout: payoutTo(to), gas: null }], position)
  const [item] = made.prepared
  if (item === null || item === undefined) throw new Error('Nothing was prepared.')
  if (lands) chain.land(await lane.sign(item, SIGNER))
  return made.position
}

const paidIn = ({ unknown }: LaneReading) => unknown.map(({ to }) => to)

describe.each([
  ['bind nothing', false],
  ['are in strict order', true],
])('where numbers %s', (_, strict) => {
  it('payments that the position does not count are told once, with order and guards; those it counts are not', async () => {
    const chain = new FakeAccount(strict)
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    const place = { position: start, sinceHeight: chain.height }
    const first = await pay(chain, start, 'a')
    const second = await pay(chain, first, 'b')
    const nodes = [{ name: 'one' }, { name: 'two' }]
    const all = await laneOf(chain, nodes).read(ACCOUNT, place)
    expect([paidIn(all), all.complete]).toEqual([['a', 'b'], true])
    expect(all.unknown[0]).toMatchObject({
      orderId: payoutTo('a').orderId,
      purpose: 'fill',
      guards: [expect.any(String)],
    })
    const read = (position: Json) => laneOf(chain).read(ACCOUNT, { position, sinceHeight: place.sinceHeight })
    expect(paidIn(await read(first))).toEqual(['b'])
    expect(paidIn(await read(second))).toEqual([])
    expect(paidIn(await read(all.position))).toEqual([])
  })

  it('what one provider leaves out another one shows; both must list all where there are two', async () => {
    const chain = new FakeAccount(strict)
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    const place = { position: start, sinceHeight: chain.height }
    await pay(chain, start, 'a')
    const hiding = { name: 'one', unlisted: new Set(chain.sent.map(({ tx }) => tx.id)) }
    expect(paidIn(await laneOf(chain, [hiding, { name: 'two' }]).read(ACCOUNT, place))).toEqual(['a'])
    const gap = 'its history begins at height 40'
    const short = await laneOf(chain, [{ name: 'one', gap }, { name: 'two' }]).read(ACCOUNT, place)
    expect([short.complete, short.gap, paidIn(short)]).toEqual([false, gap, ['a']])
    const away = laneOf(chain, [{ name: 'one', away: true }, { name: 'two' }])
    await expect(away.read(ACCOUNT, place)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

it.each([false, true])(
  'F158: a key that has sent something is told from a fresh one, by any provider that shows it (strict: %s)',
  async (strict) => {
    const chain = new FakeAccount(strict)
    const nodes = [{ name: 'one' }, { name: 'two' }]
    expect(await laneOf(chain, nodes).hasSent(ACCOUNT)).toBe(false)
    await pay(chain, (await laneOf(chain).read(ACCOUNT, null)).position, 'a')
    const hiding = { name: 'one', unlisted: new Set(chain.sent.map(({ tx }) => tx.id)) }
    expect(await laneOf(chain, [hiding, { name: 'two' }]).hasSent(ACCOUNT)).toBe(true)
    const away = laneOf(chain, [{ name: 'one', away: true }, { name: 'two' }])
    await expect(away.hasSent(ACCOUNT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  },
)

it.each([false, true])(
  'F121: a payment is told though the last block of the journal is one that a node made up (strict: %s)',
  async (strict) => {
    const chain = new FakeAccount(strict)
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    await pay(chain, start, 'a')
    const reading = await laneOf(chain).read(ACCOUNT, { position: start, sinceHeight: chain.height + 40n })
    expect([paidIn(reading), reading.complete]).toEqual([['a'], true])
  },
)

it.each([false, true])(
  'F120: from the beginning of a lost journal all is told that was sent since its height, and nothing of it is sent again (strict: %s)',
  async (strict) => {
    const chain = new FakeAccount(strict)
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    const before = await pay(chain, start, 'before')
    const height = chain.height
    chain.height += 100n
    await pay(chain, await pay(chain, before, 'a'), 'b')
    const lane = laneOf(chain, [{ name: 'one' }, { name: 'two' }])
    const reading = await lane.read(ACCOUNT, { position: lane.beginning(), sinceHeight: height + 90n })
    expect([paidIn(reading), reading.complete, reading.position]).toMatchObject([
      ['a', 'b'],
      true,
      { sequence: Reflect.get(Object(start), 'sequence') + 3 },
    ])
    const none = await lane.read(ACCOUNT, { position: lane.beginning(), sinceHeight: chain.height + 90n })
    expect([paidIn(none), none.complete]).toEqual([[], true])
    // Numbers that older payments used are not given again.
    expect(none.position).toMatchObject({ sequence: Reflect.get(Object(start), 'sequence') + 3 })
  },
)

describe('where numbers are in strict order', () => {
  it('F120: a number that was used since the first that is listed, and that nothing explains, keeps the lane shut', async () => {
    const chain = new FakeAccount(true)
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    const first = await pay(chain, start, 'a')
    const second = await pay(chain, first, 'hidden')
    await pay(chain, second, 'b')
    const hidden = chain.sent[1]?.tx.id ?? ''
    const lane = laneOf(chain, [{ name: 'one', unlisted: new Set([hidden]) }])
    const reading = await lane.read(ACCOUNT, { position: lane.beginning(), sinceHeight: 0n })
    expect(reading).toMatchObject({ complete: false, gap: 'nothing is listed that used number 6' })
  })

  it('F121: a number that was used is looked for from itself on, and without what used it the lane stays shut', async () => {
    const chain = new FakeAccount(true)
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    await pay(chain, start, 'a')
    const beyond = { position: start, sinceHeight: chain.height + 10_000n }
    const found = await laneOf(chain).read(ACCOUNT, beyond)
    expect([paidIn(found), found.complete]).toEqual([['a'], true])
    const hiding = { name: 'one', unlisted: new Set(chain.sent.map(({ tx }) => tx.id)) }
    const hidden = await laneOf(chain, [hiding]).read(ACCOUNT, { position: start, sinceHeight: chain.height })
    expect(hidden).toMatchObject({ unknown: [], complete: false, gap: 'nothing is listed that used number 5' })
  })

  it('a number that was given again after the journal was written is told, though the position counts it', async () => {
    const chain = new FakeAccount(true)
    const written = await pay(chain, { sequence: 5 }, 'lost', false)
    const place = { position: written, sinceHeight: chain.height }
    chain.height = 90n
    await pay(chain, written, 'refilled')
    expect(paidIn(await laneOf(chain).read(ACCOUNT, place))).toEqual(['refilled'])
    // A journal that has forgotten what expired knows of the number only that it is not new.
    const forgotten = { position: { sequence: 6 }, sinceHeight: 90n }
    expect(paidIn(await laneOf(chain).read(ACCOUNT, forgotten))).toEqual(['refilled'])
    expect(paidIn(await laneOf(chain).read(ACCOUNT, { ...forgotten, sinceHeight: 91n }))).toEqual([])
  })

  it('the first use of an account goes on where the account does', async () => {
    const chain = new FakeAccount(true)
    chain.next = 12n
    expect(await laneOf(chain).read(ACCOUNT, null)).toEqual({
      position: { sequence: 12, settled: { next: '5', aside: 0 } },
      unknown: [],
      complete: true,
    })
  })

  it('read again after a foreign spend, nothing since the number is taken for known (F121)', async () => {
    const chain = new FakeAccount(true)
    const first = await pay(chain, { sequence: 5 }, 'a')
    const second = await pay(chain, first, 'b')
    const place = { position: second, sinceHeight: chain.height }
    const again = await laneOf(chain).readAgain?.(ACCOUNT, place, [`sequence:${ACCOUNT}:6:99`])
    expect(again?.unknown.map(({ to }) => to)).toEqual(['b'])
  })

  it('read again after a foreign spend, older numbers are read also where the account stands as it was seen last (F121)', async () => {
    const chain = new FakeAccount(true)
    const start = await pay(chain, { sequence: 5 }, 'replaced')
    chain.height += 100n
    const { position } = await laneOf(chain).read(ACCOUNT, { position: start, sinceHeight: 0n })
    expect(position).toMatchObject({ settled: { next: '6' } })
    const stored = { position, sinceHeight: chain.height }
    const again = await laneOf(chain).readAgain?.(ACCOUNT, stored, [`sequence:${ACCOUNT}:5:99`])
    expect(again?.unknown.map(({ to }) => to)).toEqual(['replaced'])
  })
})

it('a position of another lane is refused', async () => {
  const place = { position: { nonce: 5 }, sinceHeight: 1n }
  await expect(laneOf(new FakeAccount(true)).read(ACCOUNT, place)).rejects.toThrow('cannot be read')
})
