import { type Command, CommanderError } from 'commander'
import { processVariables, runSettings } from '../config/environment.js'
import { loadConfig } from '../config/loadConfig.js'
import { outliveReader } from './brokenPipe.js'
import { chooseConfig } from './configOption.js'
import { plainError, UsageError } from './plainError.js'
import { type CommandWords, readWords } from './plugins/commandWords.js'
import { createProgram } from './program.js'

const USAGE = 2
const VERSION = new Set(['-v', '--version'])

/** No word of any depth ends the process by itself. */
const overrideExits = (program: Command): void => {
  for (const command of program.commands) overrideExits(command.exitOverride())
}

const noConfiguration = (word: string): string =>
  `"${word}" is a command of a plugin and needs a configuration: name one with --config <path>.`

/** A word of a plugin: the configuration is loaded, the host opened without a listener, the command run. */
const runPluginWord = async ({ rest, roles }: CommandWords, file: string): Promise<void> => {
  const [{ mountCommands, withOpenHost }, { commandsOfPlugins }, loaded] = await Promise.all([
    import('./plugins/pluginCommands.js'),
    import('../application/opening/openHost.js'),
    // Without a role it holds no signing key, and of the others only what the command asks for.
    loadConfig(file, roles === undefined ? { reader: 'operator' } : { roles }),
  ])
  await withOpenHost(loaded, async (host) => {
    const program = createProgram().exitOverride()
    mountCommands(program, commandsOfPlugins(host.plugins), (line) => console.log(line))
    overrideExits(program)
    await program.parseAsync(rest, { from: 'user' })
  })
}

/** Whether the host itself has what was called; a group of its own may have further commands of plugins. */
const isOwn = (program: Command, { word, rest }: CommandWords): boolean => {
  if (word === undefined) return rest.some((text) => VERSION.has(text))
  const own = program.commands.find((command) => command.name() === word)
  if (own === undefined) return false
  // What takes arguments is a command itself: `backup <file>` beside `backup verify`.
  if (own.commands.length === 0 || own.registeredArguments.length > 0) return true
  const inner = rest[rest.indexOf(word) + 1]
  return inner === undefined || own.commands.some((command) => command.name() === inner)
}

/** What plugins add is learned from their packages; a database is opened for a command that runs. */
const runWithPlugins = async (program: Command, words: CommandWords, file: string | undefined): Promise<void> => {
  const [{ mountCommands }, { knownCommands }] = await Promise.all([
    import('./plugins/pluginCommands.js'),
    import('./plugins/pluginHelp.js'),
  ])
  const { word = '', rest, asksHelp } = words
  const { commands, incomplete } = await knownCommands(file)
  const isKnown = incomplete || commands.some(({ name }) => name.split(' ')[0] === word)
  if (isKnown && !asksHelp && word !== '' && word !== 'help') {
    if (file === undefined) throw new UsageError(noConfiguration(word))
    return runPluginWord(words, file)
  }
  mountCommands(program, commands, () => undefined)
  overrideExits(program)
  await program.parseAsync(rest, { from: 'user' })
}

const run = async (args: readonly string[]): Promise<void> => {
  const words = readWords(args)
  const program = createProgram().exitOverride()
  if (!isOwn(program, words)) return runWithPlugins(program, words, chooseConfig(words.config))
  overrideExits(program)
  await program.parseAsync(args, { from: 'user' })
}

/** Runs the command line. Errors are plain sentences on standard error; exit code 2 for a wrong call, else 1. */
export const main = async (args: readonly string[]): Promise<void> => {
  outliveReader(process.stdout)
  outliveReader(process.stderr)
  try {
    await run(args)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : USAGE
      return
    }
    console.error(plainError(error, { stack: runSettings(processVariables).showsStack }))
    process.exitCode = error instanceof UsageError ? USAGE : 1
    // Something half started may keep the process alive.
    setTimeout(() => process.exit(), 2_000).unref()
  }
}
