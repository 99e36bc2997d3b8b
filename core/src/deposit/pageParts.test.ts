import { describe, expect, it } from 'vitest'
import type { Arrival } from '../chain/address/depositAddresses.js'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Hex } from '../money/hex.js'
import { PART_SIZE, partsOf } from './pageParts.js'

const orderOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

let index = 0
const block = { height: 1n, hash: '0x02', time: 1 }
const deposit = (orderId: Hex | null): DepositEvent => ({
  state: 'included',
  tx: { id: '0x01' },
  position: index,
  index: index++,
  orderId,
  depositor: 'user',
  depository: 'depository',
  money: { currency: 'coin', amount: 1n },
  block,
  txData: { from: 'user', to: 'depository', data: '0x', value: '0' },
  fee: 0n,
})
const arrival = (address: string): Arrival => ({
  state: 'included',
  tx: { id: '0x01' },
  position: index++,
  to: { address },
  money: { currency: 'coin', amount: 1n },
  sender: 'user',
  block,
})

const deposits = (count: number, orderId: Hex | null) => Array.from({ length: count }, () => deposit(orderId))
const arrivals = (count: number, address: string) => Array.from({ length: count }, () => arrival(address))

const split = (page: { readonly arrivals?: readonly Arrival[]; readonly deposits?: readonly DepositEvent[] }) =>
  partsOf({ deposits: [], cursor: null, height: 1n, tip: 1n, rewoundTo: null, ...page })

describe('F132: parts in which a page is stored', () => {
  it('are one for what a page usually holds, in the order of the chain, and for an empty one', () => {
    const page = {
      arrivals: [...arrivals(PART_SIZE.arrivals - 1, 'flooded'), arrival('other')],
      deposits: [...deposits(PART_SIZE.deposits - 2, orderOf(1)), deposit(null), deposit(orderOf(2))],
    }
    expect(split(page)).toEqual([page])
    expect(split({})).toEqual([{ arrivals: [], deposits: [] }])
  })

  it('are bounded, hold everything once, and no deposit before the last arrival', () => {
    const page = {
      arrivals: arrivals(1_100, 'flooded'),
      deposits: [...deposits(1_000, orderOf(1)), ...deposits(700, null)],
    }
    const parts = split(page)
    expect(Math.max(...parts.map((part) => part.arrivals.length))).toBe(PART_SIZE.arrivals)
    expect(Math.max(...parts.map((part) => part.deposits.length))).toBe(PART_SIZE.deposits)
    expect(parts.flatMap((part) => part.arrivals)).toEqual(page.arrivals)
    expect(new Set(parts.flatMap((part) => part.deposits))).toEqual(new Set(page.deposits))
    expect(parts.flatMap((part) => part.deposits)).toHaveLength(page.deposits.length)
    const lastArrival = parts.findLastIndex((part) => part.arrivals.length > 0)
    expect(parts.findIndex((part) => part.deposits.length > 0)).toBe(lastArrival)
  })

  it('begin with orders of few deposits and end with what names no order; those of one order keep their turn', () => {
    const [first, second] = [deposit(orderOf(7)), deposit(orderOf(7))]
    const many = [deposits(400, null), deposits(400, orderOf(1)), [first], deposits(400, orderOf(1)), [second]].flat()
    const ordered = split({ deposits: many }).flatMap((part) => part.deposits)
    expect(ordered.slice(0, 2)).toEqual([first, second])
    expect(ordered.slice(2, 802).every(({ orderId }) => orderId === orderOf(1))).toBe(true)
    const places = ordered.slice(2, 802).map(({ index: place }) => place)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
    expect(ordered.slice(802).every(({ orderId }) => orderId === null)).toBe(true)
  })

  it('begin with addresses of few payments, and keep the order of those to one address', () => {
    const others = [arrival('one'), arrival('two'), arrival('one')]
    const many = [...arrivals(700, 'flooded'), ...others.slice(0, 1), ...arrivals(700, 'flooded'), ...others.slice(1)]
    const ordered = split({ arrivals: many }).flatMap((part) => part.arrivals)
    expect(ordered.slice(0, 3)).toEqual(others)
    expect(new Set(ordered)).toEqual(new Set(many))
    const places = ordered.slice(3).map((item) => item.position)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
  })
})
