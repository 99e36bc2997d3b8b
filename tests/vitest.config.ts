import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages are read from their sources, so a test never runs against a stale build. */
const sourceOf = (pattern: RegExp, folder: string) => [
  { find: new RegExp(`^@causeway/${pattern.source}/testing$`), replacement: `${root}${folder}/src/testing/index.ts` },
  { find: new RegExp(`^@causeway/${pattern.source}/verify$`), replacement: `${root}${folder}/src/verify/index.ts` },
  { find: new RegExp(`^@causeway/${pattern.source}$`), replacement: `${root}${folder}/src/index.ts` },
]

/** Minutes long: started first, so that no worker waits for one of them at the end. */
const LONG = ['bench/bench', 'faults/killPoints', 'solana/kill', 'faults/crashSeeds', 'demo/demo', 'sandbox/sandbox']
const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`))

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  root,
  resolve: {
    alias: [
      ...sourceOf(/chain-([a-z]+)/, 'chains/$1'),
      ...sourceOf(/plugin-([a-z0-9-]+)/, 'plugins/$1'),
      ...sourceOf(/(contracts-abi|core|host)/, '$1'),
    ],
  },
  test: {
    include: ['{core,host,contracts-abi,chains/*,plugins/*}/src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/vitest.setup.ts'],
    reporters: process.env.CAUSEWAY_TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.CAUSEWAY_TEST_REPORT }]]
      : ['default'],
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    // One more than the gate has processors: many tests wait for blocks.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    teardownTimeout: 20_000,
  },
})
