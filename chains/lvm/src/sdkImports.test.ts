import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = import.meta.dirname

it('only the thread of the signer loads the SDK', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test.') && !path.startsWith('testing'),
  )
  const naming = files.filter((path) => readFileSync(join(SOURCE, path), 'utf8').includes('lighter-ts-sdk'))
  expect(files.length).toBeGreaterThan(30)
  expect(naming).toEqual([join('lane', 'lighterSigner.ts')])
})
