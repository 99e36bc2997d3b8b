import type { SimLedger } from '../../chain/simLedger.js'
import type { Random } from '../../kernel/random.js'
import type { GivenPermit, World } from '../../world.js'
import type { Action } from '../action.js'
import { bringIn, postPermit } from './postPermit.js'

const PATIENCE_MS = 8_000
const LOOK_MS = 200

const anyPermit = ({ permits }: World, random: Random): GivenPermit | null =>
  permits.length === 0 ? null : random.pick(permits)

/** A stranger brings in what somebody signed for at whatever time: posted or not, brought in before, or expired. */
export const strangerPermit: Action = {
  name: 'signature used by a stranger',
  weight: 0,
  ofPermits: 1,
  faults: ['signature used by a stranger'],
  run: (world, random) => {
    const given = anyPermit(world, random)
    if (given === null) return
    bringIn(world, given, random)
    world.fault('signature used by a stranger', 'nobody asked for it')
  },
}

/** A user posts what it signed again, whatever became of it: at times the database has forgotten it. */
export const postedAgain: Action = {
  name: 'signature posted again',
  weight: 0,
  ofPermits: 2,
  faults: ['signature posted again'],
  run: async (world, random) => {
    const given = anyPermit(world, random)
    if (given === null) return
    world.fault('signature posted again', 'a user posts its signature again')
    await postPermit(world, given, random)
  },
}

/** A block with what was signed for leaves. */
export const leavingPermit: Action = {
  name: 'reorg of a signed deposit',
  weight: 0,
  ofPermits: 2,
  faults: ['signed deposit leaves'],
  run: async (world, random) => {
    const ledger = world.ledgers.find(({ kind }) => kind === 'reorging')
    if (ledger === undefined) return
    const until = world.kernel.time.now + PATIENCE_MS
    while (depthOf(ledger) === null && !world.calm && world.kernel.time.now < until) await world.sleep(LOOK_MS)
    const depth = depthOf(ledger)
    if (depth === null || world.calm) return
    ledger.reorg(depth, random.pick(['returned', 'lost', 'shuffled']))
    world.noteDeposits()
    world.fault('signed deposit leaves', `${depth} blocks of ${ledger.slug} leave, with a signed deposit`)
  },
}

/** So many blocks must leave for the newest signed deposit to leave; null where none can. */
const depthOf = (ledger: SimLedger): number | null => {
  const newest = ledger.records().findLast(({ transfer }) => transfer.permit !== undefined)?.block?.height
  const depth = ledger.head.height - (newest ?? 0) + 1
  return newest === undefined || depth > ledger.settle - 1 ? null : depth
}
