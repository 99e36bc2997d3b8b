import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../packing/packages.js'
import { SPECIFICATION_ROWS, type SpecificationRow } from './specificationRows.js'

const README = join(ROOT, 'tests', 'README.md')
const BETWEEN = /(<!-- specification: made of docs\/specificationRows\.ts -->\n)[\s\S]*?(<!-- end of specification -->)/

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The formatter pads the cells of tables. */
const unpadded = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')

/** The table as Markdown. */
const tableOf = (rows: readonly SpecificationRow[]): string =>
  [
    '| specification | rule | proven by |',
    '| --- | --- | --- |',
    ...rows.map(({ section, rule, file, title }) => `| ${section} | ${rule} | \`${file}\`: ${title} |`),
    '',
  ].join('\n')

describe('the specification, row by row', () => {
  it.each(SPECIFICATION_ROWS)('$section, $rule: the named test is there', ({ file, title }) => {
    const quoted = ["'", '`', '"'].some((quote) => read(file).includes(`${quote}${title}${quote}`))
    expect([file, title, quoted]).toEqual([file, title, true])
  })

  it('has no row twice', () => {
    const names = SPECIFICATION_ROWS.map(({ section, rule }) => `${section}: ${rule}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('stands in tests/README.md; CAUSEWAY_WRITE_DOCS=1 writes it there', () => {
    const text = readFileSync(README, 'utf8')
    const made = text.replace(
      BETWEEN,
      (_, begin: string, end: string) => `${begin}\n${tableOf(SPECIFICATION_ROWS)}\n${end}`,
    )
    expect(BETWEEN.test(text)).toBe(true)
    if (process.env.CAUSEWAY_WRITE_DOCS === '1') writeFileSync(README, made)
    else expect(unpadded(text)).toBe(unpadded(made))
  })
})
