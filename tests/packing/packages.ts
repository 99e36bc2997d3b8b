import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Folder of the repository; by a package of it, because this file runs compiled and as source. */
export const ROOT = dirname(dirname(createRequire(import.meta.url).resolve('@causeway/host/package.json')))

/** The compiler's program, for Node to run. */
export const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

export interface PackageEntry {
  readonly types: string
  /** The module that `default` bundles with what it imports. */
  readonly unbundled?: string
  readonly default: string
}

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly license: string
  readonly exports: Readonly<Record<string, PackageEntry | string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Package {
  /** Relative to the root. */
  readonly folder: string
  readonly manifest: Manifest
}

const readManifest = (folder: string): Manifest =>
  // CAST: npm reads the same file.
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest

const foldersOf = (pattern: string): string[] => {
  const [parent = '', rest] = pattern.split('/')
  return rest !== '*' ? [pattern] : readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`)
}

/** Every package of the workspace. */
export const workspacePackages = (): Package[] => {
  // CAST: as above.
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] }
  return workspaces.flatMap(foldersOf).map((folder) => ({ folder, manifest: readManifest(folder) }))
}

/** Every package of the workspace that is published. */
export const publishedPackages = (): Package[] =>
  workspacePackages().filter(({ manifest }) => manifest.private !== true)

export interface Tarball {
  readonly name: string
  readonly path: string
  /** Paths inside. */
  readonly files: readonly string[]
}

interface PackedOutput {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Packs packages as `npm publish` would. */
export const packAll = async (packages: readonly Package[], into: string): Promise<Tarball[]> => {
  mkdirSync(into, { recursive: true })
  // By name: a folder would stand for what lies below it too.
  const only = packages.flatMap(({ manifest }) => ['--workspace', manifest.name])
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', into, ...only], {
    cwd: ROOT,
    maxBuffer: 50_000_000,
  })
  // CAST: a list, or from newer versions of npm an object by name.
  const parsed = JSON.parse(stdout) as readonly PackedOutput[] | Readonly<Record<string, PackedOutput>>
  return Object.values(parsed).map(({ name, filename, files }) => ({
    name,
    path: join(into, filename),
    files: files.map(({ path }) => path),
  }))
}

/** Packages outside Node that a built file imports. */
export const importsOf = (text: string): string[] => {
  const statements = text.matchAll(/^(?:(?:import|export)\b[^'"\n=]*\bfrom |import |\} from )['"]([^'"]+)['"]/gm)
  const calls = text.matchAll(/\b(?:import|require)\(['"]([^'"]+)['"]\)/g)
  return [...statements, ...calls].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('node:') || specifier.startsWith('.')) return []
    const parts = specifier.split('/')
    return [specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')]
  })
}
