import type { Random } from '../kernel/random.js'
import type { World } from '../world.js'

/** Something that a step of a story begins. */
export interface Action {
  readonly name: string
  /** How often it is chosen, against the others. */
  readonly weight: number
  /** How often, in worlds with addresses, it takes the place of a transfer, against the others that do. */
  readonly inPlace?: number
  /** The same in worlds with deposits by signature. */
  readonly ofPermits?: number
  /** The same in worlds with balances. */
  readonly ofBalances?: number
  /** How often, in worlds with balances, it takes the place of what is no transfer, against the others that do. */
  readonly besideBalances?: number
  /** Kinds of faults that it tells of, for the picture of coverage. */
  readonly faults?: readonly string[]
  /** Begins it, and returns once nothing more of it is to come; the world goes on meanwhile. `random` is the step's own. */
  run(world: World, random: Random): void | Promise<void>
}

/** One step of a plan: what begins, and how long after the one before. */
export interface Step {
  readonly action: string
  readonly delayMs: number
  /** Of its own randomness, so that it is the same whatever other steps are left out. */
  readonly seed: string
}
