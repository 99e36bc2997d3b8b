import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import { installedWorkspace, linkModules } from '../packing/installedWorkspace.js'
import { ROOT, TSC } from '../packing/packages.js'
import { packedWorkspace } from '../packing/packedWorkspace.js'
import {
  freshAddress,
  LedgerWallet,
  type LocalLedger,
  NATIVE,
  startLocalLedger,
} from './ledgerChain/src/testing/index.js'
import type { LedgerTransfer } from './ledgerChain/src/transaction.js'

const run = promisify(execFile)
const EXAMPLE = join(dirname(fileURLToPath(import.meta.url)), 'ledgerChain')
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--omit=optional']

interface Answer {
  readonly chains: readonly object[]
  readonly steps: readonly { readonly items: readonly { readonly data: LedgerTransfer }[] }[]
  readonly details: { readonly currencyOut: { readonly amount: string } }
}

/** A folder with nothing but packages that were packed and installed, as an operator or a chain team has it. */
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-adapter-'))
  const { manifest, modules } = await installedWorkspace()
  writeFileSync(join(folder, 'package.json'), manifest)
  linkModules(modules, join(folder, 'node_modules'))
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = (program: string, args: readonly string[], cwd = folder) =>
  run(program, [...args], { cwd, maxBuffer: 50_000_000 })

const causeway = () => join(folder, 'node_modules', '.bin', 'causeway')

/** Compiles a package as its own build does. Fails with what the compiler said. */
const build = (cwd: string) =>
  inFolder(process.execPath, [TSC, '--typeRoots', join(ROOT, 'node_modules', '@types')], cwd).catch(
    (error: { readonly stdout: string }) => {
      throw new Error(error.stdout)
    },
  )

describe('the example of a foreign chain, packed and installed by name', () => {
  let database: TestDatabase
  let ledgers: readonly LocalLedger[] = []
  let host: ChildProcess | undefined
  let log = ''
  let url = ''
  const [user, payer] = [freshAddress(), Buffer.alloc(32, 7)]

  beforeAll(async () => {
    const source = join(folder, 'example')
    cpSync(EXAMPLE, source, { recursive: true })
    await build(source)
    const { stdout } = await inFolder('npm', ['pack', '--silent', '--pack-destination', folder], source)
    await inFolder('npm', [...INSTALL, join(folder, stdout.trim())])
    rmSync(source, { recursive: true })
    database = await createTestDatabase({ packages: [] })
    ledgers = await Promise.all(['north', 'south'].map((network) => startLocalLedger({ network })))
    writeConfig(database.url, ledgers)
    await startHost()
  }, 300_000)
  afterAll(async () => {
    const ended = new Promise((resolve) => host?.once('exit', resolve))
    if (host?.kill() === true) await ended
    await Promise.all(ledgers.map((ledger) => ledger.close()))
    await database?.drop()
  })

  const writeConfig = (databaseUrl: string, chains: readonly LocalLedger[]): void => {
    const config = {
      network: 'testnet',
      database: { url: databaseUrl },
      logging: { level: 'info' },
      chains: chains.map(({ endpoint, engine }, at) => {
        engine.fund(new LedgerWallet(engine, payer).address, 10n ** 12n)
        return {
          id: 770_001 + at,
          slug: engine.network,
          name: engine.network,
          package: 'causeway-chain-example',
          rpc: [endpoint],
          currencies: [{ address: NATIVE, symbol: 'LDG', name: 'Ledger coin', decimals: 6, groupId: 'ldg' }],
          confirmations: { fill: 1, success: 1, settle: 3, settleSeconds: 0 },
          options: { network: engine.network, depository: freshAddress(), pollIntervalMs: 50 },
        }
      }),
      keys: {
        order: { env: 'TEST_KEY_ORDER' },
        master: { env: 'TEST_KEY_MASTER' },
        payout: Object.fromEntries(chains.map((_, at) => [String(770_001 + at), { env: 'TEST_KEY_LEDGER' }])),
      },
      prices: { file: 'prices.json', maxAgeSeconds: 3_600 },
    }
    writeFileSync(join(folder, 'prices.json'), JSON.stringify({ ldg: '2' }))
    writeFileSync(join(folder, 'causeway.config.json'), JSON.stringify(config, null, 2))
  }

  const startHost = async (): Promise<void> => {
    const env = {
      ...process.env,
      TEST_KEY_ORDER: `0x${'1a'.repeat(32)}`,
      TEST_KEY_MASTER: `0x${'5a'.repeat(32)}`,
      TEST_KEY_LEDGER: payer.toString('hex'),
    }
    host = spawn(causeway(), ['start', '--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [host.stdout, host.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        log += chunk.toString()
      })
    }
    url = await until('the host to listen', async () => {
      if (host?.exitCode !== null) throw new Error(`The host ended: ${log}`)
      return /http:\/\/127\.0\.0\.1:[0-9]+/.exec(log)?.[0] ?? null
    })
  }

  const ask = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, init)
    // CAST: what these operations answer; the assertions look at the rest.
    return { status: response.status, body: (await response.json()) as Answer }
  }

  it('is served by a host that knows it by its name only', async () => {
    const { status, body } = await ask('/chains')
    expect(status, log).toBe(200)
    expect(body.chains).toMatchObject([
      { id: 770_001, name: 'north', vmType: 'ledgervm' },
      { id: 770_002, name: 'south', vmType: 'ledgervm' },
    ])
  })

  it('moves value: quoted, deposited with the step as it is, paid out on the other ledger', async () => {
    const [north, south] = ledgers
    if (north === undefined || south === undefined) throw new Error('no ledgers')
    const wallet = new LedgerWallet(north.engine)
    north.engine.fund(wallet.address, 10_000_000n)
    const body = {
      user: wallet.address,
      recipient: user,
      originChainId: 770_001,
      destinationChainId: 770_002,
      originCurrency: NATIVE,
      destinationCurrency: NATIVE,
      amount: '5000000',
      tradeType: 'EXACT_INPUT',
    }
    // The watcher of a chain begins with its next block; unknown callers have few quotes, so none is asked before.
    await until('the watchers to begin', async () => {
      for (const { engine } of ledgers) engine.advance(1)
      const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from chain_cursors')
      return rows[0]?.count === ledgers.length ? true : null
    })
    // What the solver holds is not known in the first moments.
    const quote = await until('a quote', async () => {
      const answer = await ask('/quote', body)
      return answer.status === 503 ? null : answer
    })
    expect(quote.status, JSON.stringify(quote.body)).toBe(200)
    const item = quote.body.steps[0]?.items[0]
    if (item === undefined) throw new Error('the quote has no step')
    wallet.send(item.data)
    const paid = await until('the payment', async () => {
      north.engine.advance(1)
      south.engine.advance(1)
      const held = south.engine.balance(user, NATIVE)
      return held > 0n ? held : null
    })
    expect(paid).toBe(BigInt(quote.body.details.currencyOut.amount))
  })
})

