import { ContentSchema, defineRoute, type RequestContext, type Route, type TrackedRequest } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { BuiltPages } from '../assets/builtPages.js'
import type { AskedView } from './drawnViews.js'
import { type Area, pagePathsOf } from './pagePaths.js'
import { type DrawnView, type PageFacts, type Preview, shellPage } from './shellPage.js'

export interface PageRoutesDeps {
  readonly pages: BuiltPages
  facts(area: Area): PageFacts
  /** What the id of a link names. */
  find(id: string): Promise<TrackedRequest | null>
  preview(area: Area, found: TrackedRequest | null, ctx: RequestContext): Preview
  /** The first view of an area; null where the browser draws it. */
  draw(area: Area, asked: AskedView): Promise<DrawnView | null>
}

const SUMMARIES: Readonly<Record<Area, string>> = {
  dashboard: 'The dashboard of integrators',
  console: 'The console of operators',
  track: 'Where a transfer is, for whoever has its id',
  try: 'A transfer to try in the sandbox',
}

/** Who brings no such cookie is not signed in, and begins with the form for it; whose cookie has ended is shown that by the page. */
const SESSION = /(^|; ?)(__Host-causeway_session|causeway_sign_in)=/

const firstCallOf = (area: Area, id: string | null, isSignedIn: boolean): string | null => {
  if (area === 'track') return id === null ? null : `/track/api/${encodeURIComponent(id.trim())}`
  return area === 'try' || !isSignedIn ? null : '/dashboard/api/session'
}

const anyText = Type.String({ maxLength: 200 })

/** The parameters that stand in a path, each of them any text: what the page shows for it is the page's to say. */
const paramsOf = (path: string) => {
  const names = [...path.matchAll(/:([a-z]+)/g)].map(([, name = '']) => name)
  return names.length === 0 ? {} : { params: Type.Object(Object.fromEntries(names.map((name) => [name, anyText]))) }
}

const pageRoute = (deps: PageRoutesDeps, area: Area, path: string): Route =>
  defineRoute({
    method: 'GET',
    path,
    summary: SUMMARIES[area],
    tags: ['pages'],
    bucket: 'other',
    auth: 'none',
    requestHeaders: { cookie: 'Of a session: what that opens is loaded early' },
    ...paramsOf(path),
    responses: { 200: ContentSchema('text/html') },
    handler: async ({ params, ctx }) => {
      const named: unknown = Reflect.get(Object(params), 'id')
      const id = typeof named === 'string' ? named : null
      const isSignedIn = SESSION.test(String(ctx.headers.cookie ?? ''))
      const found = area === 'track' && id !== null ? await deps.find(id.trim()) : null
      const drawn = await deps.draw(area, { id: id?.trim() ?? '', found, isSignedIn })
      const firstCall = drawn === null ? firstCallOf(area, id, isSignedIn) : null
      return shellPage(deps.pages, deps.facts(area), deps.preview(area, found, ctx), { isSignedIn, firstCall, drawn })
    },
  })

/** The pages of some areas: each path answers with the same shell, whose script shows the view. */
export const pageRoutes = (deps: PageRoutesDeps, areas: readonly Area[]): readonly Route[] =>
  areas.flatMap((area) => pagePathsOf(area).map((path) => pageRoute(deps, area, path)))
