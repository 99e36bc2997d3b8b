import type { Command as PluginCommand } from '@causeway/core/plugin'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { mountCommands } from './pluginCommands.js'

/** What was run, with what. */
const ran: string[] = []

const command = (name: string, more: Partial<PluginCommand> = {}): PluginCommand => ({
  name,
  description: name,
  ...more,
  run: async (input) => {
    ran.push(`${name} ${JSON.stringify([input.arguments, input.options])}`)
  },
})

const program = (): Command => {
  const made = new Command('causeway').exitOverride().configureOutput({ writeErr: () => undefined })
  const json = [{ flags: '--json', description: 'json' }]
  const chain = [{ name: 'chain', description: 'chain', required: true }]
  mountCommands(
    made,
    [command('lanes', { options: json }), command('lanes inspect', { options: json, arguments: chain })],
    () => undefined,
  )
  return made
}

const run = (...args: string[]) => program().parseAsync(args, { from: 'user' })

it('a word may be a command itself and the group of others', async () => {
  await run('lanes')
  await run('lanes', '--json')
  await run('lanes', 'inspect', 'base', '--json')
  expect(ran).toEqual(['lanes [[],{}]', 'lanes [[],{"json":true}]', 'lanes inspect [["base"],{"json":true}]'])
})

it('refuses a word of a group that is none', async () => {
  await expect(run('lanes', 'inspekt')).rejects.toThrow(/inspekt|too many arguments/)
})
