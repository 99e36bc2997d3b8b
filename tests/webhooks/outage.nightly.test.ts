import { expect, it } from 'vitest'
import { until } from '../harness/until.js'
import { alive, expectEveryEvent, key, lost, receiver, useOutages, wire, world } from './outageWorld.js'

useOutages()

/** Ends the connections of the host, with their transactions. */
const terminate = async () => {
  await world.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and application_name = 'causeway test host'`,
  )
}

it.each([
  [
    'away for a moment, and back before the sender counts as dead',
    async (answer: () => void) => {
      await wire.cut()
      answer()
      await wire.restore()
    },
  ],
  [
    'away while receivers think, and back before they answer',
    async (answer: () => void) => {
      await wire.cut()
      await lost()
      await wire.restore()
      await alive()
      answer()
    },
  ],
  [
    'ending every connection again and again',
    async (answer: () => void) => {
      for (let round = 0; round < 5; round += 1) await terminate()
      answer()
      for (let round = 0; round < 5; round += 1) await terminate()
    },
  ],
])(
  'the database is %s: every event arrives at least once, in the order of its request (faults.md F102, wire.md H.4)',
  (_, outage) => expectEveryEvent(outage),
)

it('the database is away until the sender counts as dead: every event arrives at least once, in the order of its request (faults.md F102, wire.md H.4)', () =>
  expectEveryEvent(async (answer) => {
    await wire.cut()
    answer()
    await lost()
    await wire.restore()
  }))

it('a result that cannot be stored while others can waits for the database, not for a later attempt', async () => {
  const { pool } = world.database
  receiver.behave(200)
  const requests = await world.newRequests(key, 5)
  await pool.query(`
    create sequence asked;
    create function busy() returns trigger language plpgsql as $$ begin
      perform nextval('asked');
      raise exception 'busy' using errcode = 'too_many_connections'; end $$;
    create trigger busy before insert on webhook_deliveries for each row
      when (new.request_id = '\\x${requests[0]?.slice(2)}') execute function busy()`)
  const before = receiver.calls.length
  for (const id of requests) await world.move(id, 'pending')
  await until('the others to be stored, and the one to be tried again', async () => {
    const { rows } = await pool.query('select last_value > 15 as often from asked')
    return rows[0]?.often === true && (await world.counts()).waiting === 1 ? true : null
  })
  await pool.query('drop trigger busy on webhook_deliveries')
  await until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))
  expect(receiver.calls).toHaveLength(before + requests.length)
})
