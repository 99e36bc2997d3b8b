import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const NAMED = /\bname: '(\w+)',\s+text: (['`])([\s\S]+?)\2,/g

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)src\//.test(path) && path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(ROOT, folder, path))

it('a connection parses each named statement once: no two of them share a name', () => {
  const textsOf = new Map<string, Set<string>>()
  for (const path of ['core', 'plugins', 'chains', 'host'].flatMap(sourcesIn)) {
    for (const [, name = '', , text = ''] of readFileSync(path, 'utf8').matchAll(NAMED)) {
      textsOf.set(name, (textsOf.get(name) ?? new Set()).add(text))
    }
  }
  expect(textsOf.size).toBeGreaterThan(50)
  expect([...textsOf].filter(([, texts]) => texts.size > 1).map(([name]) => name)).toEqual([])
})
