import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import { runSeed } from './crashSeed.js'

const FIRST = Number(process.env.CAUSEWAY_FIRST_SEED ?? 1)
const SEEDS = Number(process.env.CAUSEWAY_SEEDS ?? 20)

let network: LocalNetwork
let database: TestDatabase

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.1 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(async () => {
  await database?.drop()
  await network?.close()
})

it(`F42: ${SEEDS} seeded crashes leave exactly one final payment per deposit and books that agree`, {
  timeout: 900_000,
}, async () => {
  const started = performance.now()
  let crashes = 0
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const result = await runSeed(seed, { network, databaseUrl: database.url }).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}`)
    })
    crashes += result.crashes.length
    expect(result.problems, `seed ${seed}, crashes ${result.crashes.join(', ')}`).toEqual([])
  }
  console.info(`${SEEDS} seeds, ${crashes} crashes, ${Math.round((performance.now() - started) / 1000)} s`)
})
