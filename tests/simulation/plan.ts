import type { Action, Step } from './actions/action.js'
import { hasAddresses, weightsOf } from './climate.js'
import { seeded } from './kernel/random.js'

/** Steps of a story: at least and at most. */
const STEPS = [40, 52] as const

/** Transfers with which it begins: in some worlds faults are to find many of them under way. */
const OPENINGS = [1, 1, 4, 12] as const

/** What the story of a seed consists of. */
export const planOf = (seed: number, actions: readonly Action[]): readonly Step[] => {
  const random = seeded(`${seed}/plan`)
  const weights = weightsOf(seed, actions)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const choose = (): string => {
    let left = random.next() * whole
    for (const [at, { name }] of actions.entries()) {
      left -= weights[at] ?? 0
      if (left < 0) return name
    }
    return actions[0]?.name ?? ''
  }
  const opening = random.pick(OPENINGS)
  const steps = Array.from({ length: random.int(...STEPS) }, (_, at) => ({
    action: at < opening ? 'transfer' : choose(),
    delayMs: at < opening || random.chance(0.5) ? random.int(0, 150) : random.int(150, 2_200),
    seed: `${seed}/step ${at}`,
  }))
  return hasAddresses(seed) ? withAddresses(seed, steps, actions) : steps
}

/** Every second transfer is something with an address instead. */
const withAddresses = (seed: number, steps: readonly Step[], actions: readonly Action[]): readonly Step[] => {
  const random = seeded(`${seed}/address plan`)
  const names = actions.flatMap(({ name, inPlace = 0 }) => Array.from({ length: inPlace }, () => name))
  return steps.map((step) =>
    step.action === 'transfer' && random.chance(0.5) ? { ...step, action: random.pick(names) } : step,
  )
}
