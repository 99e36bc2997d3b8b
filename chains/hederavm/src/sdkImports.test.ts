import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = import.meta.dirname

it('no module of the adapter loads the SDK by being imported: it takes seconds', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test.') && !path.startsWith('testing'),
  )
  const found = files.flatMap((path) =>
    readFileSync(join(SOURCE, path), 'utf8')
      .split('\n')
      .filter((line) => /from '@(hashgraph|hiero-ledger)\//.test(line) && !line.startsWith('import type ')),
  )
  expect(files.length).toBeGreaterThan(30)
  expect(found).toEqual([])
})
