import type { Destination } from '@causeway/core/chain'
import type { OpenDecision, PaidOrder } from '@causeway/core/money-path'
import { describe, expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { recognisePayment } from './recognisePayment.js'

const [ORIGIN, DESTINATION] = [1, 2]
const chain = { adapter: { sameAddress: (left: string, right: string) => left === right } }
// CAST: nothing else of them is read.
const lane = {
  chain,
  chains: { get: () => chain },
  clock: { now: () => 0 },
  engine: { reprice: async () => ({ action: 'refund', reason: 'NO_QUOTES' }) },
} as unknown as LaneContext

const paidTo = (chainId: number, recipient: Destination): PaidOrder => ({
  chainId,
  signer: 'solver',
  txId: 'tx',
  part: 0,
  purpose: null,
  recipient,
  currency: 'coin',
  amount: 5n,
})

/** What a payment is taken for whose order pays the tag 7, or goes back to the memo `mine`. */
const kindOf = async (paid: PaidOrder): Promise<string | null> => {
  // CAST: as above.
  const open = {
    requestId: '0x01',
    refundReason: null,
    paid: [paid],
    terms: {
      orderId: '0x02',
      destination: { chainId: DESTINATION, currency: 'coin' },
      recipient: { address: 'exchange', tag: 7 },
      refundTo: { address: 'user', memo: 'mine' },
    },
    deposit: { id: '1', chainId: ORIGIN, currency: 'coin', amount: 9n },
  } as unknown as OpenDecision
  return (await recognisePayment(lane, open))?.kind ?? null
}

describe('a payment that this database forgot (faults.md F120)', () => {
  it.each<[string, number, Destination, string | null]>([
    ['the fill, to the tag of the order', DESTINATION, { address: 'exchange', tag: 7 }, 'fill'],
    ['none, to another tag', DESTINATION, { address: 'exchange', tag: 0 }, null],
    ['none, to the account alone', DESTINATION, { address: 'exchange' }, null],
    ['the refund, to whom it goes back', ORIGIN, { address: 'user', memo: 'mine' }, 'refund'],
    ['none, with another memo', ORIGIN, { address: 'user', memo: 'Mine' }, null],
  ])('is %s', async (_, chainId, recipient, kind) => {
    expect(await kindOf(paidTo(chainId, recipient))).toBe(kind)
  })
})
