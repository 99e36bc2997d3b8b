import { describe, expect, it } from 'vitest'
import type { Json } from '../../chain/json.js'
import type { LaneReading, PreparedAttempt, SignedAttempt } from '../../chain/laneAdapter.js'
import { ACCOUNT, FakeAccount, type FakeNode, laneOf, payoutTo, SETTLE, SIGNER } from './fakeAccount.test.support.js'
import { readSequenceGuard } from './numbers/sequenceGuard.js'

const FINAL = BigInt(SETTLE)

/** An account that made three of its numbers available out of order: it used 100 for that, and 104 is next. */
const accountWithAside = (): FakeAccount =>
  Object.assign(new FakeAccount(true), { aside: [103n, 101n, 102n], next: 104n, first: 104n })

const items = (...names: readonly string[]) => names.map((name) => ({ payout: payoutTo(name), gas: null }))

const numbersOf = (prepared: readonly (PreparedAttempt | null)[]) =>
  prepared.map((item) => (item === null ? null : Number(readSequenceGuard(item.guards[0] ?? '')?.sequence)))

const signed = async (chain: FakeAccount, position: Json, ...names: readonly string[]) => {
  const made = await laneOf(chain).prepare(items(...names), position)
  const attempts = await Promise.all(
    made.prepared.flatMap((item) => (item === null ? [] : [laneOf(chain).sign(item, SIGNER)])),
  )
  return { attempts, position: JSON.parse(JSON.stringify(made.position)) as Json }
}

const one = async (chain: FakeAccount, position: Json, name: string): Promise<SignedAttempt> => {
  const [attempt] = (await signed(chain, position, name)).attempts
  if (attempt === undefined) throw new Error('Nothing was signed.')
  return attempt
}

const verdict = (chain: FakeAccount, { guards, txId }: SignedAttempt, node: FakeNode = { name: 'one' }) =>
  laneOf(chain, [node]).payoutVerdict(guards, [txId])

const paidIn = ({ unknown }: LaneReading) => unknown.map(({ to }) => to)

