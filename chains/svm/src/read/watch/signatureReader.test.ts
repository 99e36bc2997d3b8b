import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ask } from '../../rpc/head/blockReader.js'
import type { Floor } from './cursor.js'
import { SignatureReader } from './signatureReader.js'

interface Span {
  readonly limit: number
  readonly until?: string
  readonly before?: string
}

/** What getSignaturesForAddress means, over a list, newest first. */
const nodeOf = (slots: readonly number[], finalized: number): { readonly ask: Ask; readonly largest: () => number } => {
  const newestFirst = slots.map((slot, at) => ({ signature: `s${at}`, slot, err: null })).reverse()
  let largest = 0
  return {
    largest: () => largest,
    ask: async (calls) =>
      calls.map(({ method, params }) => {
        if (method === 'getSlot') return { ok: true, result: finalized }
        const { limit, until, before } = params[1] as Span
        const from = before === undefined ? 0 : newestFirst.findIndex(({ signature }) => signature === before) + 1
        const end = newestFirst.findIndex(({ signature }) => signature === until)
        const result = newestFirst.slice(from, end === -1 ? undefined : end).slice(0, limit)
        largest = Math.max(largest, result.length)
        return { ok: true, result }
      }),
  }
}

const ascending = fc.array(fc.nat({ max: 40 }), { maxLength: 300 }).map((slots) => slots.sort((a, b) => a - b))

test('chains.md svm 4: whatever the page and the backlog, no signature is left out and none comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(ascending, fc.integer({ min: 2, max: 7 }), fc.nat({ max: 45 }), async (slots, page, begin) => {
      const { ask, largest } = nodeOf(slots, 1000)
      const reader = new SignatureReader(page)
      let floor: Floor = { signature: null, slot: BigInt(begin) }
      const seen: string[] = []
      for (let round = 0; round < 200; round += 1) {
        const { hits } = await reader.read(new Map([['address', floor]]), ask)
        const list = hits.get('address') ?? []
        // A part is at most twenty pages, so memory is bounded however long the backlog.
        expect(list.length).toBeLessThanOrEqual(20 * page)
        seen.push(...list.map(({ signature }) => signature))
        const last = list.at(-1)
        if (last !== undefined) floor = last
        reader.passed('address', last?.signature, floor)
        if (list.length === 0 && !reader.isBehind) break
      }
      const wanted = slots.flatMap((slot, at) => (slot >= begin ? [`s${at}`] : []))
      expect(seen).toEqual(wanted)
      expect(largest()).toBeLessThanOrEqual(page)
    }),
  )
})

test('while a backlog is read in parts, the reading reaches only as far as its oldest part', async () => {
  const slots = Array.from({ length: 100 }, (_, at) => at + 1)
  const { ask } = nodeOf(slots, 1000)
  const reader = new SignatureReader(2)
  const listing = await reader.read(new Map([['address', { signature: null, slot: 0n }]]), ask)
  expect(reader.isBehind).toBe(true)
  expect(listing.until).toBe(listing.hits.get('address')?.at(-1)?.slot)
  expect(listing.hits.get('address')?.[0]?.slot).toBe(1n)
})

test('a backlog that fills its parts to the last place ends', async () => {
  const { ask } = nodeOf(
    Array.from({ length: 40 }, (_, at) => at + 1),
    1000,
  )
  const reader = new SignatureReader(2)
  const { hits } = await reader.read(new Map([['address', { signature: null, slot: 0n }]]), ask)
  expect(hits.get('address')).toHaveLength(40)
  expect(reader.isBehind).toBe(false)
})

test('F160: a node that lists signatures without an end, or upwards, is left', async () => {
  let listed = 0
  const endless =
    (slotOf: (at: number) => number): Ask =>
    async (calls) =>
      calls.map(({ method }) => {
        if (method === 'getSlot') return { ok: true, result: 1000 }
        listed += 2
        const result = [listed - 1, listed].map((at) => ({ signature: `s${at}`, slot: slotOf(at), err: null }))
        return { ok: true, result }
      })
  const floors = new Map([['address', { signature: null, slot: 0n }]])
  for (const slotOf of [() => 900, (at: number) => at])
    await expect(new SignatureReader(2).read(floors, endless(slotOf))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})
