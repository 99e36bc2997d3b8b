import { FAILPOINTS } from '@causeway/core/plugin'
import type { HostPlace } from '../../host/hostPlace.js'
import type { Random } from '../../kernel/random.js'
import type { World } from '../../world.js'
import type { Action } from '../action.js'

/** How long a supervisor takes to start a host again, virtual milliseconds. */
const restartMs = (random: Random): number => random.int(200, 9_000)

const crashNow = (world: World, place: HostPlace, words: string, random: Random): void => {
  const { name } = place.process
  place.kill()
  world.fault('crash', `${name} dies ${words}`)
  place.startIn(restartMs(random))
}

/** A host dies between any two events. */
export const crashAnywhere: Action = {
  name: 'crash anywhere',
  weight: 5,
  faults: ['crash'],
  run: (world, random) => {
    const place = random.pick(world.places)
    const at = world.kernel.events + random.int(1, 250)
    world.crashes.push({
      due: (event) => event >= at,
      run: () => crashNow(world, place, 'anywhere', random),
    })
  },
}

/** A host dies at a named place of the money path. */
export const crashAtFailpoint: Action = {
  name: 'crash at a failpoint',
  weight: 5,
  run: (world, random) => {
    dieAt(world, random.pick(world.hasPermits ? FAILPOINTS : FAILPOINTS.filter(isPassedByAll)), random)
  },
}

const isOfSignatures = (failpoint: string): boolean => failpoint.startsWith('origin.')
const isPassedByAll = (failpoint: string): boolean => !isOfSignatures(failpoint)

const dieAt = (world: World, failpoint: string, random: Random): void => {
  world.failpointCrashes.push({ failpoint, run: (place) => crashNow(world, place, `at ${failpoint}`, random) })
}

/** A host dies where it takes or sends what a user signed for. */
export const crashAtSignature: Action = {
  name: 'crash at a signature',
  weight: 0,
  ofPermits: 3,
  run: (world, random) => dieAt(world, random.pick(FAILPOINTS.filter(isOfSignatures)), random),
}

/** As SIGSTOP does: it may outlast leases, and everything that was under way goes on afterwards. */
export const freezeHost: Action = {
  name: 'freeze a host',
  weight: 4,
  faults: ['freeze'],
  run: (world, random) => {
    const place = random.pick(world.places)
    const milliseconds = random.pick([random.int(300, 3_000), random.int(3_000, 12_000), random.int(12_000, 25_000)])
    place.process.frozenUntil = world.kernel.time.now + milliseconds
    world.fault('freeze', `${place.process.name} is frozen for ${milliseconds} ms`)
  },
}

/** The clock of a host's machine is wrong, for a while. */
export const hostClock: Action = {
  name: 'wrong clock of a host',
  weight: 1,
  faults: ['host clock'],
  run: async (world, random) => {
    const { process } = random.pick(world.places)
    process.clockOffMs = random.pick([-7_200_000, -30_000, 30_000, 7_200_000])
    world.fault('host clock', `the clock of ${process.name} is off by ${process.clockOffMs} ms`)
    await world.sleep(random.int(2_000, 30_000))
    process.clockOffMs = 0
  },
}