describe('numbers that an account holds aside', () => {
  it('are given first, lowest first, and do not count among those that wait for each other', async () => {
    const chain = accountWithAside()
    const lane = laneOf(chain, undefined, { order: { kind: 'strict', mostOpen: 2 } })
    const made = await lane.prepare(items('a', 'b', 'c', 'd', 'e', 'f'), { sequence: 104 })
    expect(numbersOf(made.prepared)).toEqual([101, 102, 103, 104, 105, null])
    expect(numbersOf((await lane.prepare(items('g'), made.position)).prepared)).toEqual([null])
  })

  it('are given once while a payment that has one may land, and again once that expired unused', async () => {
    const chain = accountWithAside()
    const first = await signed(chain, { sequence: 104 }, 'a')
    expect(numbersOf((await laneOf(chain).prepare(items('b'), first.position)).prepared)).toEqual([102])
    chain.height = 60n + FINAL + 1n
    expect(numbersOf((await laneOf(chain).prepare(items('b'), first.position)).prepared)).toEqual([101])
  })

  it('land in any order, and one that got lost holds up none', async () => {
    const chain = accountWithAside()
    const { attempts } = await signed(chain, { sequence: 104 }, 'a', 'lost', 'c', 'd')
    const landed = [...attempts].reverse().filter((attempt) => !attempt.txId.includes('lost'))
    expect(landed.map((attempt) => chain.land(attempt))).toEqual([true, true, true])
    expect(numbersOf((await laneOf(chain).prepare(items('e'), { sequence: 105 })).prepared)).toEqual([102])
  })

  it('that a payment has and the final state still holds were used by nothing, whatever a node forgot', async () => {
    const chain = accountWithAside()
    const attempt = await one(chain, { sequence: 104 }, 'a')
    chain.height = 60n + FINAL
    expect(await verdict(chain, attempt)).toBe('alive')
    chain.height += 1n
    expect(await verdict(chain, attempt, { name: 'one', history: 64n })).toBe('dead')
  })

  it('are used up once they are not held any more: by what, must be seen and final', async () => {
    const chain = accountWithAside()
    const [attempt, other] = [await one(chain, { sequence: 104 }, 'a'), await one(chain, { sequence: 104 }, 'other')]
    chain.land(other)
    chain.height += FINAL - 1n
    expect(await verdict(chain, attempt)).toBe('alive')
    chain.height += 1n
    expect(await verdict(chain, attempt)).toBe('dead')
    expect(await verdict(chain, attempt, { name: 'one', unlisted: new Set([other.txId]) })).toBe('alive')
    expect(await verdict(chain, other)).toBe('landed')
  })

  it('are below the next number, and yet not used up while they are held', async () => {
    const chain = accountWithAside()
    const lane = laneOf(chain, undefined, { newest: () => 55n })
    const attempt = await one(chain, { sequence: 104 }, 'a')
    expect(await lane.mayBeDead?.(attempt.guards)).toBe(false)
    chain.land(await one(chain, { sequence: 104 }, 'other'))
    expect(await lane.mayBeDead?.(attempt.guards)).toBe(true)
  })

  it('need no explanation when a lane is read, and what used one is told once', async () => {
    const chain = accountWithAside()
    // Put aside after the journal was written: what did it is listed, as the account's own.
    const place = { position: { sequence: 100 }, sinceHeight: chain.height }
    const put = await one(chain, { sequence: 104 }, 'put aside')
    chain.land(put)
    const [did] = chain.sent.splice(0)
    if (did !== undefined) chain.sent.push({ ...did, sequence: 100n })
    const open = await laneOf(chain).read(ACCOUNT, place)
    expect([open.complete, paidIn(open)]).toEqual([true, ['put aside']])
    const next = await signed(chain, open.position, 'a')
    for (const attempt of next.attempts) chain.land(attempt)
    const read = (position: Json) => laneOf(chain).read(ACCOUNT, { position, sinceHeight: place.sinceHeight })
    expect(paidIn(await read(open.position))).toEqual(['a'])
    expect(paidIn(await read(next.position))).toEqual([])
  })

  it('F121: read again after one was spent by something else, the list goes back to where the payment was signed', async () => {
    const chain = accountWithAside()
    const asked: unknown[] = []
    const list = chain.list.bind(chain)
    chain.list = (node, account, since) => {
      asked.push(since)
      return list(node, account, since)
    }
    const attempt = await one(chain, { sequence: 104 }, 'a')
    chain.land(await one(chain, { sequence: 104 }, 'foreign'))
    chain.height = 400n
    const place = { position: { sequence: 104 }, sinceHeight: 390n }
    const again = await laneOf(chain).readAgain?.(ACCOUNT, place, attempt.guards)
    expect([again?.complete, again === undefined ? [] : paidIn(again)]).toEqual([true, ['foreign']])
    expect(asked).toEqual([{ height: 50n }])
  })
})

describe('an account that stands where its journal saw it last', () => {
  it('needs no older history, also with a payment that expired', async () => {
    const chain = accountWithAside()
    const first = await laneOf(chain).read(ACCOUNT, null)
    const { position } = await signed(chain, first.position, 'expires')
    chain.height = 900n
    const asked: unknown[] = []
    chain.list = async (_node, _account, since) => {
      asked.push(since)
      return { transactions: [] }
    }
    const reading = await laneOf(chain).read(ACCOUNT, { position, sinceHeight: 50n })
    expect([reading.complete, reading.unknown, asked]).toEqual([true, [], [{ height: 900n - FINAL }]])
  })

  it('is listed once a number was used that it holds aside, or one in order', async () => {
    for (const names of [['a'], ['a', 'b', 'c', 'd']]) {
      const chain = accountWithAside()
      const { position } = await laneOf(chain).read(ACCOUNT, null)
      const { attempts } = await signed(chain, position, ...names)
      const last = attempts.at(-1)
      if (last !== undefined) chain.land(last)
      chain.height += FINAL
      expect(paidIn(await laneOf(chain).read(ACCOUNT, { position, sinceHeight: 50n }))).toEqual(names.slice(-1))
    }
  })

  it('is not taken for settled while its transactions cannot all be read', async () => {
    const chain = accountWithAside()
    const { position } = await laneOf(chain).read(ACCOUNT, null)
    chain.land(await one(chain, position, 'a'))
    const short = { name: 'one', gap: 'a server has no ledgers before 50' }
    const reading = await laneOf(chain, [short]).read(ACCOUNT, { position, sinceHeight: 50n })
    expect([reading.complete, reading.position]).toMatchObject([false, { settled: { next: '104', aside: 3 } }])
  })
})
