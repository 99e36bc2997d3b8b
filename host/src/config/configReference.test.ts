import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configReference } from './configReference.js'
import { configSchema } from './schema/schema.js'

/** Without the padding a formatter puts into tables. */
const unpadded = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')

it('README.md lists every setting with its meaning and default', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(unpadded(readme)).toContain(unpadded(configReference(configSchema)))
})
