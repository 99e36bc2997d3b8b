import { ACTIONS } from '../actions/actions.js'
import { planOf } from '../plan.js'
import type { Mutant } from './mutant.js'

/** The seeds whose stories have most of what a mutant needs first: nothing of them is run for it. */
export const fittingSeeds = ({ by }: Pick<Mutant, 'by'>, seeds: readonly number[]): readonly number[] => {
  if (by === undefined) return seeds
  const fits = new Map(seeds.map((seed) => [seed, fitOf(seed, by)]))
  return seeds.toSorted((left, right) => (fits.get(right) ?? 0) - (fits.get(left) ?? 0) || left - right)
}

/** The product of how often each comes, and a transfer: a story must have all of them. */
const fitOf = (seed: number, by: readonly string[]): number => {
  const plan = planOf(seed, ACTIONS)
  return ['transfer', ...by].reduce((product, name) => product * plan.filter(({ action }) => action === name).length, 1)
}
