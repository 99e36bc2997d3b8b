import 'reflect-metadata'
import { type SeedAnswer, type SeedTask, WORKER_VARIABLES } from './command/seedTask.js'
import { applyMutant } from './mutants/applyMutant.js'
import { mutantNamed } from './mutants/mutants.js'

/**
 * The process that runs seeds, one after another, as it is told over IPC. Nothing of the service is imported before the mutant is
 * applied that its environment names.
 */
const read = (name: keyof typeof WORKER_VARIABLES): string => process.env[WORKER_VARIABLES[name]] ?? ''
const mutant = read('mutant')
const requireLoaded = mutant === '' ? () => undefined : applyMutant(mutantNamed(mutant))
const { openSeedWorld } = await import('./command/seedWorld.js')
const { runSeed } = await import('./runSeed.js')
requireLoaded()
const world = await openSeedWorld({ server: read('url'), folder: read('folder') })

const tell = (answer: SeedAnswer): void => {
  process.send?.(answer)
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

const run = async ({ seed, ...options }: SeedTask): Promise<void> => {
  const before = process.cpuUsage()
  try {
    const result = await runSeed(seed, world, options)
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
