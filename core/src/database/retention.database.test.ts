import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BODY_SQL, ORDER_FACTS_JOIN } from '../request/orderFacts.js'
import { toBytea } from './hexBytea.js'
import { migrate } from './migrate.js'
import { DEFAULT_RETENTION, dropExpired, keepPartitions } from './retention.js'
import { RetentionWorld } from './retention.test.support.js'
import { coreMigrations } from './schema/coreMigrations.js'

let world: RetentionWorld

beforeEach(async () => {
  world = await RetentionWorld.open()
  await world.upkeep()
})
afterEach(() => world.database.drop())

const BEFORE = coreMigrations.filter(({ name }) => name < '0025_retention')

const requestOf = async (txId: string) => {
  const rows = await world.rows<{
    id: string
    reason: string | null
    parent: boolean
    owner: string | null
    body: string
  }>(
    `select encode(r.id, 'hex') as id, d.parked_reason as reason, r.parent_request_id is not null as parent, r.integrator_id as owner, ${BODY_SQL} as body
     from deposits d left join requests r on r.id = d.request_id left join request_facts f on f.request_id = r.id
       ${ORDER_FACTS_JOIN} where d.tx_id = $1`,
    [txId],
  )
  return rows[0]
}

/** Does something while somebody reads all quotes in a transaction that does not end. */
const whileRead = async <T>(work: () => Promise<T>): Promise<T> => {
  const reader = await world.pool.connect()
  reader.on('error', () => undefined)
  try {
    await reader.query('begin')
    await reader.query('select count(*) from quotes')
    return await work()
  } finally {
    reader.release(true)
  }
}

const addEvent = async (text = '1'): Promise<void> => {
  await world.pool.query(
    `insert into request_events (request_id, version, status, payload, created_at) values ('\\x01', $1, 'pending', '{}', to_timestamp($2 / 1000.0))`,
    [text, world.clock.now()],
  )
}

describe('F133: quotes that nobody pays', () => {
  it('are kept for 8 days and then dropped with their day, by the clock of the database', async () => {
    const { requestId, orderId } = await world.quote()
    await world.day(7.9)
    await world.upkeep()
    expect(await world.store.findTerms(requestId)).toMatchObject({ orderId })
    await world.day(9.1)
    await world.upkeep()
    expect(await world.dropped()).toEqual([expect.stringMatching(/^quotes_days_\d{8}$/)])
    expect(await world.store.findTerms(requestId)).toBeNull()
    expect(await world.store.findQuote(requestId)).toBeNull()
    expect(await world.count('quotes')).toBe(0)
  })

  it('a year of them takes the space of nine days: no more partitions than that, none of them the default', async () => {
    for (let day = 0; day < 365; day += 10) {
      await world.day(day)
      await world.upkeep()
      await world.quote()
    }
    expect(await world.count('quotes')).toBe(1)
    expect(await world.count('quotes_days_default')).toBe(0)
    expect(await world.count(`pg_inherits where inhparent = 'quotes_days'::regclass`)).toBeLessThanOrEqual(12)
  })

  it('a paid one becomes a request that is kept for ever, with all that was asked and given', async () => {
    const { requestId, orderId } = await world.quote()
    const first = await world.pay(orderId)
    await world.day(400)
    await world.upkeep()
    expect(await world.count('quotes')).toBe(0)
    expect(await world.store.findTerms(requestId)).toMatchObject({ orderId })
    expect(await world.store.findQuote(requestId)).toMatchObject({
      integratorId: 'acme',
      body: '{"asked":1}',
      quoted: '{"given":1}',
    })
    expect(await requestOf(first.txId)).toMatchObject({ id: requestId.slice(2), reason: null, parent: false })
    // A second deposit is still a child of it, of the same owner.
    const second = await world.pay(orderId)
    expect(await requestOf(second.txId)).toMatchObject({
      parent: true,
      reason: null,
      owner: 'acme',
      body: '{"asked":1}',
    })
  })

  it('an address to pay to is recognised as long as its order lives, 180 days, and not longer than a day more', async () => {
    const [paid, unpaid] = [await world.quote(180), await world.quote(180)]
    await world.day(179)
    await world.upkeep()
    expect(await requestOf((await world.pay(paid.orderId)).txId)).toMatchObject({
      id: paid.requestId.slice(2),
      reason: null,
    })
    expect(await world.store.findTerms(unpaid.requestId)).not.toBeNull()
    await world.day(182)
    await world.upkeep()
    expect(await world.store.findTerms(unpaid.requestId)).toBeNull()
    expect(await world.store.findTerms(paid.requestId)).not.toBeNull()
  })

  it('a deposit that comes later is parked, and the reason says that the quote may have been dropped', async () => {
    const stranger = await world.pay(`0x${'77'.repeat(32)}`)
    expect(await requestOf(stranger.txId)).toMatchObject({ id: null, reason: 'unknown order id' })
    const { orderId } = await world.quote()
    await world.day(9.1)
    await world.upkeep()
    const late = await world.pay(orderId)
    expect(await requestOf(late.txId)).toMatchObject({
      id: null,
      reason: 'unknown order id: no quote has it, or its quote was dropped after 8 days without a payment',
    })
  })

  it('that lie in the default partition, since the clock jumped, are removed after their time too', async () => {
    await world.day(1000)
    const { requestId } = await world.quote()
    expect(await world.count('quotes_days_default')).toBe(1)
    await world.upkeep()
    expect(await world.store.findTerms(requestId)).not.toBeNull()
    await world.day(1009)
    await world.upkeep()
    expect(await world.count('quotes')).toBe(0)
  })
})

describe('F133: dropping', () => {
  it('a host that dies in the middle leaves everything; another one drops it', async () => {
    const { requestId } = await world.quote()
    await world.day(9.1)
    const dying = await world.pool.connect()
    dying.on('error', () => undefined)
    let name: string | undefined
    try {
      await dying.query('begin')
      const { rows } = await dying.query<{ name: string }>(
        `select drop_span('quotes_days', 'day', t, t) as name from to_timestamp($1 / 1000.0) t`,
        [world.clock.now()],
      )
      name = rows[0]?.name
      // It holds the work: another host leaves it alone, at once.
      expect(await world.rows('select drop_span($1, $2, now(), now()) as name', ['quotes_days', 'day'])).toEqual([
        { name: null },
      ])
    } finally {
      // Its connection is gone, and with it whatever it had not committed.
      dying.release(true)
    }
    expect(name).toMatch(/^quotes_days_/)
    expect(await world.store.findTerms(requestId)).not.toBeNull()
    await expect.poll(() => world.upkeep()).toContain(name)
    expect(await world.store.findTerms(requestId)).toBeNull()
  })

  it('by several hosts at once drops each day once', async () => {
    for (const day of [0, 7, 14, 21, 28]) {
      await world.day(day)
      await world.upkeep()
      await world.quote()
    }
    await world.day(80)
    const dropped = (
      await Promise.all([1, 2, 3, 4].map(() => dropExpired(world.pool, DEFAULT_RETENTION, world.clock.now())))
    ).flat()
    dropped.push(...(await world.upkeep()))
    const quotes = dropped.filter((name) => name.startsWith('quotes_days_'))
    expect(new Set(quotes).size).toBe(quotes.length)
    expect(quotes.length).toBeGreaterThanOrEqual(5)
    expect(await world.count('quotes')).toBe(0)
  })

  it('waits for nobody who reads, so that nobody who writes waits behind it', async () => {
    await world.quote()
    await world.day(9.1)
    await keepPartitions(world.pool, DEFAULT_RETENTION, world.clock.now())
    await whileRead(async () => {
      const dropping = world.upkeep()
      // Behind a lock that waits for the reader this would not end.
      await world.quote()
      await dropping
    })
    expect(await world.dropped()).toEqual([])
    await world.upkeep()
    expect(await world.dropped()).toHaveLength(1)
  })

  it('makes no partition while somebody reads: what is written meanwhile is kept all the same', async () => {
    await world.day(60)
    const requestId = await whileRead(async () => {
      const making = keepPartitions(world.pool, DEFAULT_RETENTION, world.clock.now())
      const quote = await world.quote()
      await making
      return quote.requestId
    })
    expect(await world.store.findTerms(requestId)).not.toBeNull()
  })
})

