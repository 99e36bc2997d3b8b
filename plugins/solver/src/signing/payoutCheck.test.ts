import type { StoredPayout } from '@causeway/core/money-path'
import type { Lease } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import type { Testimony } from '../deciding/witnesses.js'
import type { LaneContext } from '../laneContext.js'
import { PayoutCheck, type PayoutCheckDeps } from './payoutCheck.js'

const [ORIGIN, DESTINATION] = [1, 2]
const LEASE: Lease = { name: 'lane', epoch: 1n, signal: new AbortController().signal }

// CAST: a check reads no other member of a payout.
const PAYOUTS = {
  fill: { id: '1', purpose: 'fill', attempts: 0, deposit: { chainId: ORIGIN }, data: { gas: '5' } },
  claim: {
    id: '2',
    purpose: 'claim',
    attempts: 0,
    deposit: null,
    data: { gas: '5', claim: { holder: '0x5a', amount: '1', fee: '0' } },
  },
} as unknown as Readonly<Record<'fill' | 'claim', StoredPayout>>

/** Whether a payout is signed after these answers of the cross-lane scan, by chain, and why it was put off. */
const checked = async (purpose: 'fill' | 'claim', testimonies: Readonly<Record<number, Testimony>>) => {
  const putOff: (string | null)[] = []
  const lane = {
    chain: { config: { id: DESTINATION } },
    chains: { all: () => [{ config: { id: ORIGIN } }, { config: { id: DESTINATION } }] },
    pool: { query: async () => ({ rows: [], rowCount: 0 }) },
  }
  const deps = {
    witnesses: { ask: async (chainId: number) => testimonies[chainId] },
    aside: {
      putOff: async (_payout: StoredPayout, trouble: string | null) => {
        putOff.push(trouble)
        return null
      },
    },
  }
  // CAST: a check of these payouts uses no other member of its lane, and no refund, withdrawal or order.
  const check = new PayoutCheck({ ...deps, lane: lane as unknown as LaneContext } as unknown as PayoutCheckDeps)
  const signable = await check.check(LEASE, PAYOUTS[purpose], null)
  return { signed: signable !== null, putOff }
}

describe('F120: a payout whose signature depends on earlier payments of other lanes', () => {
  it.each(['fill', 'claim'] as const)('%s: is signed once these are known', async (purpose) => {
    expect(await checked(purpose, { [ORIGIN]: 'known', [DESTINATION]: 'known' })).toEqual({ signed: true, putOff: [] })
  })

  it.each(['fill', 'claim'] as const)('%s: is put off while the lanes of a chain cannot be read', async (purpose) => {
    const { signed, putOff } = await checked(purpose, { [ORIGIN]: 'unknown', [DESTINATION]: 'known' })
    expect([signed, putOff]).toEqual([false, [expect.stringContaining('not known what was paid')]])
  })

  it.each(['fill', 'claim'] as const)(
    '%s: is not signed in the round that scans a chain for the first time',
    async (purpose) => {
      expect(await checked(purpose, { [ORIGIN]: 'fresh', [DESTINATION]: 'known' })).toEqual({
        signed: false,
        putOff: [],
      })
    },
  )
})
