import { DEPLOYMENT, definePlugin, PAGE_EXTENSIONS } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { assetRoutes } from './assets/assetRoutes.js'
import { BuiltPages } from './assets/builtPages.js'
import { checkExtensions, extensionRoute, shownExtensions } from './extensions/extensionRoute.js'
import type { Area } from './pages/pagePaths.js'
import { pageRoutes } from './pages/pageRoutes.js'

const TITLES: Readonly<Record<Area, string>> = {
  dashboard: 'Dashboard',
  console: 'Console',
  track: 'Where is my transfer?',
  try: 'Try a transfer',
}

const options = Type.Object(
  {
    sandbox: Type.Boolean({
      default: false,
      description:
        'Serves /try, where the accounts of a sandbox make transfers. The sandbox sets it; nobody else should.',
    }),
  },
  { additionalProperties: false },
)

/** Pages for people: the dashboard of integrators, the console of operators, where a transfer is, and one to try. */
export default definePlugin({
  name: '@causeway/plugin-dashboard',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [DEPLOYMENT],
  options,
  routes: ({ container, options: { sandbox } }) => {
    const pages = new BuiltPages()
    const { network } = container.resolve(DEPLOYMENT)
    const extensions = container.resolve(PAGE_EXTENSIONS)
    checkExtensions(extensions)
    const areas: readonly Area[] = ['dashboard', 'console', 'track', ...(sandbox ? (['try'] as const) : [])]
    return [
      ...pageRoutes(
        {
          pages,
          facts: (area) => ({
            area,
            network,
            sandbox,
            extensions: shownExtensions(extensions).filter((each) => each.area === area),
          }),
          admit: () => undefined,
          preview: (area) => ({
            title: `${TITLES[area]} · Causeway`,
            description: 'Moves value across chains.',
            image: null,
          }),
        },
        areas,
      ),
      ...assetRoutes(pages),
      extensionRoute(extensions),
    ]
  },
})
