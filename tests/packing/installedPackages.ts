import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package as it lies in a deployment. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** SPDX, as the package says it; empty when it says nothing. */
  readonly license: string
  /** Of its own files, without packages nested in it. */
  readonly bytes: number
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly (string | { readonly type?: string })[]
}

const licenseOf = ({ license, licenses = [] }: Manifest): string => {
  const said = license === undefined ? licenses : [license]
  return said.map((one) => (typeof one === 'string' ? one : one.type)).join(' OR ')
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + sizeOf(path)
    return sum + lstatSync(path).size
  }, 0)

const readPackage = (folder: string): readonly InstalledPackage[] => {
  // CAST: npm reads the same file.
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name = '', version = '' } = manifest
  return [
    { name, version, license: licenseOf(manifest), bytes: sizeOf(folder) },
    ...installedPackages(join(folder, 'node_modules')),
  ]
}

/** Every package below a folder `node_modules`, nested ones too. */
export const installedPackages = (modules: string): readonly InstalledPackage[] => {
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const folders = names.flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
      : [join(modules, name)],
  )
  return folders.filter((folder) => existsSync(join(folder, 'package.json'))).flatMap(readPackage)
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

/** Whole size, packages by licence, and the largest packages, as lines for people. */
export const listPackages = (packages: readonly InstalledPackage[]): string => {
  const total = packages.reduce((sum, { bytes }) => sum + bytes, 0)
  const counts = new Map<string, number>()
  for (const { license } of packages) counts.set(license, (counts.get(license) ?? 0) + 1)
  const byLicense = [...counts].sort(([, a], [, b]) => b - a)
  const largest = [...packages].sort((a, b) => b.bytes - a.bytes).slice(0, 12)
  return [
    `${packages.length} packages, ${megabytes(total)} MB`,
    ...byLicense.map(([license, count]) => `  ${license || 'none named'}: ${count}`),
    'largest:',
    ...largest.map(({ name, version, bytes }) => `  ${name} ${version}: ${megabytes(bytes)} MB`),
  ].join('\n')
}
