import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import { makeWorkingCopy, type WorkingCopy } from './workingCopy.js'

const run = promisify(execFile)

/** What `engines` promises, one version of each line; the one that runs this test has just run all others. */
const VERSIONS = ['20.20.2', '22.23.3', '24.21.0'].filter((version) => version !== process.versions.node)

/** Rebuilt by the newest version: the compiler of contracts and the bundler of pages run in Node. */
const PARTS = ['contracts-abi/src/generated', 'contracts-abi/dist', 'plugins/prices/dist', 'plugins/dashboard/dist']

const TRANSFER = 'tests/sdk/restart.nightly.test.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-node-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The program of a version, as npm has it for this machine. */
const installNode = async (version: string): Promise<string> => {
  const name = `node-${process.platform}-${process.arch}`
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline']
  const prefix = join(folder, version)
  await run('npm', ['install', ...flags, '--prefix', prefix, `${name}@${version}`], { env: bareEnvironment() })
  return join(prefix, 'node_modules', name, 'bin', 'node')
}

describe.each(VERSIONS)('Node %s', (version) => {
  const isNewest = version === VERSIONS.at(-1)
  let node: string
  let copy: WorkingCopy
  beforeAll(async () => {
    node = await installNode(version)
    copy = makeWorkingCopy({ builtBut: isNewest ? PARTS : [] })
  })
  afterAll(() => copy?.remove())

  /** Runs a script of what is installed. Fails with what it printed. */
  const script = async (path: string, ...args: readonly string[]): Promise<string> => {
    const env = bareEnvironment({ CAUSEWAY_TEST_BUILT: '1', CAUSEWAY_TEST_WORKERS: '2' })
    const options = { cwd: copy.folder, env, maxBuffer: 50_000_000 }
    const { stdout } = await run(node, [path, ...args], options).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`${error.stdout}\n${error.stderr}`)
      },
    )
    return stdout
  }
  const vitest = (...args: readonly string[]) =>
    script('node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', ...args)

  it('is that version', async () => {
    const { stdout } = await run(node, ['--version'])
    expect(stdout.trim()).toBe(`v${version}`)
  })

  it.runIf(isNewest)(
    'builds the repository',
    async () => {
      await script('contracts-abi/build/compile.mjs')
      await script('node_modules/typescript/bin/tsc', '-b')
      expect(await script('plugins/dashboard/build/pages.mjs')).toContain('pages: built in')
    },
    240_000,
  )

  it.runIf(isNewest)(
    'passes every unit test',
    async () => {
      expect(await vitest('--project', 'unit')).toMatch(/Tests +[1-9][0-9]+ passed/)
    },
    480_000,
  )

  it('moves a transfer through a host that is killed on the way', async () => {
    expect(await vitest('--project', 'nightly', TRANSFER)).toMatch(/Tests +1 passed/)
  }, 240_000)
})
