import { createLogger } from '@causeway/core/host'
import type { Command as PluginCommand } from '@causeway/core/plugin'
import { Command } from 'commander'
import { type OpenHost, openHost } from '../../application/opening/openHost.js'
import type { LoadedConfig } from '../../config/loadConfig.js'

/** Opens a host without listener and jobs, runs `work`, closes it. The log goes to standard error, warnings only. */
export const withOpenHost = async <T>(loaded: LoadedConfig, work: (host: OpenHost) => Promise<T>): Promise<T> => {
  const log = createLogger({ level: 'warn', pretty: true, destination: process.stderr })
  const host = await openHost(loaded, log, 'command')
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

const PLUGINS = 'Commands of plugins, which need a configuration:'

/** Finds or makes the group that a word belongs to: `api-keys` for `api-keys create`. */
const groupOf = (program: Command, words: readonly string[]): Command =>
  words.reduce((parent, word) => {
    const known = parent.commands.find((command) => command.name() === word)
    if (known !== undefined) return known
    const made = new Command(word).exitOverride(undefined)
    parent.addCommand(parent === program ? made.helpGroup(PLUGINS) : made)
    return made
  }, program)

/** Puts a plugin's commands under the program. */
export const mountCommands = (
  program: Command,
  commands: readonly PluginCommand[],
  print: (line: string) => void,
): void => {
  // A word may be the group of others too: options behind theirs are theirs.
  program.enablePositionalOptions()
  for (const command of commands) {
    const words = command.name.split(' ')
    const parent = groupOf(program, words.slice(0, -1))
    const mounted = parent
      .command(words.at(-1) ?? command.name)
      .description(command.description)
      .enablePositionalOptions()
    if (parent === program) mounted.helpGroup(PLUGINS)
    for (const { name, description, required } of command.arguments ?? []) {
      mounted.argument(required ? `<${name}>` : `[${name}]`, description)
    }
    for (const option of command.options ?? []) mounted.option(option.flags, option.description, option.default)
    mounted.action(async () => {
      await command.run({ arguments: mounted.args, options: mounted.opts(), print })
    })
  }
  for (const group of program.commands) nameInner(group)
}

/** The help of the program shows the words of a group too. */
const nameInner = (group: Command): void => {
  if (group.commands.length === 0) return
  const words = group.commands.map((inner) => inner.name()).join(', ')
  const own = group.description()
  group.summary(own === '' ? words : `${own}; also: ${words}`)
}
