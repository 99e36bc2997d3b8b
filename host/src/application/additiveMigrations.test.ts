import { readFileSync } from 'node:fs'
import { coreMigrations } from '@causeway/core/host'
import type { PackageMigrations } from '@causeway/core/plugin'
import apiKeys from '@causeway/plugin-api-keys'
import currencies from '@causeway/plugin-currencies'
import quote from '@causeway/plugin-quote'
import sponsorship from '@causeway/plugin-sponsorship'
import usage from '@causeway/plugin-usage'
import webhooks from '@causeway/plugin-webhooks'
import { describe, expect, it } from 'vitest'
import { hostMigrations } from './hostMigrations.js'

/**
 * What the statements of a version that does not know a migration cannot live with: what they read is gone or renamed, what they write is
 * refused. Losing a default, a rule or an index is none of it, but what `on conflict` names.
 */
const BREAKS: readonly (readonly [string, RegExp])[] = [
  ['drops a table', /\bdrop\s+table\b/],
  ['drops a column', /\bdrop\s+column\b/],
  ['renames', /\brename\s+(column|to|constraint)?\b/],
  ['changes the type of a column', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/],
  ['refuses null in a column that was there', /\balter\s+column\s+\w+\s+set\s+not\s+null\b/],
  [
    'adds a column that must be given',
    /\badd\s+column\s+(?![^,;]*\bdefault\b)(?![^,;]*\bgenerated\b)[^,;]*\bnot\s+null\b/,
  ],
  ['drops a key', /\bdrop\s+constraint\s+\w+_(key|pkey)\b/],
]

const wordsOf = (sql: string): string => sql.replaceAll(/--.*$/gm, ' ').toLowerCase()

const breaksOf = (sql: string): string[] => BREAKS.flatMap(([what, rule]) => (rule.test(wordsOf(sql)) ? [what] : []))

/** Released before the rule; a released migration never changes. */
const BEFORE_THE_RULE = new Set([
  '@causeway/core 0016_day_partitions',
  '@causeway/core 0025_retention',
  // Drops day partitions that are over.
  '@causeway/plugin-usage 0001_usage',
])

/** Renames a table and puts a view with triggers in its place: `tests/days/upgrade.proof.test.ts` runs the version before on it. */
const KEPT_BY_A_VIEW = new Set(['@causeway/core 0046_packed_quotes'])

const isExempt = (name: string): boolean => BEFORE_THE_RULE.has(name) || KEPT_BY_A_VIEW.has(name)

const PACKAGES: readonly PackageMigrations[] = [
  { name: '@causeway/core', migrations: coreMigrations },
  { name: '@causeway/host', migrations: hostMigrations },
  ...[apiKeys, currencies, quote, sponsorship, usage, webhooks].map(({ name, migrations = [] }) => ({
    name,
    migrations,
  })),
]

describe('expand and contract', () => {
  it('the changelog of core marks the migrations that are breaking, and no other', () => {
    const text = readFileSync(new URL('../../../core/CHANGELOG.md', import.meta.url), 'utf8')
    const marked = [...text.matchAll(/^\| `(\w+)` +\| \*\*Breaking\*\* \|/gm)].map(([, name]) => name)
    expect(marked).toEqual(coreMigrations.filter(({ breaking }) => breaking === true).map(({ name }) => name))
  })

  it.each(PACKAGES)(
    '$name: a migration that is not marked as breaking takes nothing from the version before',
    ({ name, migrations }) => {
      const found = migrations
        .filter((migration) => migration.breaking !== true && !isExempt(`${name} ${migration.name}`))
        .flatMap((migration) => breaksOf(migration.up).map((what) => `${migration.name} ${what}`))
      expect(found).toEqual([])
    },
  )

  it('is told from what breaks', () => {
    expect(breaksOf('alter table a add column b int not null default 0, add column c text')).toEqual([])
    expect(breaksOf('alter table a add column b int not null, add column c int default 1')).toHaveLength(1)
    expect(breaksOf('alter table a drop column b; alter table c rename to d')).toHaveLength(2)
    expect(breaksOf('alter table a drop constraint a_pkey; -- drop table')).toEqual(['drops a key'])
  })
})
