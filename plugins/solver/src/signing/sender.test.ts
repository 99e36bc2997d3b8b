import type { BroadcastResult, SignedAttempt } from '@causeway/core/chain'
import type { StoredPayout } from '@causeway/core/money-path'
import { type Lease, LeaseLostError } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { FillRefunds } from '../deciding/fillRefunds.js'
import { Withdrawals } from '../deciding/withdrawals.js'
import { Witnesses } from '../deciding/witnesses.js'
import type { LaneContext } from '../laneContext.js'
import { LaneTroubles } from '../running/laneTroubles.js'
import { Sender } from './sender.js'

const HEIGHT = 100n

/** A sender, its lease, and the bytes that its lane broadcasts. Every write to the database fails. */
const senderOf = () => {
  const sent: unknown[] = []
  const broadcast = async (attempts: readonly unknown[]): Promise<readonly BroadcastResult[]> => {
    sent.push(...attempts)
    return attempts.map(() => ({ outcome: 'known' }))
  }
  const chain = { adapter: { lane: { broadcast }, native: { address: 'coin' } }, config: { id: 1 } }
  const connect = async () => {
    throw new Error('The disk is full.')
  }
  // CAST: a sender reads no other member of its lane before it broadcasts.
  const lane = { chain, limits: [], address: '0x5e', pool: { connect } } as unknown as LaneContext
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
  const over = new AbortController()
  const lease: Lease = { name: 'lane:1:0x5e', epoch: 1n, signal: over.signal }
  return { sender, sent, over, lease }
}

// CAST: a sender reads no other member of a stored payout.
const payout = {
  id: '7',
  purpose: 'fill',
  state: 'signed',
  live: [{ txId: '0xa0', raw: '0xa0', version: 1, feeCap: 1n }],
} as unknown as StoredPayout

it('F121: stored bytes are not sent once the lease is over, since a database that took over may not know them', async () => {
  const { sender, sent, over, lease } = senderOf()
  over.abort()
  await expect(sender.resend(lease, [payout])).rejects.toBeInstanceOf(LeaseLostError)
  expect(sent).toEqual([])
})

it('invariant 2: signed bytes that could not be stored are not sent', async () => {
  const { sender, sent, lease } = senderOf()
  const signed: SignedAttempt = {
    kind: 'pay',
    transaction: null,
    guards: ['1'],
    feeCap: 2n,
    txId: '0xa1',
    raw: '0xa1',
  }
  await expect(sender.sendVersion(lease, payout, signed, HEIGHT)).rejects.toThrow('The disk is full.')
  expect(sent).toEqual([])
})
