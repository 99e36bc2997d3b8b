import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { MUTANTS, mutantNamed } from '../mutants/mutants.js'

/** Every mutant in place of one. */
export const ALL_MUTANTS = 'all'

/** What the command was asked for. */
export interface SimulateOptions {
  readonly first: number
  readonly count: number
  readonly workers: number
  readonly keepGoing: boolean
  readonly mutant: string | null
  readonly replay: number | null
  /** Places of the steps of its plan that are replayed; null: all. */
  readonly steps: readonly number[] | null
}

export const HELP = `npm run simulate -- [--seeds 100] [--from 1] [--workers ${availableParallelism()}] [--keep-going] [--mutant NAME]
npm run simulate -- --replay SEED [--steps 3,9,20] [--mutant NAME]

Runs two hosts over two ledgers and a PostgreSQL in a world of their own, once for each seed: what happens, when, and in which order
answers come is the seed's alone. Hosts crash and sleep, nodes fail and lie, blocks are replaced, databases are put back. After every
step the invariants are checked, and at the end everything must be finished and paid once.

  --seeds N       seeds to run
  --from S        the first of them
  --workers K     processes at once, each with a PostgreSQL of its own
  --keep-going    runs all seeds, whatever fails; the first failure is told at the end
  --replay S      runs one seed and tells its story
  --steps LIST    with --replay: only these steps of its plan, as the story of a failure names them
  --mutant NAME   takes one defence out of the service, which the seeds must notice; "${ALL_MUTANTS}" looks for the first seed that
                  notices each mutant that no test catches, and fails when one survives

Ends with exit code 1 at the first seed that shows a problem: with its story, the smallest plan found that still shows it, and the
command that replays that. The same seed tells the same story again.

Mutants: ${MUTANTS.map(({ name }) => name).join(', ')}`

/** @throws Error in words for whoever typed it */
export const parseSimulateOptions = (args: readonly string[]): SimulateOptions | 'help' => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      'keep-going': { type: 'boolean', default: false },
      mutant: { type: 'string' },
      replay: { type: 'string' },
      steps: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const { mutant = null, replay, steps } = values
  if (mutant !== null && mutant !== ALL_MUTANTS) mutantNamed(mutant)
  if (replay === undefined && steps !== undefined) throw new Error('--steps is for --replay.')
  if (replay !== undefined && mutant === ALL_MUTANTS) throw new Error('--replay takes one mutant.')
  return {
    first: wholeNumber('--from', values.from, 0),
    count: wholeNumber('--seeds', values.seeds, 1),
    workers: wholeNumber('--workers', values.workers, 1),
    keepGoing: values['keep-going'],
    mutant,
    replay: replay === undefined ? null : wholeNumber('--replay', replay, 0),
    steps: steps === undefined ? null : steps.split(',').map((step) => wholeNumber('--steps', step, 0)),
  }
}

const wholeNumber = (name: string, text: string, least: number): number => {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  throw new Error(`${name} takes whole numbers from ${least} on, not "${text}".`)
}
