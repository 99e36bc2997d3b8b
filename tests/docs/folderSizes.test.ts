import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryFiles } from '../harness/repositoryFiles.js'

const MOST_SOURCES = 15

/** Larger by right: lists that grow by a file, and whose files nobody looks for by subject. */
const LARGER_BY_RIGHT = new Map([
  ['core/src/database/schema', 'one file a migration'],
  ['tests/bench/cases', 'one file a benchmark'],
])

it(`no folder holds more than ${MOST_SOURCES} source files without a reason`, () => {
  const counts = new Map<string, number>()
  for (const path of repositoryFiles()) {
    if (!/\.tsx?$/.test(path) || /\.test(\.support)?\.ts$/.test(path)) continue
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(150)
  const large = [...counts].filter(([folder, files]) => files > MOST_SOURCES && !LARGER_BY_RIGHT.has(folder))
  expect(large).toEqual([])
})
