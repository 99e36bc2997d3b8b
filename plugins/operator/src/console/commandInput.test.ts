import type { Command } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { hasJson, optionsOf, readArguments, readOptions, requireConfirmed } from './commandInput.js'

const command: Command = {
  name: 'vault open',
  description: 'Opens it',
  arguments: [
    { name: 'vault', description: 'Its number', required: true },
    { name: 'note', description: 'A word', required: false },
  ],
  options: [
    { flags: '--paid-by <tx>', description: 'A transaction' },
    { flags: '-l, --limit <count>', description: 'Most', default: '50' },
    { flags: '--wide', description: 'All of it' },
    { flags: '--json', description: 'JSON' },
    { flags: '--yes', description: 'Do not ask' },
  ],
  console: 'money',
  confirmWith: 'vault',
  run: async () => undefined,
}

describe('options of a command', () => {
  it('are named as in the flags; what the console says itself is none of them', () => {
    expect(optionsOf(command).map(({ name, takes, default: usual }) => [name, takes, usual])).toEqual([
      ['paid-by', 'text', null],
      ['limit', 'text', '50'],
      ['wide', 'nothing', null],
    ])
    expect(hasJson(command)).toBe(true)
    expect(hasJson({ ...command, options: [] })).toBe(false)
  })

  it('reach the command as the command line hands them over, defaults filled in', () => {
    expect(readOptions(command, {})).toEqual({ limit: '50' })
    expect(readOptions(command, { 'paid-by': '0x1', wide: true, limit: '3' })).toEqual({
      paidBy: '0x1',
      wide: true,
      limit: '3',
    })
    expect(readOptions(command, { wide: false })).toEqual({ limit: '50' })
  })

  it.each<Readonly<Record<string, unknown>>>([
    { yes: true },
    { json: true },
    { paidBy: '0x1' },
    { constructor: 'x' },
    { limit: 3 },
    { limit: true },
    { wide: 'yes' },
    { 'paid-by': 'a\u0000' },
    { 'paid-by': 'x'.repeat(501) },
    { 'paid-by': null },
  ])('refuse %o with 400', (given) => {
    expect(() => readOptions(command, given)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

it('arguments are as many as the command takes, and text', () => {
  expect(readArguments(command, ['1'])).toEqual(['1'])
  expect(readArguments(command, ['1', 'x'])).toEqual(['1', 'x'])
  for (const given of [[], ['1', '2', '3'], ['\u0000'], ['x'.repeat(501)]])
    expect(() => readArguments(command, given)).toThrow(expect.objectContaining({ status: 400 }))
})

describe('a confirmation', () => {
  it('repeats the argument that the command names, exactly', () => {
    expect(() => requireConfirmed(command, ['12'], '12')).not.toThrow()
    for (const confirm of [undefined, '', '1', '12 ', 'vault'])
      expect(() => requireConfirmed(command, ['12'], confirm)).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('is asked for money alone, and a command that names none is never run', () => {
    expect(() => requireConfirmed({ ...command, console: 'action' }, ['12'], undefined)).not.toThrow()
    const { confirmWith: _, ...nameless } = command
    expect(() => requireConfirmed(nameless, ['12'], '12')).toThrow('does not say what confirms it')
  })
})
