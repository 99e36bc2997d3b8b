import type { ChainPackage } from '@causeway/core/chain'
import { CORE_VERSION, fitsCore } from '@causeway/core/host'
import type { Plugin } from '@causeway/core/plugin'
import { PackageError } from './packageSource.js'

interface Member {
  readonly name: string
  readonly type: 'string' | 'function' | 'object' | 'array'
  readonly optional?: boolean
}

const COMMON: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'coreRange', type: 'string' },
  { name: 'options', type: 'object' },
]

const PLUGIN: readonly Member[] = [
  ...COMMON,
  ...(['requires', 'provides', 'migrations'] as const).map(
    (name) => ({ name, type: 'array', optional: true }) as const,
  ),
  ...(['register', 'routes', 'sockets', 'jobs', 'commands', 'start', 'stop'] as const).map(
    (name) => ({ name, type: 'function', optional: true }) as const,
  ),
]

const CHAIN: readonly Member[] = [...COMMON, { name: 'vmType', type: 'string' }, { name: 'create', type: 'function' }]

const fits = (value: unknown, { type, optional }: Member): boolean => {
  if (value === undefined) return optional === true
  if (type === 'array') return Array.isArray(value)
  return typeof value === type && value !== null
}

const checkShape = (entry: unknown, members: readonly Member[], maker: string): void => {
  const wrong = members.filter((member) => !fits(Reflect.get(Object(entry), member.name), member))
  if (typeof entry !== 'object' || entry === null || wrong.length > 0) {
    const what = wrong.map(({ name, type }) => `"${name}" (${type})`).join(', ')
    throw new PackageError(`is no package for this place; missing or wrong: ${what}.`, `Make its entry with ${maker}.`)
  }
}

const checkRange = ({ name, version, coreRange }: { name: string; version: string; coreRange: string }): void => {
  const fitting = fitsCore(coreRange)
  if (fitting === true) return
  if (fitting === null) {
    throw new PackageError(`states "${coreRange}" as its range of core, which is no version range.`, 'Ask its authors.')
  }
  throw new PackageError(
    `(${name} ${version}) fits core ${coreRange}, but this is core ${CORE_VERSION}.`,
    'Install a version of it made for this core.',
  )
}

/** The plugin a package exports. @throws PackageError */
export const asPlugin = (entry: unknown): Plugin => {
  checkShape(entry, PLUGIN, 'definePlugin')
  // CAST: every member was just checked.
  const plugin = entry as Plugin
  checkRange(plugin)
  return plugin
}

/** The chain package a package exports. @throws PackageError */
export const asChainPackage = (entry: unknown): ChainPackage => {
  checkShape(entry, CHAIN, 'defineChainPackage')
  // CAST: every member was just checked.
  const chain = entry as ChainPackage
  checkRange(chain)
  return chain
}
