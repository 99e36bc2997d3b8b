import type { Action, Step } from './actions/action.js'
import { seeded } from './kernel/random.js'

/** Steps of a story: at least and at most. */
const STEPS = [40, 52] as const

/** What the story of a seed consists of; every third step or so is a transfer's beginning. */
export const planOf = (seed: number, actions: readonly Action[]): readonly Step[] => {
  const random = seeded(`${seed}/plan`)
  const whole = actions.reduce((sum, { weight }) => sum + weight, 0)
  const choose = (): string => {
    let left = random.next() * whole
    for (const { name, weight } of actions) {
      left -= weight
      if (left < 0) return name
    }
    return actions[0]?.name ?? ''
  }
  return Array.from({ length: random.int(...STEPS) }, (_, at) => ({
    action: at === 0 ? 'transfer' : choose(),
    delayMs: random.chance(0.5) ? random.int(0, 150) : random.int(150, 1_500),
    seed: `${seed}/step ${at}`,
  }))
}