describe('F133: beside a host of the version before', () => {
  const insertAsBefore = async (id: string) => {
    await world.pool.query(
      `insert into quotes (id, order_id, created_at, terms, body, quoted, order_data)
       values (decode($1, 'hex'), decode($1, 'hex'), to_timestamp($2 / 1000.0), '{}', '{}', '{}', '{}')`,
      [id, world.clock.now()],
    )
  }

  it('its quotes are kept for 30 days, and its upkeep makes the partitions they are in', async () => {
    await world.day(60)
    await world.pool.query(`select ensure_partitions('quotes', to_timestamp($1 / 1000.0))`, [world.clock.now()])
    await insertAsBefore('0a')
    expect(await world.count('quotes_weeks_default')).toBe(0)
    await world.day(89)
    await world.upkeep()
    expect(await world.count('quotes')).toBe(1)
    await world.day(98)
    await world.upkeep()
    expect(await world.count('quotes')).toBe(0)
  })

  it('it finds the texts of packed quotes, adds to one, and a deposit for it makes the same request', async () => {
    const [plain, changed] = [await world.quote(), await world.quote()]
    const texts = `select terms::json->>'requestId' as id, body, quoted, order_data from quotes where order_id = decode($1, 'hex')`
    expect(await world.rows(texts, [plain.orderId.slice(2)])).toEqual([
      { id: plain.requestId, body: '{"asked":1}', quoted: '{"given":1}', order_data: '{"salt":"0x01"}' },
    ])
    expect(await world.count('quote_rows where packed is null')).toBe(0)
    await world.pool.query(`update quotes set quoted = '{"given":2}' where id = decode($1, 'hex')`, [
      changed.requestId.slice(2),
    ])
    expect(await world.store.findQuote(changed.requestId)).toMatchObject({ body: '{"asked":1}', quoted: '{"given":2}' })
    await world.pay(plain.orderId)
    await world.pay(changed.orderId)
    const paid = `select f.body, f.quoted, o.data from request_facts f join requests r on r.id = f.request_id
      join orders o on o.request_id = r.id where r.order_id = any(array[decode($1, 'hex'), decode($2, 'hex')]) order by f.quoted`
    expect(await world.rows(paid, [plain.orderId.slice(2), changed.orderId.slice(2)])).toEqual([
      { body: '{"asked":1}', quoted: '{"given":1}', data: '{"salt":"0x01"}' },
      { body: '{"asked":1}', quoted: '{"given":2}', data: '{"salt":"0x01"}' },
    ])
  })

  it('quotes and audit of the time before stay what they were, and the quotes go 30 days later, in one piece', async () => {
    const { database } = world
    world = await RetentionWorld.open(BEFORE)
    await database.drop()
    await world.pool.query(`select ensure_partitions('quotes', now())`)
    await insertAsBefore('0b')
    const audit = `insert into operator_audit (at, actor, action, subject, details) values (now() - interval '90 days', 'me', 'a', $1, '{}')`
    await world.pool.query(audit, ['one'])
    // Its hosts are stopped.
    await world.pool.query('delete from leases')
    await migrate(world.pool, { packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    await world.upkeep()
    await world.pool.query(audit, ['two'])
    expect(await world.rows('select id::text as id, subject from operator_audit order by id')).toEqual([
      { id: '1', subject: 'one' },
      { id: '2', subject: 'two' },
    ])
    await world.day(29)
    await world.upkeep()
    expect(await world.count(`quotes where id = '\\x0b'`)).toBe(1)
    await world.day(31)
    await world.upkeep()
    expect(await world.dropped()).toEqual(['quotes_before'])
    expect(await world.count('quotes')).toBe(0)
    const { requestId } = await world.quote()
    expect(await world.store.findTerms(requestId)).not.toBeNull()
  })
})

describe('F133: events and audit', () => {
  it('events are dropped after 30 days; what a reader has not taken is kept twice as long', async () => {
    await world.pool.query(`create table slow_cursor (xid xid8 not null, seq bigint not null);
      insert into slow_cursor values ('0', 0); insert into outbox_readers values ('slow_cursor')`)
    await addEvent()
    await world.day(45)
    await world.upkeep()
    expect(await world.count('request_events')).toBe(1)
    await world.pool.query(`update slow_cursor set (xid, seq) = (select xid, seq from request_events)`)
    await world.upkeep()
    expect(await world.count('request_events')).toBe(0)
    await addEvent()
    await world.day(45 + 68)
    await world.upkeep()
    expect(await world.count('request_events')).toBe(0)
  })

  it('events in the default partition, since the clock jumped, are removed after twice the time', async () => {
    await world.day(1000)
    await addEvent()
    expect(await world.count('request_events_default')).toBe(1)
    await world.upkeep()
    expect(await world.count('request_events')).toBe(1)
    await world.day(1061)
    await world.upkeep()
    expect(await world.count('request_events')).toBe(0)
  })

  it('the audit is dropped by months after 400 days, and only so: nobody changes or deletes a row', async () => {
    const add = () =>
      world.pool.query(
        `insert into operator_audit (at, actor, action, subject, details) values (to_timestamp($1 / 1000.0), 'me', 'a', 's', '{}')`,
        [world.clock.now()],
      )
    await add()
    await world.day(399)
    await world.upkeep()
    await add()
    expect(await world.count('operator_audit')).toBe(2)
    const [partition] = await world.rows<{ name: string }>(
      'select tableoid::regclass::text as name from operator_audit order by id',
    )
    await expect(world.pool.query(`delete from ${partition?.name}`)).rejects.toThrow('only ever added to')
    await world.day(432)
    await world.upkeep()
    expect(await world.count('operator_audit')).toBe(1)
    expect(await world.count('operator_audit_default')).toBe(0)
  })
})

it('F133: a quote is stored with the date until which it is kept', async () => {
  const { requestId } = await world.quote(7)
  const [row] = await world.rows<{ kept: string; days: number }>(
    `select kept, round(extract(epoch from keep_until - created_at) / 86400)::int as days from quotes where id = $1`,
    [toBytea(requestId)],
  )
  expect(row).toEqual({ kept: 'days', days: DEFAULT_RETENTION.quotes })
})
