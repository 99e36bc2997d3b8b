import { noteLoss } from '../../checks/noteLoss.js'
import type { Query } from '../../database/query.js'
import { putBack, takeSnapshot } from '../../database/snapshot.js'
import type { World } from '../../world.js'
import type { Action } from '../action.js'

/** The server restarts: connections break, and for a while there is none. */
export const restartDatabase: Action = {
  name: 'restart of the database',
  weight: 2,
  faults: ['database restart'],
  run: async (world, random) => {
    world.fault('database restart', 'the database restarts')
    await away(world, random.int(50, 4_000), async () => undefined)
  },
}

/** The primary is lost, and the one that takes its place lacks the last commits. */
export const failOver: Action = {
  name: 'failover that loses commits',
  weight: 2,
  faults: ['failover'],
  run: async (world, random) => {
    if (world.losing || world.calm) return
    world.losing = true
    const snapshot = await world.ask(takeSnapshot)
    await world.sleep(random.int(20, 3_000))
    if (world.calm) return
    await away(world, random.int(50, 3_000), async (query) => {
      await lose(world, () => putBack(query, snapshot))
      world.replaceServer('promoted')
      world.fault('failover', 'the database fails over and has lost its last commits')
    })
    world.losing = false
  },
}

type Range = readonly [least: number, most: number]

/** Virtual milliseconds that a backup lacks: any time, and so little that requests which the backup knows were just paid. */
const AGES_MS: Range = [3_000, 20_000]
const FRESH_MS: Range = [2_500, 7_000]

/** A backup is put into a new server, with hosts stopped for it; at times one from before any key was used. */
export const restore: Action = {
  name: 'older database put back',
  weight: 1,
  faults: ['restore'],
  run: async (world, random) => {
    if (world.losing || world.calm) return
    world.losing = true
    const first = random.fork('how old').chance(0.2) ? world.beginning : null
    const snapshot = first ?? (await world.ask(takeSnapshot))
    await world.sleep(random.int(...(world.focus === null ? AGES_MS : FRESH_MS)))
    if (world.calm) return
    for (const place of world.places) place.kill()
    await away(world, random.int(100, 2_000), async (query) => {
      await lose(world, () => putBack(query, snapshot))
      world.replaceServer('restored')
      world.fault('restore', `${first === null ? 'a' : 'the first'} backup of the database is put back`)
    })
    for (const place of world.places) place.startIn(random.int(10, 1_500))
    world.losing = false
  },
}

/** Nobody reaches the server for so long; `work` is done to it meanwhile. */
const away = async (world: World, milliseconds: number, work: (query: Query) => Promise<void>): Promise<void> => {
  await world.ask(async (query) => {
    world.kernel.database.down = true
    await world.kernel.database.cutAll()
    await work(query)
  })
  await world.sleep(milliseconds)
  world.kernel.database.down = false
}

/** What was stored until now may be on its way, and is forgotten. */
const lose = async ({ checked, kernel }: World, work: () => Promise<void>): Promise<void> => {
  if (checked !== null) await noteLoss(checked)
  await work()
  kernel.database.changes += 1
}
