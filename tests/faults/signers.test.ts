import { moveClock } from '@causeway/core/host'
import { describe, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { waitForStatus } from '../harness/transfer.js'
import { deployment, expectToWait, fillsOf, network, payer, putOff, start, useFaultySigners } from './signerFaults.js'

useFaultySigners()

describe('F113: a signer that is away, slow, or signs something else', () => {
  it.each(['away', 'other digest'] as const)(
    '%s: the payout waits, nothing is stored or sent, the other lane pays on; it is paid once the signer is well',
    expectToWait,
  )

  it('away past the order’s time: the deposit goes back, and the fill is never paid afterwards', async () => {
    payer.fault = 'away'
    const held = await start(2)
    await putOff(held)
    await moveClock(deployment.pool, 8 * 86_400_000)
    const view = await waitForStatus(deployment.requests, held.requestId, ['refund'])
    expect(view.failReason).toBe('ORDER_EXPIRED')
    payer.fault = null
    await waitForQuiet(deployment.pool)
    expect(await fillsOf(held)).toBe(0)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})
