import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'
import { brokenCitations, citationsWithoutSection } from './citations.js'
import { REFERENCE_FOLDER, readReference } from './reference.js'

const reference = readReference()

/** Files of the repository whose names end so. */
const filesOf = (...endings: readonly string[]): string[] =>
  repositoryFiles().filter((path) => endings.some((ending) => path.endsWith(ending)))

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const CODE = ['.ts', '.mjs', '.sol', '.sql']

/** Spells the citations of this test, which are wrong on purpose. */
const OWN = join('tests', 'docs')

describe('every citation of the reference resolves', () => {
  it('in code, comments, names of tests, and documents', () => {
    const files = filesOf(...CODE, '.md').filter((path) => !path.startsWith(OWN))
    const broken = files.flatMap((path) => brokenCitations(read(path), reference).map((what) => `${path}: ${what}`))
    expect(broken).toEqual([])
  })

  it('and each of the wire format names its section', () => {
    const files = filesOf(...CODE).filter((path) => !path.startsWith(OWN))
    expect(files.flatMap((path) => citationsWithoutSection(read(path)).map((what) => `${path}: ${what}`))).toEqual([])
  })

  it.each([
    'wire.md 9.9',
    'wire.md K.1 99',
    'wire.md 3.1, K.9',
    'K.2 99',
    'chains.md Nothing',
    'bvm 11',
    'F999',
    'faults.md invariant 9',
    'architecture.md 12',
    'design 3',
  ])('and %s does not', (text) => {
    expect(brokenCitations(` ${text} `, reference)).not.toEqual([])
  })

  it.each([
    'wire.md K.1 7',
    'wire.md 3.1, K.3 2 and 4',
    'chains.md common rules 5',
    'svm 10',
    'F42',
    'architecture.md 3, step 2',
  ])('but %s does', (text) => {
    expect(brokenCitations(` ${text} `, reference)).toEqual([])
  })
})

describe('links and paths of documents', () => {
  const documents = filesOf('.md')

  it('lead to files that are there', () => {
    const broken = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('of the reference, as code, too', () => {
    const named = /`((?:core|chains|plugins|host|contracts-abi|tests)\/[\w./-]+\.(?:ts|md|json|sol|mjs|yml))`/g
    const broken = documents
      .filter((path) => path.startsWith(REFERENCE_FOLDER))
      .flatMap((path) => [...read(path).matchAll(named)].map(([, target = '']) => `${path}: ${target}`))
      .filter((line) => !existsSync(join(ROOT, line.split(': ')[1] ?? '')))
    expect([...new Set(broken)]).toEqual([])
  })
})
