import { describe, expect, it } from 'vitest'
import type { AccountSumsAt } from '../../chain/address/keptSums.js'
import { AccountSums, type AccountSumsDeps } from './accountSums.js'
import { ACCOUNT, type Entry, movesOf, type Node, nodeOf, silent, TaggedLedger } from './taggedLedger.test.support.js'

const came = (name: string, height: bigint, amount: bigint, part = '7'): Entry => ({ name, height, part, amount })
const left = (name: string, height: bigint, amount: bigint, part = '7'): Entry => came(name, height, -amount, part)

const sumsOf = (
  ledger: TaggedLedger,
  nodes: readonly Node[],
  history = 1_000n,
  kept?: NonNullable<AccountSumsDeps<Node, Entry>['kept']>,
) =>
  new AccountSums<Node, Entry>({
    ...{ source: ledger, account: ACCOUNT, history, movesOf, logger: silent },
    isFirst: ({ opens }) => opens === true,
    isThere: async () => ledger.entries.length > 0,
    pool: { providers: nodes, providerCount: nodes.length },
    ...(kept && { kept }),
  })

const sevenOf = async (sums: AccountSums<Node, Entry>, least?: bigint) => (await sums.read(least)).sumOf('7', 'coin')

describe('what lies under a part of an account', () => {
  it('is what came to it less what left it; other parts and currencies are others’', async () => {
    const ledger = new TaggedLedger([
      came('a', 3n, 10n),
      came('b', 4n, 5n, '8'),
      { ...came('c', 5n, 3n), currency: 'token' },
      left('d', 6n, 4n),
      came('e', 6n, 1n),
    ])
    const view = await sumsOf(ledger, [nodeOf('one', 10n)]).read()
    expect([view.sumOf('7', 'coin'), view.sumOf('8', 'coin'), view.sumOf('7', 'token')]).toEqual([7n, 5n, 3n])
    expect([view.sumOf('9', 'coin'), view.totalOf('coin'), view.height]).toEqual([0n, 12n, 10n])
  })

  it('is read on from where it was left: nothing is asked twice', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n)])
    const node = nodeOf('one', 10n)
    const sums = sumsOf(ledger, [node])
    await sums.read()
    node.head = 20n
    ledger.entries.push(left('b', 15n, 10n))
    expect(await sevenOf(sums)).toBe(0n)
    expect(ledger.requests.map(({ after }) => after)).toEqual([0n, 10n])
  })

  it('is read once for all who ask at the same time', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n)])
    const sums = sumsOf(ledger, [nodeOf('one', 10n)])
    expect(await Promise.all([sevenOf(sums), sevenOf(sums), sevenOf(sums)])).toEqual([10n, 10n, 10n])
    expect(ledger.requests).toHaveLength(1)
  })

  it('is never less than nothing: what came before the history that is read may have left since', async () => {
    const ledger = new TaggedLedger([left('a', 3n, 10n), came('b', 4n, 6n)])
    expect(await sevenOf(sumsOf(ledger, [nodeOf('one', 10n)]))).toBe(6n)
  })

  it('does not count a range twice whose mark a node forgot', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 1n), came('b', 4n, 2n), came('c', 5n, 4n)])
    const node = nodeOf('one', 10n, { forgets: true })
    const sums = sumsOf(ledger, [node])
    await expect(sums.read()).rejects.toThrow('Too few nodes')
    node.forgets = false
    expect(await sevenOf(sums)).toBe(7n)
  })
})

describe('a node that lags', () => {
  it('does not make what was read go back', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), left('b', 9n, 10n)])
    const node = nodeOf('one', 10n)
    const sums = sumsOf(ledger, [node])
    expect(await sevenOf(sums)).toBe(0n)
    node.head = 5n
    expect(await sevenOf(sums)).toBe(0n)
  })

  it('does not tell what lies there before it has come to the last sweep', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), left('b', 9n, 10n)])
    const node = nodeOf('one', 8n)
    const sums = sumsOf(ledger, [node])
    expect(await sevenOf(sums)).toBe(10n)
    await expect(sums.read(9n)).rejects.toThrow('Too few nodes')
    node.head = 9n
    expect(await sevenOf(sums, 9n)).toBe(0n)
  })

  it('is not believed where another one has shown more already', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), left('b', 9n, 10n)])
    const nodes = [nodeOf('one', 10n), nodeOf('two', 5n), nodeOf('three', 10n)]
    const sums = sumsOf(ledger, nodes)
    await sums.read()
    for (const node of nodes) node.away = node.name !== 'two'
    await expect(sums.read()).rejects.toThrow('Too few nodes')
  })
})

describe('providers (faults.md F107)', () => {
  it('where two are configured, two must answer', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n)])
    const nodes = [nodeOf('one', 10n), nodeOf('two', 10n, { away: true })]
    await expect(sumsOf(ledger, nodes).read()).rejects.toThrow('Too few nodes')
  })

  it('one that hides what left does not have the money of others swept', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), left('b', 4n, 10n), came('c', 5n, 99n, '8')])
    const liar = nodeOf('one', 10n, { hides: ['b'] })
    expect(await sevenOf(sumsOf(ledger, [liar, nodeOf('two', 10n)]))).toBe(0n)
  })

  it('one that left a payment out, and shows it later, is read anew', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n)])
    const node = nodeOf('one', 10n, { hides: ['a'] })
    const sums = sumsOf(ledger, [node, nodeOf('two', 10n)])
    expect(await sevenOf(sums)).toBe(0n)
    delete node.hides
    expect(await sevenOf(sums)).toBe(10n)
  })
})

