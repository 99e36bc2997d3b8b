import { expect, it } from 'vitest'
import type { LaneSince, SentTransaction } from '../sequenceChain.js'
import { type BackListing, listBack } from './listBack.js'

/** A transaction by its number; `by` others, `aside` by a number that was held aside, `first` of the account. */
interface Shown {
  readonly number: bigint
  readonly by?: 'others'
  readonly aside?: true
  readonly first?: true
}

const sentOf = ({ number, aside }: Shown): SentTransaction => ({
  tx: { id: `${number}` },
  ...{ sequence: number, until: number + 10n, ...(aside && { aside }) },
  ...{
    memo: null,
    to: 'bob',
    money: { currency: 'coin', amount: 1n },
    block: null,
    revert: null,
    fee: 0n,
    arrived: null,
  },
  txData: { from: 'account', to: 'bob', data: '', value: '1' },
})

const list = async (
  pages: readonly (readonly Shown[])[],
  since: LaneSince,
  changes: Partial<BackListing<Shown>> = {},
) => {
  let read = 0
  const listing = async function* () {
    for (const page of pages) {
      read += 1
      yield page
    }
  }
  const found = await listBack({
    ...{ pages: listing(), since, gap: 'blocks are missing' },
    sentOf: (shown: Shown) => (shown.by === undefined ? sentOf(shown) : null),
    isFirst: ({ first }: Shown) => first === true,
    ...changes,
  })
  return { ids: found.transactions.map(({ tx }) => Number(tx.id)), gap: found.gap, read }
}

const PAGES: readonly (readonly Shown[])[] = [
  [{ number: 9n }, { number: 100n, by: 'others' }],
  [{ number: 3n, aside: true }, { number: 8n }],
  [{ number: 7n }],
]

it('lists what the account sent, and names the gap of a node whose pages end too early', async () => {
  expect(await list(PAGES, { height: 5n })).toEqual({ ids: [9, 3, 8, 7], gap: 'blocks are missing', read: 3 })
  expect(await list(PAGES, { height: 5n }, { gap: null })).toMatchObject({ gap: undefined })
})

it('ends at a number in order, which all later ones come after, but never at one that was held aside', async () => {
  expect(await list(PAGES, { sequence: 8n })).toEqual({ ids: [9, 3, 8], gap: undefined, read: 2 })
  expect(await list(PAGES, { sequence: 4n })).toMatchObject({ gap: 'blocks are missing', read: 3 })
})

it('ends at the transaction that created the account, which may be of others', async () => {
  const pages = [[{ number: 9n }], [{ number: 1n, by: 'others', first: true }] as const, [{ number: 7n }]]
  expect(await list(pages, { height: 0n })).toEqual({ ids: [9], gap: undefined, read: 2 })
})

it('gives up after so many pages, and says so', async () => {
  expect(await list(PAGES, { height: 0n }, { mostPages: 2, gap: null })).toMatchObject({
    ids: [9, 3, 8],
    gap: 'there is more than a node lists',
  })
  expect(await list(PAGES, { height: 0n }, { mostPages: 3, gap: null })).toMatchObject({ gap: undefined })
})
