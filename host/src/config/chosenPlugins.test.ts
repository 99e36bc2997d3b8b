import { describe, expect, it } from 'vitest'
import { ConfigError } from './configProblem.js'
import { loadConfig } from './loadConfig.js'
import { DEFAULT_PLUGINS } from './schema/defaultPlugins.js'

const load = async (more: object) =>
  (
    await loadConfig('causeway.config.json', {
      value: { network: 'testnet', ...more },
      reader: 'operator',
      environment: {},
    })
  ).config.plugins

const problems = async (more: object): Promise<readonly string[]> => {
  const error = await load(more).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConfigError)) throw new Error('The configuration was accepted.')
  return error.problems.map(({ path, message, remedy }) => `${path} ${message} ${remedy}`)
}

const SOLVER = '@causeway/plugin-solver'
const REALTIME = '@causeway/plugin-realtime'
const names = async (more: object) => (await load(more)).map((plugin) => plugin.package)

describe('plugins of a deployment', () => {
  it('options of one plugin leave all others running', async () => {
    const chosen = await load({ plugins: [{ package: SOLVER, options: { tickMs: 50 } }] })
    expect(chosen.map((plugin) => plugin.package)).toEqual(DEFAULT_PLUGINS)
    expect(chosen.find((plugin) => plugin.package === SOLVER)).toEqual({
      ...{ package: SOLVER, options: { tickMs: 50 }, path: 'plugins[0]' },
    })
  })

  it('what a list names besides is added', async () => {
    expect(await names({})).toEqual(DEFAULT_PLUGINS)
    expect(await names({ plugins: ['acme-plugin'] })).toEqual([...DEFAULT_PLUGINS, 'acme-plugin'])
  })

  it('one is taken out by name, or all at once', async () => {
    expect(await names({ plugins: [{ package: REALTIME, enabled: false }] })).toEqual(
      DEFAULT_PLUGINS.filter((name) => name !== REALTIME),
    )
    expect(await names({ plugins: [SOLVER, 'acme-plugin'], defaultPlugins: false })).toEqual([SOLVER, 'acme-plugin'])
  })

  it('a list that names all of them, as older configurations do, means what it meant', async () => {
    expect(await names({ plugins: [...DEFAULT_PLUGINS, 'acme-plugin'] })).toEqual([...DEFAULT_PLUGINS, 'acme-plugin'])
  })

  it('a list that took the place of the default one is refused with both ways out', async () => {
    const found = await problems({ plugins: [SOLVER, { package: '@causeway/plugin-quote', options: {} }] })
    expect(found).toEqual([
      expect.stringMatching(
        new RegExp(
          `^plugins names .*solver.*leaves ${DEFAULT_PLUGINS.length - 2} others out.*"defaultPlugins" to false`,
        ),
      ),
    ])
    expect(await names({ plugins: [SOLVER], defaultPlugins: true })).toEqual(DEFAULT_PLUGINS)
  })

  it('refuses one named twice, and one taken out that was not in', async () => {
    const found = await problems({ plugins: ['acme-plugin', 'acme-plugin', { package: 'other', enabled: false }] })
    expect(found).toEqual([
      expect.stringMatching(/^plugins\[1\] is "acme-plugin", which plugins\[0\] has already/),
      expect.stringMatching(/^plugins\[2\]\.enabled is false for other, which would not run anyway/),
    ])
  })
})
