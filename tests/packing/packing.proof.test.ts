import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import semver from 'semver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSUMER, LOADED_MODULES } from './consumer.js'
import { installedWorkspace } from './installedWorkspace.js'
import { importsOf, publishedPackages, ROOT, type Tarball, TSC } from './packages.js'
import { packedWorkspace } from './packedWorkspace.js'

const run = promisify(execFile)
const packages = publishedPackages()
const versionOf = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]))

/** What speaks to a chain; of no use to a deployment without it. */
const CHAIN_SDKS =
  /\/node_modules\/(viem|ox|abitype|@solana|@ton|@ton-community|xrpl|ripple-[a-z-]+|@hashgraph|@hiero-ledger|@grpc|tronweb|bitcoinjs-lib|@nktkas)\//

/** The engine of TON, which only local networks load. */
const TON_ENGINE = /\/node_modules\/(@ton\/sandbox|@ton-community)\//

/** The SDK of Lighter, whose signer the first payment loads in a thread. */
const LIGHTER_SDK = /\/node_modules\/@reservoir0x\//

/** `tronweb` with what it alone needs, which the first payment loads, and the engine of local networks. */
const TRON_SDK = /\/node_modules\/(tronweb|ethers|google-protobuf|@ethereumjs)\//

/** The SDK of Hyperliquid, which the first payment loads. */
const HYPERLIQUID_SDK = /\/node_modules\/(@nktkas|valibot)\//

/** Packages of the SDK of Hedera, which only a configured network loads. */
const HEDERA_SDK = /\/node_modules\/(@hashgraph|@hiero-ledger|@grpc|protobufjs)\//

let folder = ''
let tarballs: readonly Tarball[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-packing-'))
  mkdirSync(join(folder, 'consumer'))
  tarballs = await packedWorkspace()
  const installed = await installedWorkspace()
  writeFileSync(join(folder, 'consumer', 'package.json'), installed.manifest)
  symlinkSync(installed.modules, join(folder, 'consumer', 'node_modules'))
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inConsumer = (program: string, args: readonly string[]) =>
  run(program, [...args], { cwd: join(folder, 'consumer'), maxBuffer: 50_000_000 })

/** Fails with what the compiler said. */
const compile = async (settings: readonly string[]): Promise<void> => {
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')]
  const flags = ['--strict', '--noEmit', '--skipLibCheck', ...types, 'consumer.ts']
  await inConsumer(process.execPath, [TSC, ...settings, ...flags]).catch((error: { readonly stdout: string }) => {
    throw new Error(error.stdout)
  })
}

describe.each(packages)('$manifest.name', ({ folder: source, manifest }) => {
  const files = () => tarballs.find(({ name }) => name === manifest.name)?.files ?? []

  it('packs what it exports, with types, a readme and no tests', () => {
    const entries = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    )
    for (const entry of entries) expect(files()).toContain(entry.replace('./', ''))
    for (const name of ['README.md', 'LICENSE']) expect(files()).toContain(name)
    expect(files().filter((path) => /\.test\.|\.map$|tsbuildinfo|fixtures/.test(path))).toEqual([])
    expect(manifest.license).toBe('Apache-2.0')
  })

  it('declares every package that its files import', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest
    const declared = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    const missing = files()
      // Templates are texts of other packages, which name what they import themselves; the reference runs in browsers; a bundle imports
      // what the files do that are in it.
      .filter((path) => path.endsWith('.js') && !/Templates\/|^dist\/(reference|bundle)\//.test(path))
      .flatMap((path) => importsOf(readFileSync(join(ROOT, source, path), 'utf8')).map((name) => `${path}: ${name}`))
      .filter((text) => !declared.has(text.split(': ')[1] ?? '') && !text.endsWith(`: ${manifest.name}`))
    expect([...new Set(missing)]).toEqual([])
  })

  it('admits the versions of its neighbours as they are today, and pins all others', () => {
    const { dependencies = {}, peerDependencies = {} } = manifest
    for (const [name, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
      const version = versionOf.get(name)
      if (version === undefined) expect(semver.valid(range), `${name} ${range}`).not.toBeNull()
      else expect(semver.satisfies(version, range), `${name} ${range}`).toBe(true)
    }
    if (/^(chains|plugins)\//.test(source)) expect(Object.keys(peerDependencies)).toContain('@causeway/core')
  })

  it('takes one minor of core if it imports what may change in the next, else a major', () => {
    const range = { ...manifest.dependencies, ...manifest.peerDependencies }['@causeway/core']
    if (range === undefined) return
    const text = files()
      .filter((path) => path.endsWith('.js') && !path.includes('Templates/'))
      .map((path) => readFileSync(join(ROOT, source, path), 'utf8'))
      .join('\n')
    const changes = /from '@causeway\/core\/(host|money-path)'/.test(text)
    if (source.startsWith('chains/')) expect(changes).toBe(false)
    expect(range[0]).toBe(changes ? '~' : '^')
  })
})

it('every entry of every package can be imported outside the workspace', async () => {
  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports)
      .filter((entry) => entry !== './package.json')
      .map((entry) => manifest.name + entry.slice(1)),
  )
  const script = `for (const name of ${JSON.stringify(entries)}) if (Object.keys(await import(name)).length === 0) throw new Error(name)`
  await inConsumer(process.execPath, ['--import', 'reflect-metadata', '--input-type=module', '-e', script])
})

