import { type Command, CommanderError } from 'commander'
import { processVariables, runSettings } from '../config/environment.js'
import { loadConfig } from '../config/loadConfig.js'
import { nearestName } from '../config/nearestName.js'
import { chooseConfig } from './configOption.js'
import { plainError, UsageError } from './plainError.js'
import { createProgram } from './program.js'

const OWN_WORDS = new Set([
  'start',
  'migrate',
  'doctor',
  'sandbox',
  'keys',
  'contracts',
  'init',
  'chains',
  'create-adapter',
  'create-plugin',
  'help',
])
/** Words of the host beside words of a plugin in one group: `currencies import` is a plugin's. */
const OWN_PAIRS = new Set(['currencies add'])
const USAGE = 2

/** The first word that is no option, and the value of --config. */
const readWords = (
  args: readonly string[],
): { readonly word: string | undefined; readonly config: string | undefined } => {
  let config: string | undefined
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at] ?? ''
    if (text === '--config') {
      config = args[at + 1]
      at += 1
    } else if (text.startsWith('--config=')) config = text.slice('--config='.length)
    else if (!text.startsWith('-')) return { word: text, config: config ?? readConfig(args.slice(at + 1)) }
  }
  return { word: undefined, config }
}

const readConfig = (args: readonly string[]): string | undefined => {
  const at = args.findIndex((text) => text === '--config' || text.startsWith('--config='))
  const text = args[at]
  return text === '--config' ? args[at + 1] : text?.slice('--config='.length)
}

/** `--config` may stand after a plugin's word too; its own parser does not know it. */
const withoutConfig = (args: readonly string[]): readonly string[] =>
  args.filter((text, at) => text !== '--config' && !text.startsWith('--config=') && args[at - 1] !== '--config')

/** No word of any depth ends the process by itself. */
const overrideExits = (program: Command): void => {
  for (const command of program.commands) overrideExits(command.exitOverride())
}

const noConfiguration = (word: string): string =>
  `"${word}" may be a command of a plugin, and plugins are found through a configuration: name one with --config <path>.`

/** A word of a plugin: the configuration is loaded, the host opened without a listener, the command run. */
const runPluginWord = async (args: readonly string[], file: string): Promise<void> => {
  const [{ commandsOf, mountCommands, withOpenHost }, loaded] = await Promise.all([
    import('./pluginCommands.js'),
    loadConfig(file),
  ])
  await withOpenHost(loaded, async (host) => {
    const program = createProgram().exitOverride()
    mountCommands(program, commandsOf(host), (line) => console.log(line))
    overrideExits(program)
    await program.parseAsync(withoutConfig(args), { from: 'user' })
  })
}

const isOwn = (word: string, args: readonly string[]): boolean =>
  OWN_WORDS.has(word) || OWN_PAIRS.has(`${word} ${args[args.indexOf(word) + 1] ?? ''}`)

const run = async (args: readonly string[]): Promise<void> => {
  const { word, config } = readWords(args)
  const file = chooseConfig(config)
  const program = createProgram().exitOverride()
  if (word !== undefined && !isOwn(word, args)) {
    if (file !== undefined) return runPluginWord(args, file)
    if (nearestName(word, [...OWN_WORDS]) === undefined) throw new UsageError(noConfiguration(word))
  }
  overrideExits(program)
  await program.parseAsync(args, { from: 'user' })
}

/** Runs the command line. Errors are plain sentences on standard error; exit code 2 for a wrong call, else 1. */
export const main = async (args: readonly string[]): Promise<void> => {
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
