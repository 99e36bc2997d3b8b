import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))
/** Where `#!/usr/bin/env node` of the compiler finds node. */
const PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
const PLATFORMS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Names of all campaigns that must pass. */
export const CAMPAIGNS = '^(DepositAddress|Depository|Permit|Router)Invariants$'

/** How long campaigns run: sequences, and calls in each of them. */
export interface Campaigns {
  /** Expression that names contracts of `invariants`. */
  readonly contracts: string
  readonly runs: number
  readonly depth: number
  /** Optimized as it is deployed; compiling that takes three times as long. */
  readonly optimized?: boolean
  /** Makes campaigns repeatable; without it each differs. */
  readonly seed?: string
}

export interface CampaignsResult {
  readonly passed: boolean
  /** Forge's report: the calls that broke each invariant, and the seed. */
  readonly report: string
}

/** Runs campaigns of `invariants` by forge, with the compiler of npm and without network. */
export async function runCampaigns({
  contracts,
  runs,
  depth,
  seed,
  optimized = false,
}: Campaigns): Promise<CampaignsResult> {
  const platform = `${process.platform}-${PLATFORMS[process.arch]}`
  const packageJson = createRequire(import.meta.url).resolve(`@foundry-rs/forge-${platform}/package.json`)
  const forge = join(dirname(packageJson), 'bin/forge')
  const args = [
    'test',
    '--offline',
    '--match-contract',
    contracts,
    ...(seed === undefined ? [] : ['--fuzz-seed', seed]),
  ]
  const profile = optimized ? 'nightly' : 'default'
  // A campaign that failed once would only repeat its failure.
  const failures = mkdtempSync(join(tmpdir(), 'invariants-'))
  const limits = {
    FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: failures,
    FOUNDRY_PROFILE: profile,
    FOUNDRY_INVARIANT_RUNS: String(runs),
    FOUNDRY_INVARIANT_DEPTH: String(depth),
  }
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { PATH, ...limits, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 }
    execFile(forge, args, options, (error, stdout, stderr) => {
      rmSync(failures, { recursive: true })
      const report = `${stdout}\n${stderr}`
      // A broken invariant ends with 1, and so does what does not compile.
      if (/Ran \d+ test suites? in/.test(report)) resolve({ passed: error === null, report })
      else reject(new Error(`forge ran no campaign: ${report}`))
    })
  })
}
