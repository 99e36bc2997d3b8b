import { ChainRegistry } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { chainOf } from '../chainStandIn.test.support.js'
import type { ChainListing } from '../chainsOptions.js'
import { HeadWatch } from './headWatch.js'

const NOW = 1_800_000_000
const headAged = (seconds: number) => ({ height: 1n, hash: '0x01', time: NOW - seconds })

const oldAt = async (seconds: number, declared: number | undefined, listing: ChainListing = {}): Promise<boolean> => {
  const watch = new HeadWatch({
    chains: new ChainRegistry([]),
    clock: { now: () => NOW * 1000 },
    listing: () => listing,
  })
  return watch.isOld(chainOf({ id: 1 }, undefined, declared), headAged(seconds))
}

describe('when the newest block of a chain is too old', () => {
  it.each([
    ['without a declared time between heads', undefined, 600],
    ['of a chain of short intervals', 12, 600],
    ['of a chain of ten minutes', 600, 7200],
  ])('%s', async (_name, interval, limit) => {
    expect(await oldAt(limit, interval)).toBe(false)
    expect(await oldAt(limit + 1, interval)).toBe(true)
  })

  it('is for the operator to say', async () => {
    expect(await oldAt(61, 600, { laggingAfterSeconds: 60 })).toBe(true)
  })
})
