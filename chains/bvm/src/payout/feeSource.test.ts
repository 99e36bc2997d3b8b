import { ServiceError } from '@causeway/core'
import { describe, expect, test } from 'vitest'
import type { BitcoinSource } from '../rpc/bitcoinSource.js'
import type { FeeRate } from './coins/feeRate.js'
import { FeeSource, LAST_RATE_MS, RATE_MS } from './feeSource.js'

/** Fee answer of a node: a rate, none, or a failure. */
type Said = FeeRate | null | 'away'

const UNTOLD = { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/estimates network fees/) }

const worldOf = (said: Said[], needsEstimate = true) => {
  let now = 1_000_000
  const asked: number[] = []
  const nodes = said.map((_, at) => ({
    ask: async <T>(question: (source: BitcoinSource, signal: AbortSignal) => Promise<T>): Promise<T> => {
      asked.push(at)
      const answer = said[at] ?? null
      if (answer === 'away') throw new ServiceError('RPC_HTTP_ERROR', 'away')
      // CAST: nothing else is asked.
      return question({ feeRate: async () => answer } as unknown as BitcoinSource, AbortSignal.timeout(1000))
    },
  }))
  const source = new FeeSource({
    pool: { ordered: () => nodes },
    bounds: { floor: 1000n, cap: 200_000n },
    target: 2,
    needsEstimate,
    clock: { now: () => now },
  })
  const rate = () => source.rate()
  const pass = (ms: number) => {
    now += ms
  }
  return { said, asked, rate, pass }
}

describe('F167: the fee rate where nodes estimate none', () => {
  test('is that of the next node', async () => {
    const world = worldOf([null, 'away', 25_000n])
    expect(await world.rate()).toBe(25_000n)
    expect(world.asked).toEqual([0, 1, 2])
  })

  test.each([
    ['none estimates', [null, null]],
    ['none answers', ['away', 'away']],
  ] as const)('is the last one while %s, for six hours', async (_, later) => {
    const world = worldOf([25_000n, null])
    expect(await world.rate()).toBe(25_000n)
    world.said.splice(0, 2, ...later)
    world.pass(RATE_MS)
    expect(await world.rate()).toBe(25_000n)
    world.pass(LAST_RATE_MS - RATE_MS - 1)
    expect(await world.rate()).toBe(25_000n)
    world.pass(RATE_MS)
    await expect(world.rate()).rejects.toSatisfy((error) => ServiceError.is(error))
    world.said[1] = 30_000n
    expect(await world.rate()).toBe(30_000n)
  })

  test('is refused on the main network before one was known, and the floor elsewhere', async () => {
    await expect(worldOf([null]).rate()).rejects.toMatchObject(UNTOLD)
    await expect(worldOf(['away', null]).rate()).rejects.toMatchObject(UNTOLD)
    expect(await worldOf([null, 'away'], false).rate()).toBe(1000n)
    await expect(worldOf(['away'], false).rate()).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  })

  test('is within the bounds of the operator', async () => {
    expect(await worldOf([1n]).rate()).toBe(1000n)
    expect(await worldOf([900_000n]).rate()).toBe(200_000n)
  })
})
