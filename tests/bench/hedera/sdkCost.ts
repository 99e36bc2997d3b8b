import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const run = promisify(execFile)
const BYTES_IN_MB = 1_000_000

const SDK = createRequire(import.meta.resolve('@causeway/chain-hederavm')).resolve('@hashgraph/sdk')

/** Prints the milliseconds that an import takes, and the bytes that the process holds then. */
const script = (name: string): string => `
const startedAt = performance.now()
await import(${JSON.stringify(name)})
console.log(JSON.stringify({ ms: performance.now() - startedAt, mb: process.memoryUsage().rss / ${BYTES_IN_MB} }))
process.exit(0)`

const measured = (name: string) => async (): Promise<Record<string, number>> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script(name)])
  // CAST: printed by the script.
  return JSON.parse(stdout) as Record<string, number>
}

/** (y) Time and resident memory of the SDK in a process of its own, against a module of Node. */
export const measureSdk = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const contestants = { sdk: measured(SDK), floor: measured('node:path') }
  const { sdk, floor } = await interleave(scale.rounds, contestants, (round) =>
    say(`SDK of Hedera: round ${round + 1}`),
  )
  return [
    { case: 'y', what: 'import of the SDK of Hedera', unit: 'ms', value: sdk.ms ?? Number.NaN },
    {
      case: 'y',
      what: 'resident memory with the SDK of Hedera',
      unit: 'MB',
      value: sdk.mb ?? Number.NaN,
      floor: floor.mb ?? Number.NaN,
      floorIs: 'a process without it',
    },
  ]
}
