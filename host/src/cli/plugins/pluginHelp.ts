import { dirname } from 'node:path'
import type { Plugin, Command as PluginCommand, PluginContext } from '@causeway/core/plugin'
import { chosenPlugins } from '../../config/chosenPlugins.js'
import { ConfigError } from '../../config/configProblem.js'
import { loadConfig } from '../../config/loadConfig.js'
import type { ConfiguredPlugin } from '../../config/schema/schema.js'
import { schemaProblems } from '../../config/schema/schemaProblems.js'
import { asPlugin } from '../../plugins/packageShape.js'
import { PackageSource } from '../../plugins/packageSource.js'

/** Commands of plugins as their help needs them: none of them can be run. */
export interface KnownCommands {
  readonly commands: readonly PluginCommand[]
  /** Some plugin did not tell its commands without a database, or is not installed. */
  readonly incomplete: boolean
}

/**
 * Stands for everything a command will work with: every member and every result of it is the same thing again. Commands only keep
 * what they are given until they run, so this is enough to learn their names; one that does more is left out.
 */
const inert: object = new Proxy(() => undefined, {
  get: (_target, member) => {
    // No promise, and text where text is made of it.
    if (member === 'then') return undefined
    return member === Symbol.toPrimitive ? () => '' : inert
  },
  apply: () => inert,
  construct: () => inert,
})

const commandsOf = (plugin: Plugin, options: object): readonly PluginCommand[] => {
  // CAST: see `inert`.
  const context = { container: inert, options } as unknown as PluginContext<object>
  return plugin.commands?.(context) ?? []
}

const pluginsOf = async (file: string | undefined): Promise<readonly ConfiguredPlugin[]> => {
  const defaults = chosenPlugins([], { withDefaults: true })
  if (file === undefined) return defaults
  try {
    return (await loadConfig(file, { reader: 'operator', readKeys: false })).config.plugins
  } catch (error) {
    // What is wrong with it is for the command to say, not for its help.
    if (!(error instanceof ConfigError)) throw error
    return defaults
  }
}

/** The commands of the plugins of a configuration, or of those that come with Causeway; opens no database and reads no key. */
export const knownCommands = async (file: string | undefined): Promise<KnownCommands> => {
  const plugins = await pluginsOf(file)
  const source = new PackageSource(file === undefined ? process.cwd() : dirname(file))
  const told = await Promise.all(
    plugins.map(async ({ package: name, options: given }) => {
      try {
        const plugin = asPlugin(await source.load(name))
        const options = structuredClone(given)
        schemaProblems(plugin.options, options)
        return commandsOf(plugin, options)
      } catch {
        return null
      }
    }),
  )
  return { commands: told.flatMap((commands) => commands ?? []), incomplete: told.includes(null) }
}
