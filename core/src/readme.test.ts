import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EXTENSION_POINTS } from './container/extensionPoints.js'
import * as chain from './faces/chain.js'
import * as host from './faces/host.js'
import * as moneyPath from './faces/moneyPath.js'
import * as plugin from './faces/plugin.js'
import * as core from './index.js'
import { RULE_IDS } from './testing/conformance/ruleIds.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The part under a heading, up to the next one that is not below it. */
const part = (heading: string): string => {
  const level = /^#+/.exec(heading)?.[0].length ?? 1
  const from = readme.indexOf(`\n${heading}\n`)
  const next = readme.slice(from + heading.length).search(new RegExp(`\n#{1,${level}} `))
  return from < 0 ? '' : readme.slice(from, next < 0 ? undefined : from + heading.length + next)
}

/** Words in the first column of the tables of a text. */
const listed = (text: string, word: RegExp): string[] =>
  [...text.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(word)].map(([, name = '']) => name),
  )

/** Rules that a row of the table names: `payout-once`, then `-books` for `payout-books`, and `wait-*` for all that begin so. */
const rulesOf = (cell: string): string[] => {
  const names = [...cell.matchAll(/`([a-z*-]+)`/g)].map(([, name = '']) => name)
  const family = names[0]?.split('-')[0] ?? ''
  return names.flatMap((name) => {
    const whole = name.startsWith('-') ? `${family}${name}` : name
    return whole.endsWith('*') ? RULE_IDS.filter((id) => id.startsWith(whole.slice(0, -1))) : [whole]
  })
}

/** Names of the tokens of core, with the token. */
const tokens = Object.entries({ ...core, ...chain, ...plugin, ...moneyPath, ...host }).filter(
  ([, value]) => typeof value === 'symbol',
)

describe('the README', () => {
  it('lists every folder of the sources', () => {
    const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(listed(part('## Folders'), /`([a-zA-Z]+)`/g).sort()).toEqual(folders.sort())
  })

  it('names every rule of the conformance kit once, and none that there is not', () => {
    const cells = [...part('### The conformance kit').matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
    expect(cells.flatMap(rulesOf).sort()).toEqual([...RULE_IDS].sort())
  })

  it('lists every token that a plugin resolves, and apart from these every extension point', () => {
    const isPoint = (value: unknown) => EXTENSION_POINTS.some((point) => point === value)
    const names = (points: boolean) => tokens.filter(([, value]) => isPoint(value) === points).map(([name]) => name)
    expect(listed(part('### Services of core'), /`([A-Z_]+)`/g).sort()).toEqual(names(false).sort())
    expect(listed(part('### Extension points'), /`([A-Z_]{2,})`/g).sort()).toEqual(names(true).sort())
  })
})

describe('the pages of the ports', () => {
  const source = readFileSync(new URL('chainKit/adapter/defineAdapter.ts', import.meta.url), 'utf8')
  /** Members of a port, as `Port<must, may>` has them. */
  const membersOf = (port: string): readonly string[] => {
    const from = source.slice(source.indexOf(`Adapter${port}`))
    return [...from.slice(0, from.indexOf('>')).matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
  }

  it.each([
    ['Identity', 'identity'],
    ['Forms', 'identity'],
    ['Reader', 'reader'],
    ['Payouts', 'payouts'],
    ['Deposits', 'deposits'],
  ])('%s: each member has a row in %s.md', (port, page) => {
    const text = readFileSync(new URL(`../docs/kit/${page}.md`, import.meta.url), 'utf8')
    expect(membersOf(port).length).toBeGreaterThan(4)
    expect(listed(text, /`(\w+)`/g)).toEqual(expect.arrayContaining([...membersOf(port)]))
  })
})
