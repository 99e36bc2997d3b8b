import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = import.meta.dirname

it('no module of the adapter loads the virtual machine by being imported', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test.') && !path.startsWith('testing'),
  )
  const texts = files.map((path) => readFileSync(join(SOURCE, path), 'utf8'))
  expect(files.length).toBeGreaterThan(30)
  expect(texts.filter((text) => /^(?!import type ).*from '@ton\/sandbox/m.test(text))).toEqual([])
  expect(texts.filter((text) => /^(const|let) .*loadSandbox\(/m.test(text))).toEqual([])
})
