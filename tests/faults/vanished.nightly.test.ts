import type { Hex } from '@causeway/core'
import { describe, expect, it } from 'vitest'
import { findDiscrepancies } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { executeQuote, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from '../operator/operatorDesk.js'
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
  waitForPayout,
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

describe('a deposit that leaves its chain while its payment waits (F125)', () => {
  it('a fill that is not in a block yet is cancelled; when the deposit is back it is decided anew and paid once', async () => {
    const { chain } = destination
    await chain.setIntervalMining(0)
    const held = await quote(0)
    const made = await deposit(0, held)
    await waitForStatus(deployment.requests, held.requestId, ['submitted'])
    await made.vanish()
    await waitForPayout(made.txId, 'fill', ({ cancels }) => cancels === 1)
    await chain.setIntervalMining(1)
    await chain.mine(SETTLE + 2)
    const { failReason } = await waitForStatus(deployment.requests, held.requestId, ['failure'])
    expect(failReason).toBe('DEPOSIT_REORGED')
    expect([await paid(held), await lost()]).toEqual([{ fills: 0, refunds: 0, excess: 0 }, '0'])
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
  it('more blocks replaced than settle: nothing is paid for its deposits until an operator releases it (F125)', async () => {
    await deployment.kill()
    payers[1].fault = 'away'
    await start({ settle: 4 })
    const desk = openDesk(deployment)
    const [stands, later] = [await quote(0), await quote(1)]
    // One is decided and not signed when it happens, the other comes afterwards; both stand on the chain.
    const made = await deposit(0, stands)
    await waitForRefusal(made.txId, 'fill')
    await origin.chain.mine(6)
    await until('the watcher to have read them', async () => {
      const { rows } = await deployment.pool.query<{ behind: boolean }>(
        'select height < $2 as behind from chain_cursors where chain_id = $1',
        [origin.chain.chainId, Number(await origin.chain.rpc<string>('eth_blockNumber')) - 1],
      )
      return rows[0]?.behind === false ? true : null
    })
    await made.vanish()
    await made.comeBack()
    await executeQuote(origin.chain, userOf(network, 1), later)
    // A signer that is back before the watcher has looked pays for a deposit that stands.
    await until('the watcher to have seen it', async () => {
      const { rowCount } = await deployment.pool.query('select 1 from chain_halts')
      return rowCount === 1 ? true : null
    })
    payers[1].fault = null
    await until('both to wait for the operator', async () => {
      const { rowCount } = await deployment.pool.query(`select 1 from requests where next_action = 'await-release'`)
      return rowCount === 2 ? true : null
    })
    expect((await desk.run('halts')).join('\n')).toMatch(
      /harbor: halted since .*blocks up to .* were replaced; 4 were called final.*2 requests/s,
    )
    // Over a restart too, while the other direction goes on.
    await deployment.kill()
    await start({ settle: 4 })
    const back = await quote(2, { from: destination.chain.chainId, to: origin.chain.chainId })
    await executeQuote(destination.chain, userOf(network, 2), back)
    await waitForStatus(deployment.requests, back.requestId, ['success'])
    expect([await paid(stands), await paid(later)]).toMatchObject([{ fills: 0 }, { fills: 0 }])
    const again = openDesk(deployment, { answer: true })
    await expect(again.run('halts release', ['lagoon'], { reason: 'x' })).rejects.toThrow('not halted')
    await again.run('halts release', ['harbor'], { reason: 'compared with the explorer' })
    for (const { requestId } of [stands, later]) await waitForStatus(deployment.requests, requestId, ['success'])
    expect([await paid(stands), await paid(later)]).toMatchObject([{ fills: 1 }, { fills: 1 }])
    const { rows } = await deployment.pool.query('select action, subject, details from operator_audit')
    expect(rows).toMatchObject([
      {
        action: 'halts release',
        subject: `chain ${origin.chain.chainId}`,
        details: { reason: 'compared with the explorer', settle: 4 },
      },
    ])
  })
})
