import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOnChain } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { publishedPackages } from '../packing/packages.js'
import { type LocalRegistry, startLocalRegistry } from './localRegistry.js'
import { makeWorkingCopy, type WorkingCopy } from './workingCopy.js'

const run = promisify(execFile)
const packages = publishedPackages()

let copy: WorkingCopy
let registry: LocalRegistry
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-release-'))
  // nodeVersions.nightly.test.ts builds it all; a release that built nothing would publish this one without its code.
  copy = makeWorkingCopy({ builtBut: ['plugins/prices/dist'] })
  registry = await startLocalRegistry()
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
  ])
    await git(...args)
  await git('commit', '--quiet', '--message', 'core: begin')
})
afterAll(async () => {
  await registry?.close()
  copy?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a program. Fails with what it printed. */
const inFolder = async (
  cwd: string,
  program: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const options = { cwd, env: bareEnvironment(more), maxBuffer: 50_000_000 }
  const { stdout } = await run(program, [...args], options).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${error.stdout}\n${error.stderr}`)
    },
  )
  return stdout
}

const git = (...args: readonly string[]): Promise<string> =>
  inFolder(copy.folder, 'git', ['-c', 'user.name=Release', '-c', 'user.email=release@causeway.invalid', ...args])

const npm = (cwd: string, ...args: readonly string[]): Promise<string> => inFolder(cwd, 'npm', args)

/** Runs a script of releases as somebody whose npm is set to the local registry. */
const release = (script: string, ...args: readonly string[]): Promise<string> => {
  const NPM_CONFIG_USERCONFIG = join(folder, 'npmrc')
  writeFileSync(NPM_CONFIG_USERCONFIG, registry.npmrc)
  return inFolder(copy.folder, 'npm', ['run', script, '--', '--yes', ...args], { NPM_CONFIG_USERCONFIG })
}

/** Versions of a package that the registry has. */
const versionsOf = async (name: string): Promise<string[]> => {
  const answer = await fetch(`${registry.url}${name.replace('/', '%2f')}`)
  const { versions = {} } = (await answer.json()) as { readonly versions?: object }
  return Object.keys(versions)
}

const emptyFolder = (name: string): string => {
  const made = join(folder, name)
  mkdirSync(made, { recursive: true })
  writeFileSync(join(made, '.npmrc'), registry.npmrc)
  return made
}

const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

describe('a release', () => {
  it('builds and publishes every package', async () => {
    await npm(copy.folder, 'run', 'release:install')
    await release('release:publish')
    const found = await Promise.all(packages.map(async ({ manifest: { name } }) => [name, await versionsOf(name)]))
    expect(found).toEqual(packages.map(({ manifest: { name, version } }) => [name, [version]]))
  }, 240_000)

  it('makes versions and changelogs of what changed since, and of what depends on it, from the commits', async () => {
    for (const { manifest } of packages) {
      const tag = `${manifest.name}@${manifest.version}`
      await git('tag', '--annotate', tag, '--message', tag)
    }
    for (const [line, subject] of [
      ['Begun.', 'prices: fix a price that was read twice'],
      ['Done.', 'prices: add a source of prices'],
      ['Read.', 'docs: correct a sentence'],
    ] as const) {
      appendFileSync(join(copy.folder, 'plugins', 'prices', 'README.md'), `${line}\n`)
      await git('commit', '--quiet', '--all', '--message', subject)
    }
    await git('config', 'user.name', 'Release')
    await git('config', 'user.email', 'release@causeway.invalid')
    await release('release:version', '--no-push')
    const read = (path: string): string => readFileSync(join(copy.folder, path), 'utf8')
    expect(JSON.parse(read('plugins/prices/package.json')).version).toBe('1.1.0')
    expect(JSON.parse(read('host/package.json')).version).toBe('1.0.1')
    expect(JSON.parse(read('core/package.json')).version).toBe('1.0.0')
    const [, entry = ''] = read('plugins/prices/CHANGELOG.md').split('## 1.1.0')
    expect(entry).toMatch(
      /### Added\s+\* \*\*prices:\*\* Add a source of prices\s+### Fixed\s+\* \*\*prices:\*\* Fix a price/,
    )
    expect(entry).not.toContain('Correct a sentence')
    expect(read('core/CHANGELOG.md')).not.toContain('## 1.0.1')
    await release('release:publish')
    expect(await versionsOf('@causeway/plugin-prices')).toEqual(['1.0.0', '1.1.0'])
    expect(await versionsOf('@causeway/core')).toEqual(['1.0.0'])
  }, 240_000)
})

describe('a deployment installed from the registry in an empty folder', () => {
  let network: LocalNetwork
  let database: TestDatabase
  let host: HostProcess | undefined

  beforeAll(async () => {
    ;[network, database] = await Promise.all([startLocalNetwork(), createTestDatabase({ packages: [] })])
  })
  afterAll(async () => {
    host?.signal('SIGTERM')
    await host?.ended
    await database?.drop()
    await network?.close()
  })

  it('starts and moves a transfer', async () => {
    const deployment = emptyFolder('deployment')
    await npm(deployment, 'init', '--yes')
    await npm(deployment, ...INSTALL, '@causeway/host', '@causeway/chain-evm')
    const installed = (path: string): string => join(deployment, 'node_modules', '@causeway', path)
    const { version } = JSON.parse(readFileSync(installed('plugin-prices/package.json'), 'utf8'))
    expect(version).toBe('1.1.0')
    const program = installed('host/bin/causeway.js')
    host = await startHostProcess({ network, databaseUrl: database.url, folder: deployment, program })
    const [origin, destination] = network.chains
    const [user, recipient, amount] = [userOf(network, 0), freshAddress(), ether('0.05')]
    const currencies = { originCurrency: NATIVE, destinationCurrency: NATIVE }
    const chains = { from: origin.chain.chainId, to: destination.chain.chainId }
    const quote = await quoteOverHttp(host.url, { user, recipient, amount, ...currencies, ...chains })
    await depositNative(origin, user, quote.protocol.v2.orderId, amount)
    await until('the payment', async () => {
      const held = await balanceOnChain(destination, recipient, NATIVE)
      return held > 0n ? held : null
    })
    expect(await balanceOnChain(destination, recipient, NATIVE)).toBe(BigInt(quote.details.currencyOut.amount))
  }, 240_000)

  it('begins an adapter that installs, builds, and is told by the kit what is to be done', async () => {
    await causeway('create-adapter', '@acme/causeway-chain-acme', '--folder', '../adapter')
    const made = emptyFolder('adapter')
    await npm(made, ...INSTALL)
    await npm(made, 'run', 'build')
    const failed = await npm(made, 'run', '--silent', 'conformance').catch((error: Error) => error.message)
    expect(failed).toMatch(/0 passed, [0-9]+ failed/)
    expect(failed).toContain('To be done:')
  }, 240_000)

  it('begins an adapter from the example, whose tests and conformance run pass by one command', async () => {
    await causeway('create-adapter', 'causeway-chain-acme', '--family', 'example', '--folder', '../example')
    const made = emptyFolder('example')
    await npm(made, ...INSTALL)
    expect(await npm(made, 'test')).toMatch(/[0-9]+ passed, 0 failed/)
  }, 300_000)

  it('begins a plugin that installs, type-checks and passes its own test, on a PostgreSQL that the test starts', async () => {
    await causeway('create-plugin', '@acme/causeway-plugin-acme', '--folder', '../plugin')
    const made = emptyFolder('plugin')
    await npm(made, ...INSTALL)
    await npm(made, 'run', 'typecheck')
    expect(await npm(made, 'test')).toMatch(/Tests .*\b7 passed/)
  }, 240_000)

  const causeway = (...args: readonly string[]): Promise<string> =>
    inFolder(join(folder, 'deployment'), 'npx', ['--no-install', 'causeway', ...args])
})
