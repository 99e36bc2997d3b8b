import { seeded } from '../kernel/random.js'
import type { World } from '../world.js'
import type { Step } from './action.js'
import { ACTIONS } from './actions.js'

/** Begins a step; what it does not end at once goes on beside the next ones. */
export const begin = (world: World, step: Step): void => {
  const action = ACTIONS.find(({ name }) => name === step.action)
  if (action === undefined) throw new Error(`There is no action ${step.action}.`)
  const run = async () => action.run(world, seeded(step.seed))
  const complain = (error: unknown) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    world.complaints.push(`${step.action}: ${words}`)
  }
  world.kernel.ready({ process: world.process, run: () => void run().catch(complain) })
}
