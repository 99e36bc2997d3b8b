import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../packing/packages.js'

/** An installed version of Causeway. */
export interface InstalledVersion {
  /** The folder of its deployment: configurations in it find its packages. */
  readonly folder: string
  readonly program: string
  /** What it does not know of today's configurations. */
  readonly config: Readonly<Record<string, undefined>>
}

const linkAll = (from: string, to: string): void => {
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') || name === '@causeway') continue
    symlinkSync(join(from, name), join(to, name))
  }
}

/** Unpacks the version before; what it needs of others is that of this workspace. */
export const installVersionBefore = (): InstalledVersion => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-before-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  const packed = join(ROOT, 'tests', 'days', 'versionBefore', 'packages.tgz')
  const unpacked = spawnSync('tar', ['xzf', packed, '-C', modules], { encoding: 'utf8' })
  if (unpacked.status !== 0) throw new Error(`The version before could not be unpacked: ${unpacked.stderr}`)
  linkAll(join(ROOT, 'node_modules'), modules)
  for (const [own, place] of [
    ['core', 'core'],
    ['host', 'host'],
    ['plugin-realtime', 'plugins/realtime'],
  ] as const) {
    const nested = join(ROOT, place, 'node_modules')
    if (existsSync(nested)) symlinkSync(nested, join(modules, '@causeway', own, 'node_modules'))
  }
  const program = join(modules, '@causeway', 'host', 'bin', 'causeway.js')
  return { folder, program, config: { defaultPlugins: undefined } }
}
