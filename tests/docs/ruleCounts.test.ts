import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RULE_IDS } from '@causeway/core/testing'
import { expect, it } from 'vitest'
import { ROOT } from '../packing/packages.js'

it.each(['core/docs/architecture.md', 'tests/README.md'])('%s says how many rules the conformance kit has', (path) => {
  const said = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\b(\d+) rules\b/g)].map(([, count]) =>
    Number(count),
  )
  expect(said).toEqual([RULE_IDS.length])
})

it('the README of core names every rule, alone or by what its name begins with', () => {
  const text = readFileSync(join(ROOT, 'core/README.md'), 'utf8')
  const rows = text
    .slice(text.indexOf('### The conformance kit'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => namesIn(row.split('|')[1] ?? ''))
  expect(named.length).toBeGreaterThan(40)
  const unnamed = RULE_IDS.filter((id) => !named.some((name) => isName(id, name)))
  expect(unnamed).toEqual([])
})

/** Names of a cell; one that begins with a hyphen goes on as the one before. */
const namesIn = (cell: string): string[] => {
  const names: string[] = []
  for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const before = names.at(-1)?.split('-')[0] ?? ''
    names.push(name.startsWith('-') ? `${before}${name}` : name)
  }
  return names
}

const isName = (id: string, name: string): boolean =>
  name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name
