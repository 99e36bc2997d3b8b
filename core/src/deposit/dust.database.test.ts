import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DepositEvent } from '../chain/chainAdapter.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { type Decision, recordDecisions } from '../payout/decision/decisions.js'
import { findOpenDecisions, type OpenDecision } from '../payout/decision/openDecisions.js'
import { DESTINATION, GroundWorld, NOW } from '../payout/groundWorld.test.support.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { loadRecordFacts } from '../record/recordFacts.js'
import { findDepositOfRequest } from './parked/parkedDeposit.js'

const DUST = 600
const HEAVY: Hex = `0x${'ab'.repeat(99_000)}`
const BODY = JSON.stringify({ recoveryAddress: '0x0e', txs: [{ data: HEAVY }] })
const QUOTED = JSON.stringify({ requestType: 'Call', details: { timeEstimate: 3 }, platformFee: { bps: 7 } })

let world: GroundWorld
let heavy: QuoteTerms
let dust: readonly DepositEvent[]
let ordinary: readonly DepositEvent[]

beforeAll(async () => {
  world = await GroundWorld.open()
  const calls = { calls: [{ to: '0x0c', data: HEAVY, value: 0n }], gasLimit: null, delegations: [] }
  heavy = await world.quote({ calls }, { body: BODY, quoted: QUOTED })
  dust = dustOf(heavy.orderId)
  const quotes = [await world.quote(), await world.quote()]
  ordinary = quotes.map(({ orderId }) => world.event(orderId, 1_000n))
})
afterAll(() => world?.database.drop())

/** All of one transaction, whose own data is as heavy. */
const dustOf = (orderId: Hex): readonly DepositEvent[] => {
  const first = { ...world.event(orderId, 1n), txData: { from: 'user', to: 'contract', data: HEAVY, value: '0' } }
  return Array.from({ length: DUST }, (_, position) => ({ ...first, position, index: position }))
}

