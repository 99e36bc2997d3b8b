import { describe, expect, it } from 'vitest'
import type { Arrival } from '../chain/address/depositAddresses.js'
import { PART_SIZE, partsOf } from './arrivalParts.js'

let position = 0
const arrival = (address: string): Arrival => ({
  state: 'included',
  tx: { id: '0x01' },
  position: position++,
  to: { address },
  money: { currency: 'coin', amount: 1n },
  sender: 'user',
  block: { height: 1n, hash: '0x02', time: 1 },
})

const times = (count: number, address: string) => Array.from({ length: count }, () => arrival(address))

describe('F132: parts in which arrivals of a page are stored', () => {
  it('are one for what a page usually holds, in the order of the chain, and for an empty one', () => {
    const page = [...times(PART_SIZE - 1, 'flooded'), arrival('other')]
    expect(partsOf(page)).toEqual([page])
    expect(partsOf([])).toEqual([[]])
  })

  it('are bounded, begin with addresses of few payments, and keep the order of those to one address', () => {
    const others = [arrival('one'), arrival('two'), arrival('one')]
    const page = [...times(700, 'flooded'), ...others.slice(0, 1), ...times(700, 'flooded'), ...others.slice(1)]
    const parts = partsOf(page)
    expect(Math.max(...parts.map(({ length }) => length))).toBe(PART_SIZE)
    const ordered = parts.flat()
    expect(ordered.slice(0, 3)).toEqual(others)
    expect(new Set(ordered)).toEqual(new Set(page))
    const places = ordered.slice(3).map((item) => item.position)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
  })
})
