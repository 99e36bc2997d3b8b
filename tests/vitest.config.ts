import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages are read from their sources, so a test never runs against a stale build. */
const sourceOf = (pattern: RegExp, folder: string) => [
  { find: new RegExp(`^@causeway/${pattern.source}/testing$`), replacement: `${root}${folder}/src/testing/index.ts` },
  { find: new RegExp(`^@causeway/${pattern.source}/verify$`), replacement: `${root}${folder}/src/verify/index.ts` },
  { find: new RegExp(`^@causeway/${pattern.source}$`), replacement: `${root}${folder}/src/index.ts` },
]

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
    // A worker loads the packages once, not once for each file.
    isolate: false,
    // One more than the gate has processors: many tests wait for blocks.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
})
