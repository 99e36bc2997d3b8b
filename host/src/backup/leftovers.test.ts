import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { partialFile, removeLeftovers } from './leftovers.js'

/** Larger than any process id of Linux. */
const NOBODY = 2 ** 22 + 1
const LATER = 3_600_000

let folder: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-leftovers-'))
  said = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (name: string): void => writeFileSync(join(folder, name), 'half')
const clear = (afterMs: number): void =>
  removeLeftovers(join(folder, 'monday.dump'), (line) => said.push(line), Date.now() + afterMs)

it('what a killed backup of that name left is removed and told, file and folder, and nothing else', () => {
  put(`monday.dump.partial-${NOBODY}`)
  put(`monday.dump.partial-${NOBODY}.json`)
  mkdirSync(join(folder, `monday.dump.partial-${NOBODY + 1}`, 'base'), { recursive: true })
  const others = ['monday.dump', 'monday.dump.json', 'monday.dump.partial-notes', `sunday.dump.partial-${NOBODY}`]
  for (const name of others) put(name)
  clear(LATER)
  expect(readdirSync(folder).sort()).toEqual([...others].sort())
  expect(said).toHaveLength(3)
  expect(said.join()).toContain('Removed ')
})

it('that of a backup at work is left alone', () => {
  writeFileSync(partialFile(join(folder, 'monday.dump')), 'half')
  clear(LATER)
  expect(readdirSync(folder)).toHaveLength(1)
  expect(said).toEqual([])
})

it('one that was written to just now is named and left: pg_dump may outlive the command', () => {
  put(`monday.dump.partial-${NOBODY}`)
  clear(0)
  expect(readdirSync(folder)).toHaveLength(1)
  expect(said.join()).toContain('remove it')
})