describe('causeway create-adapter', () => {
  it('writes a package that builds, runs the kit, and is told what is to be done', { timeout: 120_000 }, async () => {
    const { stdout } = await inFolder(causeway(), ['create-adapter', '@acme/causeway-chain-acme', '--folder', 'acme'])
    expect(stdout).toContain('npm run conformance')
    const made = join(folder, 'acme')
    expect(existsSync(join(made, 'README.md'))).toBe(true)
    await build(made)
    const kit = inFolder(process.execPath, ['dist/testing/conformance.js'], made)
    const failed: { readonly code: number; readonly stdout: string } = await kit.then(
      () => ({ code: 0, stdout: '' }),
      (error) => error,
    )
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/0 passed, [0-9]+ failed/)
    const list = failed.stdout.slice(failed.stdout.indexOf('To be done:'))
    for (const place of [
      'testing/harness freshAddress',
      'normalizeCurrency',
      'start',
      'lane.addressOf',
      'tip',
      'onHead',
    ]) {
      expect(list).toContain(`${place}: `)
    }
  })

  it.each(['account', 'utxo', 'contract'])('writes one wired for the family %s, that builds', async (family) => {
    await inFolder(causeway(), ['create-adapter', 'causeway-chain-acme', '--family', family, '--folder', family])
    await build(join(folder, family))
    const names = ['--input-type=module', '-e', `console.log(...Object.keys(await import('./dist/testing/index.js')))`]
    const { stdout } = await inFolder(process.execPath, names, join(folder, family))
    expect(stdout).toContain('chainTesting')
  })

  it('depends on packed packages with --packages: installs, builds and passes the kit outside of any workspace', {
    timeout: 300_000,
  }, async () => {
    const [core] = (await packedWorkspace()).filter(({ name }) => name === '@causeway/core')
    const packed = dirname(core?.path ?? '')
    const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'))
    expect(dependencies['@causeway/core']).toBe(`file:./${basename(core?.path ?? '')}`)
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['@causeway/host', '@causeway/sandbox']))
    const outside = mkdtempSync(join(tmpdir(), 'causeway-outside-'))
    try {
      const made = join(outside, 'made')
      const words = ['create-adapter', 'causeway-chain-acme', '--family', 'example', '--folder', made]
      await inFolder(causeway(), [...words, '--packages', packed])
      // With what is optional: the compiler has a package for each platform.
      await inFolder(
        'npm',
        INSTALL.filter((flag) => flag !== '--omit=optional'),
        made,
      )
      const { stdout } = await inFolder('npm', ['run', 'conformance'], made)
      expect(stdout).toMatch(/[0-9]+ passed, 0 failed/)
    } finally {
      rmSync(outside, { recursive: true, force: true })
    }
  })

  it('is a package that a host loads by name', async () => {
    const entry = await inFolder(process.execPath, [
      '--input-type=module',
      '-e',
      "const { default: made } = await import('./acme/dist/index.js'); console.log(made.name, made.vmType)",
    ])
    expect(entry.stdout.trim()).toBe('@acme/causeway-chain-acme acmevm')
    const manifest = JSON.parse(readFileSync(join(folder, 'acme', 'package.json'), 'utf8'))
    expect(manifest.peerDependencies).toHaveProperty('@causeway/core')
  })

  it('overwrites nothing, and takes no name that npm would not', async () => {
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full', 'mine.txt'), 'mine')
    const into = inFolder(causeway(), ['create-adapter', 'causeway-chain-acme', '--folder', 'full'])
    await expect(into).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') })
    const named = inFolder(causeway(), ['create-adapter', 'Not A Name'])
    await expect(named).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('is no name for a package') })
  })
})
