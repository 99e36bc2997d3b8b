import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `npm test` builds and tests what it built; else packages are read from their sources, so no test runs against a stale build. */
const BUILT = process.env.CAUSEWAY_TEST_BUILT === '1'
const FILES = {
  '': 'index',
  '/chain': 'faces/chain',
  '/chain-kit': 'chainKit/index',
  '/host': 'faces/host',
  '/money-path': 'faces/moneyPath',
  '/plugin': 'faces/plugin',
  '/testing': 'testing/index',
  '/verify': 'verify/index',
}

const packages = (pattern: RegExp, folder: string) =>
  Object.entries(FILES).map(([path, file]) => ({
    find: new RegExp(`^@causeway/${pattern.source}${path}$`),
    replacement: `${root}${folder}/${BUILT ? `dist/${file}.js` : `src/${file}.ts`}`,
  }))

const PACKAGES = '{core,host,host/sandbox,contracts-abi,chains/*,plugins/*}/src/**'
const HTTP = 'tests/{http,operations,pages,prices,realtime,records,sdk,verify,webhooks}/**'

/** What the end of a file's name says it needs; without one it needs nothing, or in `tests` what its folder says. */
const kind = (name: string, folder = '**'): string => `${folder}/*.${name}.test.ts`
const KINDS = ['database', 'chain', 'proof', 'nightly'].map((name) => kind(name))

interface Project {
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  /** Runs without a database; a test that starts a process fails. */
  readonly bare?: boolean
}

const UNIT: Project = {
  include: [`${PACKAGES}/*.test.ts`, 'plugins/dashboard/web/src/**/*.test.ts', 'tests/docs/**/*.test.ts'],
  exclude: KINDS,
  bare: true,
}

/** Every test file belongs to exactly one project. Projects start in this order, the longest first. */
const NAMED: Readonly<Record<string, Project>> = {
  nightly: { include: [kind('nightly')] },
  proof: { include: [kind('proof')] },
  faults: { include: ['tests/faults/**/*.test.ts'], exclude: KINDS },
  e2e: { include: ['tests/**/*.test.ts'], exclude: [...KINDS, `${HTTP}/*`, 'tests/{docs,faults}/**'] },
  http: { include: [`${HTTP}/*.test.ts`], exclude: KINDS },
  'chain:evm': { include: [kind('chain', 'chains/evm/src/**')] },
  'chain:bvm': { include: [kind('chain', 'chains/bvm/src/**')] },
  'chain:xrpvm': { include: [kind('chain', 'chains/xrpvm/src/**')] },
  'chain:hederavm': { include: [kind('chain', 'chains/hederavm/src/**')] },
  'chain:tonvm': { include: [kind('chain', 'chains/tonvm/src/**')] },
  'chain:tvm': { include: [kind('chain', 'chains/tvm/src/**')] },
  'chain:hypevm': { include: [kind('chain', 'chains/hypevm/src/**')] },
  'chain:lvm': { include: [kind('chain', 'chains/lvm/src/**')] },
  'chain:svm': { include: [kind('chain', 'chains/svm/src/**')] },
  'chain:example': { include: [kind('chain', '{tests,core,host,plugins}/**')] },
  database: { include: [kind('database')] },
  unit: UNIT,
}

/** `npm test` runs the projects from `faults` to `database` as one: workers serve one project, and each imports the whole service. */
const TOGETHER: Readonly<Record<string, Project>> = {
  test: {
    include: ['tests/**/*.test.ts', kind('database'), kind('chain')],
    exclude: [kind('proof'), kind('nightly'), 'tests/docs/**'],
  },
  unit: UNIT,
}
const PROJECTS = process.env.CAUSEWAY_TEST_TOGETHER === '1' ? TOGETHER : NAMED

/** The longest files of each project start first, so that no worker waits for one of them at the end. */
const LONG = [
  'simulation/simulation.nightly',
  'bench/bench.nightly',
  'release/nodeVersions.nightly',
  'release/release.nightly',
  'transfers/matrix.nightly',
  'faults/everyKillPoint.nightly',
  'operator/embedded.nightly',
  'adapter/published.nightly',
  'faults/killPoints.proof',
  'faults/fastFillKills.proof',
  'faults/failover.proof',
  'simulation/seeds',
  'pages/journeys.proof',
  'src/conformance.proof',
  'contracts-abi/src/invariants.proof',
  'transfers/ring',
  'addresses/depositAddresses',
]

/** Files of a project one after another, so that workers keep what they have imported. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = Object.keys(PROJECTS)
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const long = LONG.findIndex((name) => relative(root, moduleId).endsWith(`${name}.test.ts`))
      return names.indexOf(project.name) * 100 + (long === -1 ? LONG.length : long)
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/**
 * Test files beside the code import what was built of it, as the packages that they import do: one copy, without transformation. Fixtures
 * stay, since the files that they read are not built.
 */
const builtBeside = {
  name: 'built-beside',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) => {
    if (!source.startsWith('.') || !importer?.includes('/src/')) return null
    const built = resolve(dirname(importer), source).replace('/src/', '/dist/')
    return !built.includes('/fixtures/') && existsSync(built) ? built : null
  },
}

export default defineConfig({
  root,
  plugins: BUILT ? [builtBeside] : [],
  resolve: {
    alias: [
      ...packages(/chain-([a-z]+)/, 'chains/$1'),
      ...packages(/plugin-([a-z0-9-]+)/, 'plugins/$1'),
      ...packages(/(contracts-abi|core|host)/, '$1'),
      ...packages(/sandbox/, 'host/sandbox'),
    ],
  },
  test: {
    reporters: process.env.CAUSEWAY_TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.CAUSEWAY_TEST_REPORT }]]
      : ['default'],
    sequence: { sequencer: ByProject },
    // More than there are processors: many tests wait for blocks. A number, or a percentage of the processors.
    maxWorkers: process.env.CAUSEWAY_TEST_WORKERS ?? 2 * availableParallelism(),
    teardownTimeout: 20_000,
    projects: Object.entries(PROJECTS).map(([name, { include, exclude = [], bare = false }]) => ({
      extends: true as const,
      test: {
        name,
        include: [...include],
        exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
        setupFiles: ['tests/patterns.ts', ...(bare ? ['tests/bareProcess.ts'] : [])],
        ...(bare ? {} : { globalSetup: ['tests/vitest.setup.ts'] }),
        pool: 'forks' as const,
        // A test beside the code must share modules with the packages that it imports, which a bundle would hold a second time.
        execArgv: ['--conditions=unbundled'],
        // A worker runs many files: importing the service again for each would take as long as its tests.
        isolate: false,
        // Built files need no transformation.
        server: { deps: { external: [/\/dist\//] } },
        testTimeout: 120_000,
        // What a test waits for comes when the machine has time for it; a rule about time measures it.
        expect: { poll: { timeout: 60_000 } },
        // A message names what was found, not its length.
        chaiConfig: { truncateThreshold: 400 },
        hookTimeout: 240_000,
      },
    })),
  },
})
