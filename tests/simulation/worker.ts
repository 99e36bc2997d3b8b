import type { SeedAnswer, SeedTask } from './command/seedTask.js'
import { applyMutant } from './mutants/applyMutant.js'
import { mutantNamed } from './mutants/mutants.js'

/**
 * The process that runs seeds, one after another, as it is told over IPC. Nothing of the service is imported before the mutant is
 * applied that the variable CAUSEWAY_SIMULATION_MUTANT names.
 */
const name = process.env.CAUSEWAY_SIMULATION_MUTANT ?? ''
const requireLoaded = name === '' ? () => undefined : applyMutant(mutantNamed(name))
const { runSeed } = await import('./runSeed.js')
requireLoaded()

const tell = (answer: SeedAnswer): void => {
  process.send?.(answer)
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

const run = async ({ seed, ...options }: SeedTask): Promise<void> => {
  const before = process.cpuUsage()
  try {
    const result = await runSeed(seed, options)
    tell({ kind: 'result', result, cpuMs: cpuMs(process.cpuUsage(before)) })
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    tell({ kind: 'failed', words, cpuMs: cpuMs(process.cpuUsage(before)) })
  }
}

process.on('message', (task: SeedTask) => void run(task))
// Whoever started it is gone.
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })
