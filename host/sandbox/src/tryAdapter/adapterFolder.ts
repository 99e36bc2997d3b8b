import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SandboxError } from '../sandboxError.js'

/** An adapter package on this machine, built. */
export interface AdapterFolder {
  readonly folder: string
  readonly name: string
  readonly version: string
  /** Packages that it names, core left out. */
  readonly dependencies: readonly string[]
  /** Built file of the entry `./testing`, relative to the folder. */
  readonly testing: string
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly exports?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

const DEPENDENCY_FIELDS = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'] as const
const CORE = '@causeway/core'

/** Reads an adapter package. @throws SandboxError when it is not one, or its build is missing or older than its sources */
export const readAdapterFolder = (path: string): AdapterFolder => {
  const folder = resolve(path)
  const manifest = readManifest(folder)
  const [entry, testing] = ['.', './testing'].map((name) => entryFile(manifest, name))
  if (manifest.name === undefined || entry === undefined || testing === undefined)
    throw new SandboxError(
      `${join(folder, 'package.json')} is not of an adapter package: it needs a name and the exports "." and "./testing". Start with: causeway create-adapter <name>`,
    )
  requireBuild(folder, [entry, testing])
  const named = DEPENDENCY_FIELDS.flatMap((field) => Object.keys(Object(manifest[field])))
  const dependencies = [...new Set(named)].filter((name) => name !== CORE)
  return { folder, name: manifest.name, version: manifest.version ?? '', dependencies, testing }
}

const readManifest = (folder: string): Manifest => {
  try {
    // CAST: npm reads the same file; each field is checked before it is used.
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch (cause) {
    throw new SandboxError(`${folder} has no readable package.json. Name the folder of an adapter package.`, { cause })
  }
}

/** File of an export, relative to the folder. */
const entryFile = ({ exports = {} }: Manifest, name: string): string | undefined => {
  const target: unknown = exports[name]
  const file: unknown = typeof target === 'string' ? target : Reflect.get(Object(target), 'default')
  return typeof file === 'string' ? file : undefined
}

const requireBuild = (folder: string, entries: readonly string[]): void => {
  const missing = entries.find((entry) => !existsSync(join(folder, entry)))
  if (missing !== undefined)
    throw new SandboxError(`${join(folder, missing)} is missing. In ${folder}, run npm run build first.`)
  const built = newestOf(entries.map((entry) => join(folder, entry)))
  const [source] = newerFiles(join(folder, 'src'), built)
  if (source !== undefined)
    throw new SandboxError(`${source} is newer than the build. In ${folder}, run npm run build first.`)
}

const newestOf = (files: readonly string[]): number => Math.max(...files.map((file) => statSync(file).mtimeMs))

/** TypeScript files below a folder that changed after a time; tests do not count. */
const newerFiles = (folder: string, time: number): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.test\./.test(file))
        .map((file) => join(folder, file))
        .filter((file) => statSync(file).mtimeMs > time)
    : []
