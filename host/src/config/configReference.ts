import type { TSchema } from '@sinclair/typebox'

interface Node extends TSchema {
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly required?: readonly string[]
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const defaultOf = (node: Node, required: boolean): string => {
  if (node.default !== undefined && !isPlainObject(node.default)) return `\`${JSON.stringify(node.default)}\``
  return required && node.default === undefined ? 'required' : ''
}

const row = (path: string, node: Node, required: boolean): string =>
  `| \`${path}\` | ${String(node.description ?? '').replaceAll('|', '\\|')} | ${defaultOf(node, required)} |`

const rowsBelow = (path: string, node: Node): readonly string[] => {
  if (node.items?.properties !== undefined) return rowsBelow(`${path}[]`, node.items)
  const keyed = Object.values(node.patternProperties ?? {})[0]
  if (keyed?.properties !== undefined) return rowsBelow(`${path}.<id>`, keyed)
  return Object.entries(node.properties ?? {}).flatMap(([name, inner]) => {
    const place = path === '' ? name : `${path}.${name}`
    const needed = node.required?.includes(name) === true && node.type === 'object'
    return [row(place, inner, needed), ...rowsBelow(place, inner)]
  })
}

/** The settings of a schema as rows of a table: place, meaning, default. README.md holds exactly these. */
export const configReference = (schema: TSchema): string =>
  // CAST: a schema of objects, lists and plain values; the optional members say which.
  ['| setting | meaning | default |', '| --- | --- | --- |', ...rowsBelow('', schema as Node)].join('\n')
