import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { NotFound } from './shell/NotFound.js'
import { PageFailed } from './shell/PageFailed.js'

/** Each area loads its own script, and shows its views by the rest of the path. */
const rootRoute = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageFailed })

const AREAS = {
  dashboard: () => import('./areas/dashboard/area.js'),
  console: () => import('./areas/console/area.js'),
  try: () => import('./areas/try/area.js'),
} as const

/** `page` is the first word behind the area, `id` the next; either may be missing. */
const routes = Object.entries(AREAS).flatMap(([area, load]) => {
  const component = lazyRouteComponent(load, 'Area')
  const at = (path: string) => createRoute({ getParentRoute: () => rootRoute, path, component })
  return [at(`/${area}`), at(`/${area}/$page`), at(`/${area}/$page/$id`)]
})

const textOfSearch = (search: Readonly<Record<string, unknown>>): string => {
  const values = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
  const text = new URLSearchParams(values.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  // Values of the address are text and stay as they are: read as numbers, long ones would lose digits.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: textOfSearch,
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
