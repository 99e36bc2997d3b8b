import { describe, expect, it } from 'vitest'
import { canRelease, canReleaseLane, shuttingOf } from './laneBulk.js'
import type { LaneReport, UnmatchedPayment } from './laneReport.js'

const payment = (shuts: boolean, deposits: readonly string[] = []): UnmatchedPayment => ({
  ...{ txId: '0xa', orderId: '0xb', purpose: null, recipient: '0xc', currency: '0x0', amount: '1', status: 'success' },
  ...{ blockHeight: '1', foundAt: 0, shuts, deposits },
})

const lane = (state: string, ...unmatched: readonly UnmatchedPayment[]): LaneReport => ({
  ...{ chainId: 1, chain: 'harbor', signer: '0xd', state, reason: null, position: null, height: null },
  ...{ liveAttempts: 0, notFinal: 0, former: false, named: false, waitingForLimit: 0, oldestUnpaidAt: null },
  ...{ spending: [], unmatched },
})

describe('lanes and payments that are released together', () => {
  it.each([
    ['keeps the lane shut and has no deposit', payment(true), true],
    ['was for a deposit, which is closed instead', payment(true, ['4']), false],
    ['is accounted for', payment(false), false],
  ])('a payment that %s: %#', (_what, each, expected) => expect(canRelease(each)).toBe(expected))

  it.each([
    ['is quarantined by payments without deposits', lane('quarantined', payment(true), payment(false, ['3'])), true],
    ['is quarantined by what could not be read', lane('quarantined'), true],
    ['has a deposit to close first', lane('quarantined', payment(true), payment(true, ['4'])), false],
    ['is open', lane('open', payment(true)), false],
  ])('a lane that %s: %#', (_what, each, expected) => expect(canReleaseLane(each)).toBe(expected))

  it('the sum of a lane is of the payments that keep it shut', () => {
    const shut = payment(true)
    expect(shuttingOf(lane('quarantined', shut, payment(false)))).toEqual([shut])
  })
})
