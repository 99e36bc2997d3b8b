import type { Route } from '../route.js'
import { editDistance } from './editDistance.js'

/** Longer paths are no misspelt ones, and would cost time. */
const MAX_PATH = 80
const MAX_EDITS = 4

const segmentsOf = (path: string): readonly string[] => path.toLowerCase().split('/').filter(Boolean)

/** Edits from a path to the template of a route; any text stands in the place of a parameter. */
const editsTo = (asked: readonly string[], template: readonly string[]): number => {
  const filled = template.map((part, at) => (part.startsWith(':') ? (asked[at] ?? part) : part))
  return editDistance(asked.join('/'), filled.join('/'))
}

/** A version that is left out or another one, such as `/quote/v3` for `/quote/v2`, costs less than another word. */
const isVersion = (part: string | undefined): boolean => /^v\d$/.test(part ?? '')
const unversioned = (parts: readonly string[]): readonly string[] =>
  isVersion(parts.at(-1)) ? parts.slice(0, -1) : parts

/** The route whose path is nearest to one that does not exist, as `POST /quote/v2`; null where none is near. */
export const nearestRoute = (path: string, routes: readonly Route[]): string | null => {
  if (path.length > MAX_PATH) return null
  const asked = segmentsOf(path)
  let best: { readonly route: Route; readonly edits: number } | null = null
  for (const route of routes) {
    const template = segmentsOf(route.path)
    const isOtherVersion = unversioned(asked).join('/') === unversioned(template).join('/')
    if (!isOtherVersion && template.length !== asked.length) continue
    const edits = isOtherVersion ? 1 : editsTo(asked, template)
    // At most a third of the path: all short paths are near to each other.
    if (edits > MAX_EDITS || edits * 3 > path.length || (best !== null && best.edits <= edits)) continue
    best = { route, edits }
  }
  return best === null ? null : `${best.route.method} ${best.route.path.replaceAll(/:(\w+)/g, '{$1}')}`
}
