import type { Role } from '@causeway/core/plugin'
import { parseRole } from '../configOption.js'

/** A command line, taken apart as far as the host must know before a plugin's commands are there. */
export interface CommandWords {
  /** The first word that is no option. */
  readonly word: string | undefined
  readonly config: string | undefined
  readonly roles: readonly (Role | 'all')[] | undefined
  readonly asksHelp: boolean
  /** Without the host's own options, which a plugin's parser does not know. */
  readonly rest: readonly string[]
}

const OWN = ['--config', '--role'] as const

/** Reads the host's own options wherever they stand, before and after the words of a plugin. @throws UsageError */
export const readWords = (args: readonly string[]): CommandWords => {
  const found: { config?: string; roles?: readonly (Role | 'all')[] } = {}
  const rest: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at] ?? ''
    const option = OWN.find((name) => text === name || text.startsWith(`${name}=`))
    if (option === undefined) {
      rest.push(text)
      continue
    }
    const value = text === option ? args[at + 1] : text.slice(option.length + 1)
    if (text === option) at += 1
    if (value === undefined) continue
    if (option === '--config') found.config = value
    else found.roles = parseRole(value, found.roles)
  }
  return {
    word: rest.find((text) => !text.startsWith('-')),
    config: found.config,
    roles: found.roles,
    asksHelp: rest.some((text) => text === '--help' || text === '-h'),
    rest,
  }
}
