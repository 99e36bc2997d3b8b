import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { CORE_VERSION } from '@causeway/core/host'
import { jsonText } from './packageTemplates/manifestText.js'
import { UsageError } from './plainError.js'

/** Names that npm takes, in lower case, with or without a scope. */
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9-]*\/)?[a-z][a-z0-9-]{0,100}$/
const SCOPE = /^@[^/]*\//
const USUAL_BEGINNING = /^(?:causeway-)?(?:chain-|adapter-|plugin-)?/

/** What the files of a new package are filled in with. */
export interface PackageFacts {
  /** Name of the npm package. */
  readonly name: string
  /** What it is about, in lower-case letters and digits: `acme` of `causeway-chain-acme`. */
  readonly word: string
  readonly coreVersion: string
}

/** A kind of package that a skeleton exists for. */
export interface PackageKind {
  /** Begins the word of a package whose own does not begin with a letter. */
  readonly kind: 'chain' | 'plugin'
  /** Texts by path. */
  files(facts: PackageFacts): Readonly<Record<string, string>>
  /** What to run after the install, and what for. */
  readonly next: readonly string[]
}

/** What somebody asked for on the command line. */
export interface CreatePackageOptions {
  /** Name of the npm package. */
  readonly name: string
  /** Where it is written; absent: a folder of its name here. */
  readonly folder: string | undefined
  /** Folder of packed packages of Causeway, which the new package depends on as files; absent: those of the registry. */
  readonly packages?: string | undefined
  readonly print: (line: string) => void
}

/** Writes a new package and says what to do next. @throws UsageError for a bad name, and for a folder that is not empty */
export const createPackage = (
  { name, folder, packages, print }: CreatePackageOptions,
  { kind, files, next }: PackageKind,
): void => {
  if (!PACKAGE_NAME.test(name)) {
    throw new UsageError(
      `"${name}" is no name for a package: give lower-case letters, digits and "-", such as causeway-${kind}-acme.`,
    )
  }
  const into = resolve(folder ?? name.replace(SCOPE, ''))
  if (existsSync(into) && readdirSync(into).length > 0) {
    throw new UsageError(`${into} is not empty. Name an empty or a new folder with --folder.`)
  }
  const tarball = packages === undefined ? null : packedCore(packages)
  const made = files({ name, word: wordOf(name, kind), coreVersion: CORE_VERSION })
  const manifest =
    tarball === null ? {} : { 'package.json': withPackedCore(made['package.json'] ?? '{}', tarball, into) }
  const texts = Object.entries({ ...made, ...manifest })
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    writeFileSync(join(into, path), text)
  }
  print(`Wrote ${texts.length} files to ${into}. What now:`)
  for (const line of [`cd ${into}`, 'npm install', ...next]) print(`  ${line}`)
}

/** The packed core of this version. @throws UsageError when the folder has none */
const packedCore = (packages: string): string => {
  const tarball = resolve(packages, `causeway-core-${CORE_VERSION}.tgz`)
  if (existsSync(tarball)) return tarball
  throw new UsageError(
    `${tarball} is missing. Pack it in a checkout of Causeway: npm run packages -- ${resolve(packages)}`,
  )
}

/** A `package.json` whose core is a file, named by its path from the folder of the package. */
const withPackedCore = (text: string, tarball: string, into: string): string => {
  const manifest = JSON.parse(text)
  manifest.devDependencies['@causeway/core'] = `file:${relative(into, tarball).replaceAll('\\', '/')}`
  return jsonText(manifest)
}

const wordOf = (name: string, kind: PackageKind['kind']): string => {
  const letters = name
    .replace(SCOPE, '')
    .replace(USUAL_BEGINNING, '')
    .replaceAll(/[^a-z0-9]/g, '')
  return /^[a-z]/.test(letters) ? letters : `${kind}${letters}`
}
