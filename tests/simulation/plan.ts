import type { Action, Step } from './actions/action.js'
import { hasAddresses, hasBalances, hasPermits, weightsOf } from './climate.js'
import { type Focus, focusOf } from './focus.js'
import { type Random, seeded } from './kernel/random.js'

/** Steps of a story: at least and at most. */
const STEPS = [40, 52] as const

/** Transfers with which it begins: in some worlds faults are to find many of them under way. */
const OPENINGS = [1, 1, 4, 12] as const

/** What the story of a seed consists of. */
export const planOf = (seed: number, actions: readonly Action[]): readonly Step[] => {
  const random = seeded(`${seed}/plan`)
  const weights = weightsOf(seed, actions)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const choose = (by: Random): string => {
    let left = by.next() * whole
    for (const [at, { name }] of actions.entries()) {
      left -= weights[at] ?? 0
      if (left < 0) return name
    }
    return actions[0]?.name ?? ''
  }
  const focus = focusOf(seed)
  if (focus !== null) return focusedPlan(seed, focus, choose)
  const opening = random.pick(OPENINGS)
  const steps = Array.from({ length: random.int(...STEPS) }, (_, at) => ({
    action: at < opening ? 'transfer' : choose(random),
    delayMs: at < opening || random.chance(0.5) ? random.int(0, 150) : random.int(150, 2_200),
    seed: `${seed}/step ${at}`,
  }))
  const signed = hasPermits(seed)
    ? inPlaceOfTransfers(steps, seeded(`${seed}/permit plan`), shares(actions, 'ofPermits'), 0.4)
    : steps
  const addressed = hasAddresses(seed)
    ? inPlaceOfTransfers(signed, seeded(`${seed}/address plan`), shares(actions, 'inPlace'))
    : signed
  if (!hasBalances(seed)) return addressed
  // Nothing is filled ahead before somebody has a balance.
  const [first, ...rest] = inPlaceOfTransfers(
    inPlaceOfOthers(addressed, seeded(`${seed}/plan of claims`), shares(actions, 'besideBalances')),
    seeded(`${seed}/plan of balances`),
    shares(actions, 'ofBalances'),
    0.75,
  )
  return first === undefined ? [] : [{ ...first, action: 'top-up' }, ...rest]
}

/** Names of actions, each as often as its share. */
const shares = (
  actions: readonly Action[],
  share: 'inPlace' | 'ofPermits' | 'ofBalances' | 'besideBalances',
): readonly string[] => actions.flatMap((action) => Array.from({ length: action[share] ?? 0 }, () => action.name))

/** Such a share of the transfers is something else. */
const inPlaceOfTransfers = (
  steps: readonly Step[],
  random: Random,
  names: readonly string[],
  share = 0.5,
): readonly Step[] =>
  steps.map((step) =>
    step.action === 'transfer' && random.chance(share) ? { ...step, action: random.pick(names) } : step,
  )

/** Of what is no transfer, so much is something with a balance. */
const BESIDE = 0.15

const inPlaceOfOthers = (steps: readonly Step[], random: Random, names: readonly string[]): readonly Step[] =>
  steps.map((step) =>
    step.action !== 'transfer' && random.chance(BESIDE) ? { ...step, action: random.pick(names) } : step,
  )

/** Steps of a story with a focus: at least and at most. */
const FOCUSED_STEPS = [18, 24] as const
/** Part of the steps that may be anything. */
const OTHERS = 0.12

/** A story about little else; `choose` picks any action. A balance is topped up first. */
const focusedPlan = (
  seed: number,
  { needs, shares, paceMs }: Focus,
  choose: (random: Random) => string,
): readonly Step[] => {
  const random = seeded(`${seed}/focused plan`)
  const names = Object.entries(shares).flatMap(([name, share]) => Array.from({ length: share }, () => name))
  return Array.from({ length: random.int(...FOCUSED_STEPS) }, (_, at) => ({
    action: needs === 'balances' && at === 0 ? 'top-up' : random.chance(OTHERS) ? choose(random) : random.pick(names),
    delayMs: paceMs === undefined && random.chance(0.6) ? random.int(0, 150) : random.int(150, paceMs ?? 1_500),
    seed: `${seed}/focused step ${at}`,
  }))
}
