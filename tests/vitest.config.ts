import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `npm test` builds and tests what it built; else packages are read from their sources, so no test runs against a stale build. */
const BUILT = process.env.CAUSEWAY_TEST_BUILT === '1'
const FILES = { '': 'index', '/testing': 'testing/index', '/verify': 'verify/index' }

const packages = (pattern: RegExp, folder: string) =>
  Object.entries(FILES).map(([path, file]) => ({
    find: new RegExp(`^@causeway/${pattern.source}${path}$`),
    replacement: `${root}${folder}/${BUILT ? `dist/${file}.js` : `src/${file}.ts`}`,
  }))

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
      ...packages(/chain-([a-z]+)/, 'chains/$1'),
      ...packages(/plugin-([a-z0-9-]+)/, 'plugins/$1'),
      ...packages(/(contracts-abi|core|host)/, '$1'),
    ],
  },
  test: {
    include: ['{core,host,contracts-abi,chains/*,plugins/*}/src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/vitest.setup.ts'],
    reporters: process.env.CAUSEWAY_TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.CAUSEWAY_TEST_REPORT }]]
      : ['default'],
    pool: 'forks',
    // Built files need no transformation.
    server: { deps: { external: [/\/dist\//] } },
    sequence: { sequencer: LongFirst },
    // One more than the gate has processors: many tests wait for blocks.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    teardownTimeout: 20_000,
  },
})
