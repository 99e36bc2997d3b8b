import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'
import { payoutWritesIn } from './payoutWrites.js'

/** Where payouts and lanes are written by right: the money path itself, and what makes the tables. */
const BY_RIGHT = /^core\/src\/(payout|database\/schema)\//

it('only core/src/payout writes payouts, their attempts and guards, and lanes (architecture.md 3)', () => {
  const sources = repositoryFiles()
    .filter((path) => /^(core|host|host\/sandbox|chains\/[^/]+|plugins\/[^/]+)\/src\/.*\.ts$/.test(path))
    .filter((path) => !/\.test(\.support)?\.ts$|\/fixtures\//.test(path))
    .filter((path) => !BY_RIGHT.test(path))
  expect(sources.length).toBeGreaterThan(500)
  const written = sources.flatMap((path) =>
    payoutWritesIn(readFileSync(join(ROOT, path), 'utf8')).map((what) => `${path}: ${what}`),
  )
  expect(written).toEqual([])
})

it.each([
  ["await pool.query('update payouts set attempts = 0')", ['update payouts']],
  ['text: `with a as (\n  INSERT INTO\n    payout_attempts (payout_id) select 1)`', ['INSERT INTO payout_attempts']],
  ['`delete from only public.lanes`', ['delete from only public.lanes']],
  ['`update requests set a = 1`; `update payoutsOfYesterday`', []],
  ['`select from payouts p for update of p`', []],
])('%s', (text, found) => {
  expect(payoutWritesIn(text)).toEqual(found)
})
