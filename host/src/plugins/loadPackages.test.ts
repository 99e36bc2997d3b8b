import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { token } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../config/configProblem.js'
import { loadConfig } from '../config/loadConfig.js'
import { CORE_TOKENS } from '../container/registerCore.js'
import { loadPackages } from './loadPackages.js'

let folder: string

const install = (name: string, source: string) => {
  const home = join(folder, 'node_modules', name)
  mkdirSync(home, { recursive: true })
  const entry = { name, version: '1.0.0', type: 'module', exports: './index.js' }
  writeFileSync(join(home, 'package.json'), JSON.stringify(entry))
  writeFileSync(join(home, 'index.js'), source)
}

const plugin = (name: string, rest = '') => `export default {
  name: '${name}', version: '1.0.0', coreRange: '^1.0.0', options: { type: 'object' }, ${rest} }`

const tokens = (...names: string[]): string => `[${names.map((name) => `Symbol.for('@causeway/${name}')`).join(', ')}]`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-packages-'))
  writeFileSync(join(folder, 'master.key'), '11'.repeat(32), { mode: 0o600 })
  install('p-good', plugin('p-good'))
  install('p-old', plugin('p-old').replace('^1.0.0', '^0.9.0'))
  install('p-vague', plugin('p-vague').replace('^1.0.0', 'whenever'))
  install('p-shapeless', 'export default { name: 7 }')
  install('p-empty', 'export const nothing = 1')
  install('p-throws', 'throw new Error("no licence here")')
  install(
    'p-options',
    `export default { name: 'p-options', version: '1.0.0', coreRange: '*',
      options: { type: 'object', additionalProperties: false,
        properties: { limit: { type: 'integer', minimum: 1, default: 9 } } } }`,
  )
  install('p-last', plugin('p-last', `requires: ${tokens('test/B')}`))
  install('p-middle', plugin('p-middle', `requires: ${tokens('test/A', 'core/Pool')}, provides: ${tokens('test/B')}`))
  install('p-first', plugin('p-first', `provides: ${tokens('test/A')}`))
  install('p-first-too', plugin('p-first-too', `provides: ${tokens('test/A')}`))
  install('p-hen', plugin('p-hen', `requires: ${tokens('test/Egg')}, provides: ${tokens('test/Hen')}`))
  install('p-egg', plugin('p-egg', `requires: ${tokens('test/Hen')}, provides: ${tokens('test/Egg')}`))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const load = async (plugins: readonly unknown[]) => {
  const file = join(folder, 'causeway.config.json')
  const keys = { master: { file: 'master.key' }, order: { file: 'master.key' } }
  writeFileSync(file, JSON.stringify({ network: 'testnet', plugins, defaultPlugins: false, keys }))
  return loadPackages(await loadConfig(file, { environment: {} }), CORE_TOKENS)
}

const problemsOf = async (plugins: readonly unknown[]): Promise<readonly string[]> => {
  const error = await load(plugins).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConfigError)) throw new Error(`Accepted, or failed otherwise: ${error}`)
  return error.problems.map(({ path, message }) => `${path} ${message}`)
}

describe('plugins named by a configuration', () => {
  it('give one clear problem for each bad package, all at once', async () => {
    const names = ['p-good', 'p-missing', 'p-old', 'p-vague', 'p-shapeless', 'p-empty', 'p-throws']
    expect(await problemsOf(names)).toEqual([
      'plugins[1] p-missing is not installed.',
      expect.stringMatching(/^plugins\[2\] p-old \(p-old 1\.0\.0\) fits core \^0\.9\.0, but this is core \d/),
      expect.stringContaining('plugins[3] p-vague states "whenever"'),
      expect.stringMatching(/^plugins\[4\] p-shapeless .*"name" \(string\), "version"/),
      'plugins[5] p-empty has no default export.',
      'plugins[6] p-throws cannot be loaded: no licence here',
    ])
  })

  it('have their options checked and filled in', async () => {
    const bad = { package: 'p-options', options: { limit: 0, limti: 1 } }
    expect(await problemsOf([bad])).toEqual([
      'plugins[0].options.limti is not a known setting.',
      'plugins[0].options.limit must be at least 1.',
    ])
    const { plugins } = await load(['p-options'])
    expect(plugins[0]?.options).toEqual({ limit: 9 })
  })

  it('are ordered by what they require, whatever the order of the configuration', async () => {
    const { plugins } = await load(['p-last', 'p-middle', 'p-first'])
    expect(plugins.map((placed) => placed.plugin.name)).toEqual(['p-first', 'p-middle', 'p-last'])
  })

  it('are refused when nobody provides what they require, or two provide it', async () => {
    expect(await problemsOf(['p-last'])).toEqual(['plugins[0] p-last requires test/B, which nothing here provides.'])
    expect(await problemsOf(['p-first', 'p-first-too'])).toEqual([
      'plugins[1] p-first-too provides test/A, which p-first provides already.',
    ])
  })

  it('have their cycles spelt out', async () => {
    expect(await problemsOf(['p-hen', 'p-egg'])).toEqual([
      'plugins[0] is in a cycle: p-hen requires test/Egg of p-egg requires test/Hen of p-hen.',
    ])
  })

  it('share tokens across loaded copies of core', () => {
    expect(token('test/A')).toBe(Symbol.for('@causeway/test/A'))
  })
})
