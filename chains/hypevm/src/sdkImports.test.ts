import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = import.meta.dirname

it('one module of the adapter uses the SDK, and loads it when it signs', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test.') && !path.startsWith('testing'),
  )
  const found = files.filter((path) => readFileSync(join(SOURCE, path), 'utf8').includes("'@nktkas/hyperliquid"))
  expect(files.length).toBeGreaterThan(30)
  expect(found).toEqual([join('lane', 'sdk.ts')])
  expect(readFileSync(join(SOURCE, 'lane', 'sdk.ts'), 'utf8')).not.toMatch(/from '@nktkas/)
})
