import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAILPOINTS } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { EVERY_PLACE, SHORT_WALK } from '../faults/killPlaces.js'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'

/** Failpoints outside the money path, and the test that kills each of them. */
const OWN_TEST: readonly (readonly [prefix: string, test: string])[] = [
  ['webhooks.', 'tests/webhooks/webhookKills.ts'],
  ['idempotent.', 'tests/http/idempotency.test.ts'],
  ['contracts.', 'tests/setup/deployContracts.chain.test.ts'],
]

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Failpoints that the sources name in full; those of a purpose are put together and listed in FAILPOINTS. */
const namedInSources = (): string[] => {
  const sources = repositoryFiles().filter((path) => /^(core|host|chains|plugins)\/.*\.ts$/.test(path))
  return sources
    .filter((path) => !/\.test\.ts$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/failpoint\('([a-z.-]+)'\)/g)].map(([, name = '']) => name))
}

describe('every failpoint is killed in some test', () => {
  it('each of the money path in the nightly tier, and each of its purposes in the shorter walk', () => {
    const walked = new Set<string>(Object.values(EVERY_PLACE).flat())
    expect(FAILPOINTS.filter((name) => !walked.has(name))).toEqual([])
    const short: readonly string[] = Object.values(SHORT_WALK).flat()
    expect(short.filter((name) => !walked.has(name))).toEqual([])
    const purposeOf = (name: string): string => name.split('.')[0] ?? ''
    expect(new Set(short.map(purposeOf))).toEqual(new Set([...walked].map(purposeOf)))
  })

  it('each that a source names is in FAILPOINTS or in a test of its own', () => {
    const named = namedInSources()
    expect(named.length).toBeGreaterThan(20)
    const known = new Set<string>(FAILPOINTS)
    const missing = named.filter((name) => {
      const test = OWN_TEST.find(([prefix]) => name.startsWith(prefix))?.[1]
      return !known.has(name) && (test === undefined || !read(test).includes(`'${name}'`))
    })
    expect(missing).toEqual([])
  })
})
