import { describe, expect, it } from 'vitest'
import { memoryMappings } from '../memoryMappings.test.support.js'
import type { Transfer } from '../read/transfers.js'
import { WaitingTransfers } from './waitingTransfers.js'

const [CHAIN_ID, HOUR, T] = [1337, 3_600_000, 1_796_000_000_000]
const wallet = `0x${'11'.repeat(20)}`
const id = `0x${'5a'.repeat(32)}` as const

const transfer = (nonce: number | null, time = T): Transfer => ({
  ...{ hash: `0x${nonce ?? 'usd'}`, time, from: wallet, to: 'depository', currency: 'c', amount: 1n, fee: 0n },
  ...{ isFeeInKind: false, nonce },
})

const opened = (waitMs = HOUR) => {
  let now = T
  const mappings = memoryMappings(() => now)
  const waiting = new WaitingTransfers({ chainId: CHAIN_ID, mappings, waitMs })
  const read = async (transfers: readonly Transfer[], after: number, upTo: number, isWhole = true) => {
    const range = { after: BigInt(after), upTo: BigInt(upTo), isWhole }
    return (await waiting.settle(transfers, range)).map(({ nonce, mapping }) => [nonce, mapping?.id ?? null])
  }
  return {
    ...{ waiting, read },
    map: (nonce: number, at = T) => {
      now = at
      return mappings.register({ chainId: CHAIN_ID, wallet, depositor: wallet, nonce, id }, { holder: null })
    },
  }
}

describe('a transfer waits for its mapping', () => {
  it('is reported with its order where the mapping came first', async () => {
    const { read, map } = opened()
    await map(1)
    expect(await read([transfer(1)], T - 1, T)).toEqual([[1, id]])
  })

  it('is reported once the mapping comes, within the hour', async () => {
    const { read, map } = opened()
    expect(await read([transfer(1)], T - 1, T)).toEqual([])
    await map(1, T + HOUR)
    expect(await read([], T, T + HOUR - 1)).toEqual([[1, id]])
    expect(await read([], T + HOUR - 1, T + HOUR)).toEqual([])
  })

  it('has no order after an hour, and a later mapping gives it none', async () => {
    const { read, map } = opened()
    expect(await read([transfer(1)], T - 1, T)).toEqual([])
    await map(1, T + HOUR + 1)
    expect(await read([], T, T + HOUR)).toEqual([[1, null]])
  })

  it('is reported again where the page was not stored', async () => {
    const { read, map } = opened()
    await read([transfer(1)], T - 1, T)
    await map(1)
    expect(await read([], T, T + 5)).toEqual([[1, id]])
    expect(await read([], T, T + 9)).toEqual([[1, id]])
    expect(await read([], T + 9, T + 12)).toEqual([])
  })

  it('is not reported with a part of a range', async () => {
    const { read, map } = opened()
    await read([transfer(1)], T - 1, T)
    await map(1)
    expect(await read([transfer(2, T + 1)], T, T + 5, false)).toEqual([])
    expect(await read([], T, T + 5)).toEqual([[1, id]])
  })

  it('takes no mapping of another sender with the same nonce', async () => {
    const { read, map } = opened(0)
    await map(1)
    const other = { ...transfer(1), hash: '0xother', from: `0x${'22'.repeat(20)}` }
    expect(await read([transfer(1), other], T - 1, T)).toEqual([
      [1, id],
      [1, null],
    ])
  })

  it('never waits where the ledger shows no nonce', async () => {
    const { read } = opened()
    expect(await read([transfer(null)], T - 1, T)).toEqual([[null, null]])
  })

  it('does not wait behind very many others', async () => {
    const { read } = opened()
    const many = Array.from({ length: 2002 }, (_, at) => transfer(at + 1))
    expect(await read(many, T - 1, T)).toEqual([
      [1, null],
      [2, null],
    ])
  })
})