it.each([
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])(
  'a plugin, a chain package and a configuration type-check under module %s, resolution %s',
  async (module, resolution) => {
    writeFileSync(join(folder, 'consumer', 'consumer.ts'), CONSUMER)
    await compile(['--module', module, '--moduleResolution', resolution, '--target', 'es2023', '--lib', 'es2023'])
  },
)

it('the installed command line helps, and says what is wrong with a configuration', async () => {
  const causeway = join(folder, 'consumer', 'node_modules', '.bin', 'causeway')
  const { stdout } = await inConsumer(causeway, ['--help'])
  expect(stdout).toContain('causeway start')
  writeFileSync(join(folder, 'consumer', 'wrong.json'), '{ "netwrk": "mainnet" }')
  const wrong = inConsumer(causeway, ['start', '--config', 'wrong.json'])
  await expect(wrong).rejects.toMatchObject({ stderr: expect.stringContaining('netwrk') })
})

// Each of its processes records every module that it loads.
it('no chain SDK is loaded before a chain is configured', async () => {
  writeFileSync(join(folder, 'consumer', 'loaded.mjs'), LOADED_MODULES)
  const loadedBy = async (names: readonly string[]): Promise<string[]> => {
    const { stdout } = await inConsumer(process.execPath, ['loaded.mjs', ...names])
    return stdout.split('\n').filter((url) => CHAIN_SDKS.test(url) || TRON_SDK.test(url) || LIGHTER_SDK.test(url))
  }
  const chains = ['evm', 'svm', 'bvm', 'xrpvm', 'hederavm', 'tonvm', 'tvm', 'hypevm', 'lvm'].map((vm) => `chain-${vm}`)
  const verifiers = ['core', ...chains].map((name) => `@causeway/${name}/verify`)
  const plugins = packages.map(({ manifest }) => manifest.name).filter((name) => name.includes('/plugin-'))
  expect(await loadedBy(['@causeway/host', '@causeway/core', ...plugins, ...verifiers])).toEqual([])
  expect(await loadedBy(['@causeway/chain-evm'])).not.toEqual([])
  const ofHedera = await loadedBy(['@causeway/host', '@causeway/chain-hederavm'])
  expect(ofHedera.filter((url) => HEDERA_SDK.test(url))).toEqual([])
  const ofTon = await loadedBy(['@causeway/host', '@causeway/chain-tonvm'])
  expect(ofTon.filter((url) => TON_ENGINE.test(url))).toEqual([])
  const ofTron = await loadedBy(['@causeway/host', '@causeway/chain-tvm'])
  expect(ofTron.filter((url) => TRON_SDK.test(url))).toEqual([])
  const ofHyperliquid = await loadedBy(['@causeway/host', '@causeway/chain-hypevm'])
  expect(ofHyperliquid.filter((url) => HYPERLIQUID_SDK.test(url))).toEqual([])
  const ofLighter = await loadedBy(['@causeway/host', '@causeway/chain-lvm'])
  expect(ofLighter.filter((url) => LIGHTER_SDK.test(url))).toEqual([])
}, 300_000)

it('the published folders hold a build', () => {
  for (const { folder: source } of packages) expect(existsSync(join(ROOT, source, 'dist'))).toBe(true)
})
