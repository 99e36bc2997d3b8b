import { shrinkPlan } from '../shrink.js'
import type { SeedRun, SeedWorker } from './seedWorker.js'

/** What is to be told of a seed that failed. */
export interface FailedSeed {
  /** The seed once more, with its story. */
  readonly whole: SeedRun
  /** False: it was run again and went another way, so that something beside the seed had a part in it. */
  readonly again: boolean
  /** A smaller plan that breaks the same invariant, with its story; null where none was found. */
  readonly shrunk: { readonly run: SeedRun; readonly steps: readonly number[]; readonly runs: number } | null
}

export interface ExamineOptions {
  /** Most runs for the search of a smaller plan. */
  readonly mostRuns?: number
}

/** Runs a failed seed again for its story, and looks for a smaller plan that breaks the same invariant. */
export const examineFailure = async (
  failed: SeedRun,
  worker: Pick<SeedWorker, 'run'>,
  { mostRuns }: ExamineOptions = {},
): Promise<FailedSeed> => {
  const { seed } = failed
  const invariant = failed.problems[0]?.invariant ?? ''
  const whole = await worker.run({ seed })
  const breaks = ({ problems }: SeedRun): boolean => problems.some((problem) => problem.invariant === invariant)
  if (!breaks(whole) || whole.digest !== failed.digest) return { whole: failed, again: false, shrunk: null }
  const { plan } = whole
  const planOf = (steps: readonly number[]) => steps.flatMap((step) => plan[step] ?? [])
  const { plan: steps, runs } = await shrinkPlan([...plan.keys()], {
    invariant,
    run: async (tried) => (await worker.run({ seed, plan: planOf(tried) })).problems,
    ...(mostRuns === undefined ? {} : { mostRuns }),
  })
  if (steps.length === plan.length) return { whole, again: true, shrunk: null }
  const run = await worker.run({ seed, plan: planOf(steps) })
  return { whole, again: true, shrunk: { run, steps, runs } }
}

/** Where nothing smaller was found the whole story is told, else only the small one. */
export const failureText = ({ whole, again, shrunk }: FailedSeed, mutant: string | null): string => {
  const { seed, problems, story } = whole
  const head = [`Seed ${seed}${mutant === null ? '' : ` without the defence of ${mutant}`}:`, ...problemLines(problems)]
  if (!again) {
    const why = 'Run again it goes another way: something beside the seed has a part in it, which must never be.'
    return [...head, '', why, '', replayCommand(seed, null, mutant)].join('\n')
  }
  const told = [...head, '', `Its story, ${whole.plan.length} steps:`, ...indented(story)]
  if (shrunk === null) return [...told, '', replayCommand(seed, null, mutant)].join('\n')
  const { run, steps, runs } = shrunk
  return [
    ...told,
    '',
    `The smallest story found in ${runs} runs, ${steps.length} of ${whole.plan.length} steps:`,
    ...problemLines(run.problems),
    ...indented(run.story),
    '',
    replayCommand(seed, steps, mutant),
  ].join('\n')
}

/** What is told of one seed that was replayed. */
export const storyText = ({ seed, plan, problems, story, digest }: SeedRun): string =>
  [
    `Seed ${seed}, ${plan.length} steps:`,
    ...indented(story),
    ...(problems.length === 0 ? ['No problem.'] : problemLines(problems)),
    `digest ${digest}`,
  ].join('\n')

/** The command that tells this story again. */
export const replayCommand = (seed: number, steps: readonly number[] | null, mutant: string | null): string =>
  [
    `npm run simulate -- --replay ${seed}`,
    ...(steps === null ? [] : [`--steps ${steps.join(',')}`]),
    ...(mutant === null ? [] : [`--mutant ${mutant}`]),
  ].join(' ')

const problemLines = (problems: SeedRun['problems']): string[] =>
  problems.map(({ invariant, words }) => `  ${invariant}: ${words}`)

const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`)
