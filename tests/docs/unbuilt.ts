/** An operation of wire.md 0.6, and whether the document calls it built. */
export interface ListedOperation {
  readonly path: string
  readonly built: boolean
}

/** Paths of a list such as `GET /intents/status, /v2, /v3`, where a part may be behind the first path or a path of its own. */
const pathsOf = (list: string, served: ReadonlySet<string>): readonly string[] => {
  const [first = '', ...others] = list.split(/,\s+/)
  return [
    first,
    ...others.map((part) => part.replace('...', '')).map((part) => (served.has(part) ? part : `${first}${part}`)),
  ]
}

/** `{id}` of the document is `:id` of a route. */
const asRoute = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':')

/** The rows of the operation matrix. `served`: paths of routes, each parameter written as `:`. */
export const listedOperations = (wire: string, served: ReadonlySet<string>): readonly ListedOperation[] => {
  const [, matrix = ''] = /\n### 0\.6 (.*?)\n## 1\. /s.exec(wire) ?? []
  return [...matrix.matchAll(/^\| (?:GET|POST) (\/[^|]*?)( \(not built\))? \|/gm)].flatMap(([, list = '', missing]) =>
    pathsOf(asRoute(list), served).map((path) => ({ path, built: missing === undefined })),
  )
}

/** Paths of the tables of sections that begin with "Not built yet". */
export const pathsOfUnbuiltSections = (wire: string): readonly string[] =>
  [...wire.matchAll(/\n### [^\n]*\n\nNot built yet(.*?)(?=\n##)/gs)].flatMap(([section]) =>
    [...section.matchAll(/(?:GET|POST) (\/[\w/{}-]+)/g)].map(([, path = '']) => asRoute(path)),
  )

/** Paths that routes are declared with in a source, each parameter written as `:`. */
export const routePathsIn = (source: string): readonly string[] =>
  [...source.matchAll(/['"`](\/[a-z][\w/:-]*)['"`]/g)].map(([, path = '']) => path.replaceAll(/:\w+/g, ':'))
