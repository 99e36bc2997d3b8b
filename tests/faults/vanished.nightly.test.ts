import type { Hex } from '@causeway/core'
import { describe, expect, it } from 'vitest'
import { findDiscrepancies } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { executeQuote, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  deployment,
  deposit,
  destination,
  lost,
  network,
  origin,
  paid,
  payers,
  payoutOf,
  quote,
  SETTLE,
  start,
  useVanishing,
  waitForRefusal,
} from './vanished.test.support.js'

useVanishing()

/** Time for whoever would pay wrongly: a payment that was asked for later is made. */
const payAnother = async (user: number): Promise<void> => {
  const other = await quote(user)
  await executeQuote(origin.chain, userOf(network, user), other)
  await waitForStatus(deployment.requests, other.requestId, ['success'])
}

describe('a deposit that leaves its chain while its payment waits (F125)', () => {
  it('a fill that was decided and not signed never leaves; when the deposit is back it is paid, once', async () => {
    payers[1].fault = 'away'
    const held = await quote(0)
    const made = await deposit(0, held)
    await waitForRefusal(made.txId, 'fill')
    await made.vanish()
    await waitForStatus(deployment.requests, held.requestId, ['waiting'])
    payers[1].fault = null
    await payAnother(1)
    expect(await paid(held)).toMatchObject({ fills: 0 })
    expect(await payoutOf(made.txId, 'fill')).toMatchObject({ state: 'dead', stored: 0 })
    expect(await lost()).toBe('0')
    await made.comeBack()
    await waitForStatus(deployment.requests, held.requestId, ['success'])
    expect(await paid(held)).toEqual({ fills: 1, refunds: 0, excess: 0 })
  })

  it('leaves the books right in the end', async () => {
    await Promise.all([origin, destination].map(({ chain }) => chain.mine(SETTLE + 2)))
    await until('all to be final', async () => {
      const { rowCount } = await deployment.pool.query('select 1 from payouts where next_action is not null')
      return rowCount === 0 ? true : null
    })
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})

describe('what a chain is trusted with', () => {
  it('deposits beyond the cap wait until others settle, and are paid then (F22)', async () => {
    await deployment.kill()
    // A tenth of an ether is worth 200 dollars.
    await start({ settle: 60, unsettledUsd: '450' })
    // Transactions of earlier tests are settled.
    await origin.chain.mine(61)
    const quotes = await Promise.all([0, 1, 2].map((user) => quote(user)))
    for (const [user, answer] of quotes.entries()) await executeQuote(origin.chain, userOf(network, user), answer)
    const waiting = await until('one to wait and two to be paid', async () => {
      const views = await Promise.all(quotes.map(({ requestId }) => deployment.requests.findStatus(requestId)))
      const { rows } = await deployment.pool.query<{ id: Hex; at: Date }>(
        `select '0x' || encode(id, 'hex') as id, next_action_at as at from requests where next_action = 'await-settle'`,
      )
      return views.filter((view) => view?.status === 'success').length === 2 && rows.length === 1 ? rows[0] : null
    })
    expect(waiting.at).toBeInstanceOf(Date)
    expect((await deployment.requests.findStatus(waiting.id))?.status).toBe('pending')
    await origin.chain.mine(61)
    await waitForStatus(deployment.requests, waiting.id, ['success'])
  })
})
