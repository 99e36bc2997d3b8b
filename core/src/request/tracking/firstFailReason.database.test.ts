import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GroundWorld, NOW } from '../../payout/groundWorld.test.support.js'
import { firstFailReasonOf } from './firstFailReasonSql.js'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

/** A request with these events, in their order, as it says why it failed; gives why it was not paid. */
const reasonOf = async (failReason: string, events: readonly (readonly [status: string, reason: string])[]) => {
  const { requestId, orderId } = await world.quote()
  await world.see(world.event(orderId, 1_000n))
  const id = Buffer.from(requestId.slice(2), 'hex')
  await world.pool.query('update requests set fail_reason = $2 where id = $1', [id, failReason])
  await world.pool.query(
    `insert into request_events (xid, request_id, version, status, payload, created_at)
     select outbox_place(pg_current_xact_id()), $1, 10 + n, status, json_build_object('failReason', reason)::text, to_timestamp($3 / 1000.0)
     from jsonb_to_recordset($2::jsonb) as e(n integer, status text, reason text)`,
    [id, JSON.stringify(events.map(([status, reason], n) => ({ n, status, reason }))), NOW],
  )
  const { rows } = await world.pool.query(
    `select ${firstFailReasonOf('r')} as reason from requests r where r.id = $1`,
    [id],
  )
  return rows[0]?.reason
}

describe('why a request was not paid', () => {
  it('is what the failure said before an operator sent the money back', async () => {
    const events = [['failure', 'SLIPPAGE'] as const, ['refund', 'MANUAL_ADMIN_REFUND'] as const]
    expect(await reasonOf('MANUAL_ADMIN_REFUND', events)).toBe('SLIPPAGE')
  })

  it('stays the same where a refund by hand failed once', async () => {
    const events = [['failure', 'SLIPPAGE'] as const, ['failure', 'MANUAL_ADMIN_REFUND'] as const]
    expect(await reasonOf('MANUAL_ADMIN_REFUND', events)).toBe('SLIPPAGE')
  })

  it.each([
    ['nothing took the place of the reason', 'SLIPPAGE', [['failure', 'SLIPPAGE'] as const]],
    ['the event is gone', 'MANUAL_ADMIN_REFUND', [['refund', 'MANUAL_ADMIN_REFUND'] as const]],
  ])('is told by nothing else where %s', async (_case, failReason, events) => {
    expect(await reasonOf(failReason, events)).toBeNull()
  })
})
