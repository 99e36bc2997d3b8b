import type { BroadcastResult } from '@causeway/core/chain'
import type { StoredPayout } from '@causeway/core/money-path'
import { type Lease, LeaseLostError } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { FillRefunds } from '../deciding/fillRefunds.js'
import { Withdrawals } from '../deciding/withdrawals.js'
import { Witnesses } from '../deciding/witnesses.js'
import type { LaneContext } from '../laneContext.js'
import { LaneTroubles } from '../running/laneTroubles.js'
import { Sender } from './sender.js'

it('F121: stored bytes are not sent once the lease is over, since a database that took over may not know them', async () => {
  const sent: unknown[] = []
  const broadcast = async (attempts: readonly unknown[]): Promise<readonly BroadcastResult[]> => {
    sent.push(...attempts)
    return attempts.map(() => ({ outcome: 'known' }))
  }
  // CAST: of its world a sender that sends again touches the adapter before anything else.
  const lane = { chain: { adapter: { lane: { broadcast } }, config: { id: 1 } }, limits: [] } as unknown as LaneContext
  const troubles = new LaneTroubles(lane)
  const witnesses = new Witnesses(lane)
  const sender = new Sender({
    lane,
    withdrawals: new Withdrawals({ lane, troubles, witnesses }),
    refunds: new FillRefunds(lane),
    troubles,
    witnesses,
    position: null,
    onLate: () => undefined,
  })
  // CAST: what is looked at of it.
  const payout = { id: '7', live: [{ txId: '0xa0', raw: '0xa0', version: 1 }] } as unknown as StoredPayout
  const over = new AbortController()
  const lease: Lease = { name: 'lane:1:0x5e', epoch: 1n, signal: over.signal }
  over.abort()
  await expect(sender.resend(lease, [payout])).rejects.toBeInstanceOf(LeaseLostError)
  expect(sent).toEqual([])
})
