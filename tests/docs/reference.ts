import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packing/packages.js'

/** Where a citation points: a section, and in most of them the numbers of its rows. */
export interface Section {
  readonly title: string
  /** Numbers of the items of its numbered lists. */
  readonly items: ReadonlySet<number>
}

/** The documents of core/docs as what citations may name in them. */
export interface Reference {
  /** By number: `3.1`, `K`, `K.1`. */
  readonly wire: ReadonlyMap<string, Section>
  /** By the first word of a VM's heading (`bvm`), and by the whole heading in small letters. */
  readonly chains: ReadonlyMap<string, Section>
  /** By number: `3`. */
  readonly architecture: ReadonlyMap<string, Section>
  /** By letter: `A`; and `invariants`. */
  readonly faults: ReadonlyMap<string, Section>
  /** Ids of the rows of faults.md: `F42`. */
  readonly faultIds: ReadonlySet<string>
}

export const REFERENCE_FOLDER = join('core', 'docs')

const read = (name: string): string => readFileSync(join(ROOT, REFERENCE_FOLDER, name), 'utf8')

/** Sections of a document by the keys of their headings; what stands under a deeper heading belongs to those above it too. */
const sectionsOf = (text: string, keysOf: (title: string) => readonly string[]): Map<string, Section> => {
  const sections = new Map<string, Section>()
  const open: { readonly depth: number; readonly items: Set<number> }[] = []
  for (const line of text.replaceAll(/```.*?```/gs, '').split('\n')) {
    const heading = /^(#{2,4}) (.+)$/.exec(line)
    if (heading !== null) {
      const [, { length: depth } = '', title = ''] = heading
      while ((open.at(-1)?.depth ?? 0) >= depth) open.pop()
      const items = new Set<number>()
      open.push({ depth, items })
      for (const key of keysOf(title)) sections.set(key, { title, items })
    }
    const item = /^(\d+)\. /.exec(line)
    if (item !== null) for (const { items } of open) items.add(Number(item[1]))
  }
  return sections
}

const numberOf = (title: string): string[] => {
  const [, number] = /^(\d+\.\d+|[A-K]\.\d+|\d+|[A-K])\b\.?/.exec(title) ?? []
  return number === undefined ? [] : [number]
}

const chainKeys = (title: string): string[] => {
  const [, vm] = /^([a-z]+vm|evm) \//.exec(title) ?? []
  return vm === undefined ? [title.toLowerCase()] : [vm]
}

/** Reads the four documents. */
export const readReference = (): Reference => {
  const faults = read('faults.md')
  return {
    wire: sectionsOf(read('wire.md'), numberOf),
    chains: sectionsOf(read('chains.md'), chainKeys),
    architecture: sectionsOf(read('architecture.md'), numberOf),
    faults: sectionsOf(faults, (title) => (title === 'Invariants' ? ['invariants'] : numberOf(title))),
    faultIds: new Set([...faults.matchAll(/^\| (F\d+) +\|/gm)].map(([, id = '']) => id)),
  }
}
