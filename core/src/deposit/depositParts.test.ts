import { describe, expect, it } from 'vitest'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Hex } from '../money/hex.js'
import { PART_SIZE, partsOf } from './depositParts.js'

const orderOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

let index = 0
const deposit = (orderId: Hex | null): DepositEvent => ({
  state: 'included',
  tx: { id: '0x01' },
  position: index,
  index: index++,
  orderId,
  depositor: 'user',
  depository: 'depository',
  money: { currency: 'coin', amount: 1n },
  block: { height: 1n, hash: '0x02', time: 1 },
  txData: { from: 'user', to: 'depository', data: '0x', value: '0' },
  fee: 0n,
})

const times = (count: number, orderId: Hex | null) => Array.from({ length: count }, () => deposit(orderId))

describe('F132: parts in which a page is stored', () => {
  it('are one for what a page usually holds, in the order of the chain, and for an empty one', () => {
    const page = [...times(PART_SIZE - 2, orderOf(1)), deposit(null), deposit(orderOf(2))]
    expect(partsOf(page)).toEqual([page])
    expect(partsOf([])).toEqual([[]])
  })

  it('are bounded and hold every deposit once', () => {
    const page = [...times(1_000, orderOf(1)), ...times(700, null)]
    const parts = partsOf(page)
    expect(Math.max(...parts.map(({ length }) => length))).toBe(PART_SIZE)
    expect(new Set(parts.flat())).toEqual(new Set(page))
    expect(parts.flat()).toHaveLength(page.length)
  })

  it('begin with orders of few deposits and end with what names no order; those of one order keep their turn', () => {
    const [first, second] = [deposit(orderOf(7)), deposit(orderOf(7))]
    const page = [...times(400, null), ...times(400, orderOf(1)), first, ...times(400, orderOf(1)), second]
    const ordered = partsOf(page).flat()
    expect(ordered.slice(0, 2)).toEqual([first, second])
    expect(ordered.slice(2, 802).every(({ orderId }) => orderId === orderOf(1))).toBe(true)
    const places = ordered.slice(2, 802).map(({ index: place }) => place)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
    expect(ordered.slice(802).every(({ orderId }) => orderId === null)).toBe(true)
  })
})
