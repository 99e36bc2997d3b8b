import { type Command, HttpError } from '@causeway/core/plugin'

/** An option of a command as a program names it. */
export interface KnownOption {
  /** As in the flags, without dashes: `paid-by`. */
  readonly name: string
  readonly flags: string
  readonly description: string
  readonly takes: 'text' | 'nothing'
  readonly default: string | null
}

/** Said by the console itself, whoever asks. */
const OWN = new Set(['yes', 'json'])
const FLAGS = /--([a-z][a-z0-9-]*)(?:[ =]([<[]))?/
const LONGEST = 500

const toOption = (option: NonNullable<Command['options']>[number]): KnownOption => {
  const [, name, value] = FLAGS.exec(option.flags) ?? []
  if (name === undefined) throw new Error(`The flags ${option.flags} have no long name.`)
  const { flags, description } = option
  return { name, flags, description, takes: value === undefined ? 'nothing' : 'text', default: option.default ?? null }
}

/** The options that a caller may give. */
export const optionsOf = ({ options = [] }: Command): readonly KnownOption[] =>
  options.map(toOption).filter(({ name }) => !OWN.has(name))

export const hasJson = ({ options = [] }: Command): boolean =>
  options.some((option) => toOption(option).name === 'json')

/** As the command line hands them to a command: `paidBy` for `--paid-by`. */
const memberOf = (name: string): string => name.replace(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

const refuse = (message: string): never => {
  throw new HttpError(400, message)
}

/** What PostgreSQL can store. */
const plainText = (text: string, what: string): string => {
  if (text.length > LONGEST || text.includes('\u0000')) {
    return refuse(`${what} is longer than ${LONGEST} characters, or no plain text`)
  }
  return text
}

/** The arguments, as many as the command takes. @throws HttpError 400 */
export const readArguments = (
  { name, arguments: known = [] }: Command,
  given: readonly string[],
): readonly string[] => {
  const missing = known.slice(given.length).find(({ required }) => required)
  if (missing !== undefined) refuse(`${name} needs the argument "${missing.name}": ${missing.description}`)
  if (given.length > known.length) refuse(`${name} takes ${known.length} arguments, not ${given.length}`)
  return given.map((text, at) => plainText(text, `The argument "${known[at]?.name}"`))
}

const readOption = (option: KnownOption, value: unknown): unknown => {
  const { name, takes } = option
  if (takes === 'nothing') return typeof value === 'boolean' ? value : refuse(`The option "${name}" is true or false`)
  return typeof value === 'string' ? plainText(value, `The option "${name}"`) : refuse(`The option "${name}" is a text`)
}

/** The options with their defaults, as the command line hands them over. @throws HttpError 400 for one that there is not */
export const readOptions = (
  command: Command,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const known = optionsOf(command)
  const unknown = Object.keys(given).find((name) => !known.some((option) => option.name === name))
  if (unknown !== undefined) {
    refuse(
      `${command.name} has no option "${unknown.slice(0, 50)}"; it has ${known.map(({ name }) => name).join(', ') || 'none'}`,
    )
  }
  const values = known.map((option): [string, unknown] => {
    const value = Object.hasOwn(given, option.name)
      ? readOption(option, given[option.name])
      : (option.default ?? undefined)
    return [memberOf(option.name), value]
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== false))
}

/** That the operator typed once more what the command is about. @throws HttpError 400 */
export const requireConfirmed = (command: Command, given: readonly string[], confirm: string | undefined): void => {
  const { confirmWith, arguments: known = [] } = command
  if (command.console !== 'money') return
  const at = known.findIndex(({ name }) => name === confirmWith)
  if (at < 0) throw new Error(`${command.name} does not say what confirms it.`)
  if (confirm !== undefined && confirm === given[at]) return
  refuse(`Repeat the ${confirmWith} in "confirm", exactly as it is given: nothing was done`)
}
