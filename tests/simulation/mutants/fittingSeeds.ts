import { ACTIONS } from '../actions/actions.js'
import { planOf } from '../plan.js'
import type { Mutant } from './mutant.js'

/** Returns seeds, those first whose stories are most about the needs of a mutant; it runs none of them. */
export const fittingSeeds = ({ by }: Pick<Mutant, 'by'>, seeds: readonly number[]): readonly number[] => {
  if (by === undefined) return seeds
  const fits = new Map(seeds.map((seed) => [seed, fitOf(seed, by)]))
  return seeds.toSorted((left, right) => (fits.get(right) ?? 0) - (fits.get(left) ?? 0) || left - right)
}

/** Product of the shares of the actions, and of transfers, in the story: it must have all of them, and a short story costs less. */
const fitOf = (seed: number, by: readonly string[]): number => {
  const plan = planOf(seed, ACTIONS)
  return ['transfer', ...by].reduce(
    (product, name) => (product * plan.filter(({ action }) => action === name).length) / plan.length,
    1,
  )
}
