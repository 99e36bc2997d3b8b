import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configReference } from './configReference.js'
import { configSchema } from './schema.js'

it('README.md lists every setting with its meaning and default', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(configReference(configSchema))
})
