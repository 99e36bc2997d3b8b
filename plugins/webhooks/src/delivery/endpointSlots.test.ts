import { expect, it } from 'vitest'
import { EndpointSlots } from './endpointSlots.js'

const slotsOf = (slots: EndpointSlots, id: bigint, now: number) =>
  slots.limits(now).find(({ endpointId }) => endpointId === id)?.slots ?? slots.unknown

it('an endpoint begins with two calls and gets more with every success, up to its limit', () => {
  const slots = new EndpointSlots({ total: 100, perEndpoint: 16 })
  const seen: number[] = []
  for (let call = 0; call < 6; call += 1) {
    seen.push(slotsOf(slots, 1n, 0))
    slots.begin(1n)
    slots.end(1n, true, 0)
  }
  expect(seen).toEqual([2, 4, 8, 16, 16, 16])
})

it('one that fails five times in a row gets a single call, with rests that grow to a minute, and all again with a success', () => {
  const slots = new EndpointSlots({ total: 100, perEndpoint: 16 })
  const fail = (now: number) => {
    slots.begin(1n)
    slots.end(1n, false, now)
  }
  for (let call = 0; call < 5; call += 1) fail(0)
  expect([slotsOf(slots, 1n, 999), slotsOf(slots, 1n, 1_000)]).toEqual([0, 1])
  fail(1_000)
  expect([slotsOf(slots, 1n, 2_999), slotsOf(slots, 1n, 3_000)]).toEqual([0, 1])
  for (let call = 0; call < 50; call += 1) fail(3_000)
  expect([slotsOf(slots, 1n, 62_999), slotsOf(slots, 1n, 63_000)]).toEqual([0, 1])
  slots.begin(1n)
  expect(slotsOf(slots, 1n, 63_000)).toBe(0)
  slots.end(1n, true, 63_000)
  expect(slotsOf(slots, 1n, 63_000)).toBeGreaterThan(1)
})

it('what was given back unsent says nothing of the endpoint, and its place is free again', () => {
  const slots = new EndpointSlots({ total: 3, perEndpoint: 16 })
  for (let call = 0; call < 3; call += 1) slots.begin(1n)
  expect(slots.free).toBe(0)
  for (let call = 0; call < 3; call += 1) slots.end(1n, null, 0)
  slots.forget(0)
  expect([slots.free, slots.limits(0)]).toEqual([3, []])
})

it('what failed is forgotten an hour later, so that removed endpoints leave nothing behind', () => {
  const slots = new EndpointSlots({ total: 3, perEndpoint: 16 })
  for (const [id, failures] of [
    [1n, 1],
    [2n, 9],
  ] as const) {
    for (let call = 0; call < failures; call += 1) {
      slots.begin(id)
      slots.end(id, false, 0)
    }
  }
  slots.forget(60_000)
  expect(slots.limits(60_000)).toHaveLength(2)
  slots.forget(3_700_000)
  expect(slots.limits(3_700_000)).toEqual([])
})
