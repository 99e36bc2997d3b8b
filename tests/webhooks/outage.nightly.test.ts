import { it } from 'vitest'
import { alive, expectEveryEvent, lost, useOutages, wire, world } from './outageWorld.js'

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
