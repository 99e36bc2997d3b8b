import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { oncePerRun } from '@causeway/core/testing'
import { packAll, publishedPackages, ROOT, type Tarball } from './packages.js'

const PATIENCE_MS = 120_000

/** Name of the package that installs the packed ones. */
export const PACKED_NAME = 'causeway-packages'

/** Every published package of the workspace, packed once in a run. */
export const packedWorkspace = async (): Promise<readonly Tarball[]> => {
  const folder = await oncePerRun('packed-workspace', pack, PATIENCE_MS)
  // CAST: written below.
  return JSON.parse(readFileSync(join(folder, 'tarballs.json'), 'utf8')) as readonly Tarball[]
}

const pack = async (folder: string): Promise<void> =>
  writeFileSync(join(folder, 'tarballs.json'), JSON.stringify(await packInto(folder)))

/** Packs every published package into a folder, with a `package.json` that installs them there. */
export const packInto = async (folder: string): Promise<readonly Tarball[]> => {
  const tarballs = await packAll(publishedPackages(), folder)
  const here = tarballs.map((packed) => ({ ...packed, path: `./${basename(packed.path)}` }))
  // CAST: npm reads the same file.
  const { overrides, allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly overrides: object
    readonly allowScripts: object
  }
  // npm runs `prepare` of no packed package, but asks about it.
  const asked = { overrides, allowScripts: { ...allowScripts, '@causeway/host': false } }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...JSON.parse(manifestOf(PACKED_NAME, here)), ...asked }, null, 2),
  )
  return tarballs
}

const HEDERA = '@causeway/chain-hederavm'

/** A `package.json` that asks npm for packed packages, with the overrides that the README of one of them asks hosts for. */
export const manifestOf = (name: string, tarballs: readonly Tarball[]): string => {
  const dependencies = Object.fromEntries(tarballs.map((packed) => [packed.name, `file:${packed.path}`]))
  const overrides = HEDERA in dependencies ? overridesOfHedera() : {}
  return JSON.stringify({ name, private: true, type: 'module', dependencies, overrides })
}

/** Overrides that the README of the Hedera package names. @throws Error when the README has none */
export const overridesOfHedera = (): object => {
  const readme = readFileSync(join(ROOT, 'chains', 'hederavm', 'README.md'), 'utf8')
  const [, block] = /```json\n("overrides": \{.*?\n\})\n```/s.exec(readme) ?? []
  if (block === undefined) throw new Error('The README of the Hedera package names no overrides.')
  // CAST: npm reads the same text.
  return (JSON.parse(`{${block}}`) as { readonly overrides: object }).overrides
}
