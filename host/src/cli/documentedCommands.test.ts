import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import apiKeys from '@causeway/plugin-api-keys'
import currencies from '@causeway/plugin-currencies'
import operator from '@causeway/plugin-operator'
import quote from '@causeway/plugin-quote'
import solver from '@causeway/plugin-solver'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { mountCommands } from './plugins/pluginCommands.js'
import { createProgram } from './program.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const RUNBOOKS = 'core/docs/runbooks'

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

const PAGES = ['host/README.md', ...pagesIn('host/operations'), ...pagesIn(RUNBOOKS)]
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** Lines of shell blocks that run the program, without what the shell does with them. */
const commandsIn = (page: string): string[] =>
  [...textOf(page).matchAll(/^ *```sh\n(.*?)^ *```/gms)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.trim().replace(/^(?:[A-Z_]+=(?:"[^"]*"|\S+) )+/, ''))
    .filter((line) => line.startsWith('causeway '))
    .map((line) => line.replace(/\s+(?:(#|&&|\||>|;)\s.*|&)$/, ''))

/** Something of its kind for each `<placeholder>`. */
const filledIn = (line: string): string[] => {
  const [, ...words] = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  return words.map((word) => word.replaceAll(/<[a-z -]+>/g, '1'))
}

const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything })

/** The program with every command of the plugins; nothing is run, the name of what would be is noted. */
const programThatNotes = (note: (name: string) => void): Command => {
  // CAST: commands are listed without being run; nothing of their services is used.
  const context = { container: { resolve: () => anything }, options: anything } as never
  const program = createProgram()
  const added = [apiKeys, currencies, operator, quote, solver].flatMap((plugin) => plugin.commands?.(context) ?? [])
  mountCommands(program, added, () => undefined)
  const override = (command: Command, path: string): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    // A word that only groups others has none.
    if (Reflect.get(command, '_actionHandler') !== null) command.action(() => note(path))
    for (const child of command.commands) override(child, `${path} ${child.name()}`.trim())
  }
  override(program, '')
  return program
}

const parse = (line: string): string => {
  let ran = ''
  programThatNotes((name) => (ran = name)).parse(filledIn(line), { from: 'user' })
  return ran
}

describe('commands in the documents', () => {
  it.each(PAGES)('%s: each one exists, with these flags and arguments', (page) => {
    const wrong = commandsIn(page).flatMap((line) => {
      try {
        parse(line)
        return []
      } catch (error) {
        return [`${line}: ${error instanceof Error ? error.message : String(error)}`]
      }
    })
    expect(wrong).toEqual([])
  })

  it('are told from a wrong word, an unknown flag and a missing argument', () => {
    expect(parse('causeway parked close <deposit> --paid-by <tx> --reason "was paid"')).toBe('parked close')
    for (const line of [
      'causeway parket list',
      'causeway lanes inspect',
      'causeway doctor --loud',
      'causeway restore',
    ]) {
      expect(() => parse(line), line).toThrow()
    }
  })
})

describe('alerts', () => {
  const alerts = [...textOf('host/operations/alerts.yml').matchAll(/^ *- alert: (\w+)$/gm)].map(([, name = '']) => name)

  it.each(alerts)('%s has a page that says how to see it, what to do, what not to do, and when it is over', (name) => {
    const page = textOf(`${RUNBOOKS}/${name}.md`)
    const parts = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title)
    expect(parts).toEqual([name, 'See it', 'Do', 'Do not', 'It is over'])
    expect(commandsIn(`${RUNBOOKS}/${name}.md`).length).toBeGreaterThan(0)
  })

  it('pages link to pages that are there', () => {
    for (const page of pagesIn(RUNBOOKS)) {
      for (const [, target = ''] of textOf(page).matchAll(/\]\((\w+\.md)\)/g))
        expect(pagesIn(RUNBOOKS)).toContain(`${RUNBOOKS}/${target}`)
    }
  })
})