describe('history that a node lacks', () => {
  it('is no answer: a gap is never taken for no payments', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), came('b', 8n, 10n)])
    await expect(sumsOf(ledger, [nodeOf('one', 10n, { since: 5n })]).read()).rejects.toThrow('Too few nodes')
  })

  it('is no answer either where nothing happened since', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n)])
    const node = nodeOf('one', 10n, { since: 5n })
    const sums = sumsOf(ledger, [node])
    await expect(sums.read()).rejects.toThrow('Too few nodes')
    delete node.since
    expect(await sevenOf(sums)).toBe(10n)
  })

  it('is not missed while the account is not there', async () => {
    const ledger = new TaggedLedger()
    const node = nodeOf('one', 10n, { since: 5n })
    const sums = sumsOf(ledger, [node])
    expect(await sevenOf(sums)).toBe(0n)
    node.head = 20n
    ledger.entries.push({ ...came('a', 15n, 10n), opens: true })
    expect(await sevenOf(sums)).toBe(10n)
  })

  it('is not missed where the account came about later', async () => {
    const ledger = new TaggedLedger([{ ...came('a', 6n, 10n), opens: true }, came('b', 8n, 5n)])
    expect(await sevenOf(sumsOf(ledger, [nodeOf('one', 10n, { since: 5n })]))).toBe(15n)
  })

  it('is not missed where it lies before what is asked for', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), came('b', 98n, 5n)])
    expect(await sevenOf(sumsOf(ledger, [nodeOf('one', 100n, { since: 50n })], 20n))).toBe(5n)
  })
})

describe('F155: sums are kept between starts', () => {
  /** Keeps them as the database does. */
  class Keeper {
    stored: AccountSumsAt | null = null

    async load(): Promise<AccountSumsAt | null> {
      return this.stored
    }

    async save(changed: AccountSumsAt, after: bigint | null): Promise<boolean> {
      const { stored } = this
      if (after !== null && (stored === null || stored.height < after || stored.height > changed.height)) return false
      const keyOf = ({ part, currency }: AccountSumsAt['sums'][number]) => `${part} ${currency}`
      const kept = new Map((after === null ? [] : (stored?.sums ?? [])).map((sum) => [keyOf(sum), sum]))
      for (const sum of changed.sums) kept.set(keyOf(sum), sum)
      this.stored = { ...changed, sums: [...kept.values()].filter(({ amount }) => amount > 0n) }
      return true
    }
  }

  const flood = (count: number): Entry[] =>
    Array.from({ length: count }, (_, at) => came(`${at}`, 3n, 1n, `${at % 50}`))

  it('a start reads what came since the last reading, and no flood of before', async () => {
    const ledger = new TaggedLedger([...flood(400), came('mine', 4n, 10n, 'mine')])
    const [keeper, nodes] = [new Keeper(), [nodeOf('one', 10n), nodeOf('two', 10n)]]
    const mineOf = async (sums: AccountSums<Node, Entry>) => (await sums.read()).sumOf('mine', 'coin')
    expect(await mineOf(sumsOf(ledger, nodes, 1_000n, keeper))).toBe(10n)
    // Pages of two, at two nodes.
    expect(ledger.requests.length).toBeGreaterThan(400)
    ledger.requests.length = 0
    for (const node of nodes) node.head = 20n
    ledger.entries.push(left('swept', 15n, 4n, 'mine'))
    const started = sumsOf(ledger, nodes, 1_000n, keeper)
    expect(await mineOf(started)).toBe(6n)
    expect((await started.read()).sumOf('7', 'coin')).toBe(8n)
    expect(ledger.requests.map(({ after }) => after)).toEqual([10n, 10n])
    // Empty parts have no row.
    for (const node of nodes) node.head = 30n
    ledger.entries.push(left('rest', 25n, 6n, 'mine'))
    expect(await mineOf(sumsOf(ledger, nodes, 1_000n, keeper))).toBe(0n)
    expect(keeper.stored).toMatchObject({ height: 30n, moved: 30n })
    expect(keeper.stored?.sums.some(({ part }) => part === 'mine')).toBe(false)
  })

  it('what providers do not show alike is kept by no reading', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n), left('b', 4n, 10n)])
    const keeper = new Keeper()
    const liar = nodeOf('one', 10n, { hides: ['b'] })
    await sumsOf(ledger, [liar, nodeOf('two', 10n)], 1_000n, keeper).read()
    expect(keeper.stored).toBeNull()
    await sumsOf(ledger, [nodeOf('one', 11n), nodeOf('two', 10n)], 1_000n, keeper).read()
    expect(keeper.stored).toBeNull()
  })

  it('they do not count where more history is configured than they were read from, or no ledger has come so far', async () => {
    const ledger = new TaggedLedger([came('old', 910n, 1n), came('new', 960n, 2n)])
    const keeper = new Keeper()
    const node = nodeOf('one', 1_000n)
    expect(await sevenOf(sumsOf(ledger, [node], 50n, keeper))).toBe(2n)
    expect(await sevenOf(sumsOf(ledger, [node], 100n, keeper))).toBe(3n)
    expect(keeper.stored).toMatchObject({ since: 900n, height: 1_000n })
    keeper.stored = { since: 0n, height: 9_000n, moved: 8_000n, sums: [] }
    expect(await sevenOf(sumsOf(ledger, [node], 100n, keeper))).toBe(3n)
    expect(keeper.stored).toMatchObject({ since: 900n, height: 1_000n })
  })

  it('a database that is away costs the reading of the history, and no answer', async () => {
    const ledger = new TaggedLedger([came('a', 3n, 10n)])
    const away = async () => {
      throw new Error('away')
    }
    expect(await sevenOf(sumsOf(ledger, [nodeOf('one', 10n)], 1_000n, { load: away, save: away }))).toBe(10n)
  })
})
