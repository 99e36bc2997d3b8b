import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'

/** Files that may open connections without `prepareSession`: servers that the service itself starts, and a URL that is only parsed. */
const BY_RIGHT =
  /^core\/src\/(database\/(pool|session)|postgres\/|testing\/)|^host\/(sandbox\/|src\/backup\/postgresTools)/

it('every connection gets the settings of the service (faults.md F168)', () => {
  const sources = repositoryFiles()
    .filter((path) => /^(core|host|host\/sandbox|chains\/[^/]+|plugins\/[^/]+)\/src\/.*\.ts$/.test(path))
    .filter((path) => !/\.test(\.support)?\.ts$|\/fixtures\//.test(path))
    .filter((path) => !BY_RIGHT.test(path))
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((path) => /new pg\.(Client|Pool)\(/.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})