const count = async (table: string, where = 'true'): Promise<number> => {
  const { rows } = await world.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where ${where}`,
  )
  return rows[0]?.count ?? 0
}

/** Characters stored, before the database packs them. */
const stored = async (): Promise<Record<string, number>> => {
  const { rows } = await world.pool.query<{ terms: number; facts: number; shared: number; txs: number }>(
    `select (select sum(length(terms))::int from requests) as terms,
       (select sum(length(quoted) + length(body))::int from request_facts) as facts,
       (select sum(length(quoted) + length(body))::int from order_facts) as shared,
       (select sum(length(data))::int from request_txs) as txs`,
  )
  return { ...rows[0] }
}

const openDecisions = (batch: number) => findOpenDecisions(world.pool, DESTINATION, NOW, { batch, burnPauseMs: 0 })

const failure = (open: OpenDecision): Decision => ({
  kind: 'failure',
  open,
  reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
  refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
  details: null,
})

/** Names or texts of the statements that some work runs. */
const statementsOf = async (work: (client: PoolClient) => Promise<unknown>): Promise<number> =>
  world.commit(async (client) => {
    let statements = 0
    const counting = new Proxy(client, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name, target)
        statements += 1
        return target.query.bind(target)
      },
    })
    await work(counting)
    return statements
  })

describe('F132: dust under an order whose calls are heavy', () => {
  it('is stored in parts, of which the last moves the cursor: a page that fails half way is read again, and nothing is twice', async () => {
    // Nothing can be stored of a deposit of nothing.
    const broken = { ...world.event(null, 1n), money: { currency: 'coin', amount: 0n } }
    await expect(world.see(...dust, ...ordinary, broken)).rejects.toThrow()
    expect(await count('chain_cursors')).toBe(0)
    const before = await count('deposits')
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(DUST)
    await world.see(...dust, ...ordinary)
    expect(await count('chain_cursors')).toBe(1)
    expect(await count('deposits')).toBe(DUST + ordinary.length)
    expect(await count('requests')).toBe(DUST + ordinary.length)
    expect(await count('ledger_transactions')).toBe(DUST + ordinary.length)
  })

  it('holds what the quote said once, and the data of its transaction once for each part', async () => {
    const { terms = 0, facts = 0, shared = 0, txs = 0 } = await stored()
    expect(terms / DUST).toBeLessThan(1_000)
    expect(facts / DUST).toBeLessThan(10)
    expect(shared).toBe(BODY.length + QUOTED.length)
    expect(txs).toBeLessThan(4 * HEAVY.length + 1_000 * DUST)
  })

  it('shows a record and a recovery address as if it held all of the quote', async () => {
    const { rows } = await world.pool.query<{ id: Buffer }>(
      `select r.id from requests r join deposits d on d.request_id = r.id where r.parent_request_id = $1
       order by d.position desc limit 1`,
      [toBytea(heavy.requestId)],
    )
    const id: Hex = `0x${rows[0]?.id.toString('hex')}`
    const facts = (await loadRecordFacts(world.pool, [{ id, unpaid: false }])).get(id)
    expect(facts).toMatchObject({ quoted: JSON.parse(QUOTED), requestType: 'Call' })
    expect(facts?.terms.calls).toBeUndefined()
    // Of the transaction it says everything but the data, which only the first of its deposits repeats.
    expect(facts?.txs).toMatchObject([{ txId: dust[0]?.tx.id, fee: 1n, status: 'success', data: null }])
    const parked = await findDepositOfRequest(world.pool, id)
    expect(parked?.request?.recoveryAddress).toBe('0x0e')
  })

  it('shows the data of a transaction with each of its deposits, where that is no longer than usual', async () => {
    const { orderId, requestId } = await world.quote()
    const first = world.event(orderId, 1n)
    await world.see(first, { ...first, position: 1, index: 1 })
    const { rows } = await world.pool.query<{ id: Buffer }>('select id from requests where parent_request_id = $1', [
      toBytea(requestId),
    ])
    const ids = rows.map(({ id }): Hex => `0x${id.toString('hex')}`)
    const facts = await loadRecordFacts(
      world.pool,
      ids.map((id) => ({ id, unpaid: false })),
    )
    expect(ids).toHaveLength(2)
    expect(ids.map((id) => facts.get(id)?.txs[0]?.data)).toEqual([first.txData, first.txData])
    await world.pool.query(`update requests set next_action_at = 'infinity' where parent_request_id = $1`, [
      toBytea(requestId),
    ])
  })

  it('waits behind deposits that consumed an order, and has a share of its own beside them', async () => {
    const batch = await openDecisions(8)
    expect(batch.map(({ refundReason }) => refundReason)).toEqual([
      null,
      null,
      'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
      'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
    ])
    const late = await world.deposit()
    expect((await openDecisions(8)).map(({ deposit }) => deposit.txId)).toContain(late.tx.id)
  })

  it('is failed and parked by the thousand in as many statements as one is', async () => {
    const unfit = (await openDecisions(4 * DUST)).filter(({ refundReason }) => refundReason !== null)
    expect(unfit).toHaveLength(DUST)
    const [only, ...rest] = unfit
    if (only === undefined) throw new Error('There is dust')
    const ofOne = await statementsOf((client) => recordDecisions(client, [failure(only)], NOW))
    expect(await statementsOf((client) => recordDecisions(client, rest.map(failure), NOW))).toBe(ofOne)
    expect(await count('requests', `status = 'failure'`)).toBe(DUST)
    const { rows } = await world.pool.query<{ parked: string }>(
      `select (-sum(amount))::text as parked from ledger_entries where account = 'parked'`,
    )
    expect(rows).toEqual([{ parked: `${DUST}` }])
  })

  it('never takes the order from its own deposit', async () => {
    await world.see(world.event(heavy.orderId, 1_000n))
    const open = (await openDecisions(1_000)).find(({ terms }) => terms.orderId === heavy.orderId)
    expect(open).toMatchObject({ refundReason: null, requestId: heavy.requestId })
    expect(open?.terms.calls?.calls[0]?.data).toBe(HEAVY)
    expect(await count('request_facts', `not shared and body = $$${BODY}$$`)).toBe(1)
  })
})
