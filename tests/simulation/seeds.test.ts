import 'reflect-metadata'
import { it } from 'vitest'
import { requireSeeds } from './command/requireSeeds.js'
import { seedsFrom } from './command/runSeeds.js'

const SEEDS = 15
const WORKERS = 2

it(`F42: ${SEEDS} seeds of a simulated world leave every invariant true`, { timeout: 900_000 }, async () => {
  await requireSeeds(seedsFrom(1, SEEDS), WORKERS)
})
