import type { Reference, Section } from './reference.js'

const WIRE_SECTION = /(?:[A-K]\.\d+|\d\.\d+|[A-K](?![\w.]))/
const WIRE = new RegExp(
  `wire\\.md ((?:${WIRE_SECTION.source})(?: \\d+)?(?:(?:, | and | to |; )(?:${WIRE_SECTION.source}|\\d+)(?: \\d+)?)*)`,
  'g',
)
const WIRE_PART = new RegExp(`(${WIRE_SECTION.source})(?: (\\d+))?|(\\d+)`, 'g')
/** A section of wire.md whose letter says so without the document's name. */
const BARE_WIRE = /(?<![\w.'"`])([A-K]\.\d{1,2})(?: (\d+))?(?![\w.'"`])/g
const VMS = 'bvm|evm|svm|tvm|tonvm|hypevm|lvm|xrpvm|hederavm'
const CHAIN_ROW = new RegExp(`\\b(${VMS}) (\\d+)\\b`, 'g')
/** A heading of chains.md, quoted or as it is written there. */
const CHAIN_HEADING = /chains\.md,? (?:"([^"]+)"|([A-Z][A-Za-z ]*[a-z]|common rules|depository contract)(?: (\d+))?)/g

/** Says which citations of a text name nothing: one line each. Links of Markdown count as their words. */
export const brokenCitations = (markdown: string, reference: Reference): string[] => {
  const text = markdown.replaceAll(/\[([^\]\n]+)\]\([^)\n]+\)/g, '$1')
  const broken = [...brokenWire(text, reference), ...brokenChains(text, reference), ...brokenRest(text, reference)]
  return [...new Set(broken)]
}

/** Mentions of wire.md without a section: of no help in a comment, usual in a document. */
export const citationsWithoutSection = (code: string): string[] =>
  [...code.matchAll(/(?<![\w/[])wire\.md(?! [A-K\d])(?=[ :,)])[^\n]{0,30}/g)].map(([whole]) => whole)

const missing = (sections: ReadonlyMap<string, Section>, key: string, item: string | undefined): boolean => {
  const section = sections.get(key)
  return section === undefined || (item !== undefined && section.items.size > 0 && !section.items.has(Number(item)))
}

function* brokenWire(text: string, { wire }: Reference): Generator<string> {
  for (const [, list = ''] of text.matchAll(WIRE)) {
    let section = ''
    for (const [, named, item, lone] of list.matchAll(WIRE_PART)) {
      section = named ?? section
      const row = item ?? lone
      if (missing(wire, section, row)) yield `wire.md ${section}${row === undefined ? '' : ` ${row}`}`
    }
  }
  for (const [, section = '', item] of text.matchAll(BARE_WIRE)) {
    if (missing(wire, section, item)) yield `${section}${item === undefined ? '' : ` ${item}`}`
  }
}

function* brokenChains(text: string, { chains }: Reference): Generator<string> {
  for (const [whole, vm = '', row] of text.matchAll(CHAIN_ROW)) if (missing(chains, vm, row)) yield whole
  for (const [whole, quoted, plain = '', item] of text.matchAll(CHAIN_HEADING)) {
    const heading = (quoted ?? plain).toLowerCase()
    const key = [...chains.keys()].find((title) => title.startsWith(heading))
    if (key === undefined || missing(chains, key, item)) yield whole
  }
}

function* brokenRest(text: string, { architecture, faults, faultIds }: Reference): Generator<string> {
  for (const [whole, id] of text.matchAll(/\b(F\d{2,3})\b/g)) if (id !== undefined && !faultIds.has(id)) yield whole
  for (const [whole, section = '', step] of text.matchAll(/architecture\.md (\d+)(?:, step (\d+))?/g)) {
    if (missing(architecture, section, step)) yield whole
  }
  for (const [whole, part = ''] of text.matchAll(/faults\.md ([A-G])\b/g)) if (!faults.has(part)) yield whole
  for (const [whole, number] of text.matchAll(/\binvariant (\d+)\b/g))
    if (missing(faults, 'invariants', number)) yield whole
  for (const [whole] of text.matchAll(/\b(?:design|specification)(?:\.md)?,? \d/g)) yield whole
}
