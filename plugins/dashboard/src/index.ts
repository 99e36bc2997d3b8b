import { CLOCK } from '@causeway/core'
import {
  CHAINS,
  DEPLOYMENT,
  definePlugin,
  LOGGER,
  PAGE_EXTENSIONS,
  TRACKED_REQUESTS,
  TRANSFER_ANSWERS,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { assetRoutes } from './assets/assetRoutes.js'
import { BuiltPages } from './assets/builtPages.js'
import { checkExtensions, extensionRoute, shownExtensions } from './extensions/extensionRoute.js'
import { DrawnViews } from './pages/drawnViews.js'
import type { Area } from './pages/pagePaths.js'
import { pageRoutes } from './pages/pageRoutes.js'
import { rootRoute } from './pages/rootRoute.js'
import type { PageFacts } from './pages/shellPage.js'
import { pictureRoute } from './preview/pictureRoute.js'
import { rendererToInstall } from './preview/previewPicture.js'
import { TrackPreviews } from './preview/trackPreviews.js'

const TITLES: Readonly<Record<Area, string>> = {
  dashboard: 'Dashboard',
  console: 'Console',
  track: 'Where is my transfer?',
  try: 'Try a transfer',
}

const options = Type.Object(
  {
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description:
          'Address under which people reach this deployment, for pictures of shared links. Without it only a host on the loopback interface has them. They need the packages @resvg/resvg-js and @expo-google-fonts/inter.',
      }),
    ),
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
  requires: [DEPLOYMENT, TRACKED_REQUESTS, CHAINS, CLOCK],
  options,
  routes: ({ container, options: { sandbox, publicUrl } }) => {
    const pages = new BuiltPages()
    const deployment = container.resolve(DEPLOYMENT)
    const { network } = deployment
    const tracked = container.resolve(TRACKED_REQUESTS)
    const toInstall = rendererToInstall()
    const previews = new TrackPreviews({
      tracked,
      chains: container.resolve(CHAINS),
      clock: container.resolve(CLOCK),
      deployment,
      publicUrl: publicUrl === undefined ? null : new URL(publicUrl).origin,
      draws: toInstall === null,
    })
    if (publicUrl !== undefined && toInstall !== null) {
      container.resolve(LOGGER).warn(`Shared links have no pictures. Run: ${toInstall}`)
    }
    const extensions = container.resolve(PAGE_EXTENSIONS)
    checkExtensions(extensions)
    const areas: readonly Area[] = ['dashboard', 'console', 'track', ...(sandbox ? (['try'] as const) : [])]
    const facts = (area: Area): PageFacts => ({
      area,
      network,
      sandbox,
      extensions: shownExtensions(extensions).filter((each) => each.area === area),
    })
    const views = new DrawnViews({
      transfers: container.isRegistered(TRANSFER_ANSWERS, true) ? container.resolve(TRANSFER_ANSWERS) : null,
      clock: container.resolve(CLOCK),
      log: container.resolve(LOGGER),
      facts,
    })
    return [
      rootRoute(sandbox ? '/try' : '/dashboard'),
      ...pageRoutes(
        {
          pages,
          facts,
          find: (id) => tracked.find(id),
          draw: (area, asked) => views.draw(area, asked),
          preview: (area, found, ctx) =>
            area === 'track'
              ? previews.preview(found, ctx)
              : { title: `${TITLES[area]} · Causeway`, description: 'Moves value across chains.', image: null },
        },
        areas,
      ),
      pictureRoute(previews),
      ...assetRoutes(pages),
      extensionRoute(extensions),
    ]
  },
})
