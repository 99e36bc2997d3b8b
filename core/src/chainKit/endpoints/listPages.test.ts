import { expect, it } from 'vitest'
import { listPages } from './listPages.js'

const ENTRIES = [1, 2, 3, 4, 5]

const read = async (most: number) => {
  const asked: (number | undefined)[] = []
  const pages: (readonly number[])[] = []
  const ask = async (last: number | undefined) => {
    asked.push(last)
    return ENTRIES.filter((entry) => entry > (last ?? 0)).slice(0, 2)
  }
  for await (const page of listPages(most, ask)) pages.push(page)
  return { pages, asked }
}

it('each page is asked for from the last entry before, up to an empty page', async () => {
  expect(await read(10)).toEqual({ pages: [[1, 2], [3, 4], [5]], asked: [undefined, 2, 4, 5] })
})

it('a list without an end is left after so many pages', async () => {
  expect((await read(2)).pages).toEqual([
    [1, 2],
    [3, 4],
  ])
})
