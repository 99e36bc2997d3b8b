import { type OpenApiDocument, openApiDocument } from '@causeway/core/host'
import { type Content, ContentSchema, defineRoute, PreparedJson, type Route, reply } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { documentationBeginning } from './documentationBeginning.js'
import { documentationPage, PAGE_POLICY } from './documentationPage.js'
import { pageScript, SCRIPT_NAME } from './documentationScript.js'
import { openReferenceBundle, type ReferenceBundle } from './referenceBundle.js'

const TAGS = [
  { name: 'quotes', description: 'What a transfer costs, and what to sign for it' },
  { name: 'intents', description: 'What became of a request' },
  { name: 'requests', description: 'History' },
  { name: 'transactions', description: 'Transactions that clients report' },
  { name: 'chains', description: 'Chains, routes and health' },
  { name: 'currencies', description: 'Currencies and their prices' },
  { name: 'prices', description: 'Prices of many currencies at once' },
  { name: 'dashboard', description: 'Keys, integrators and wallets, behind a session' },
  { name: 'console', description: 'What operators read and do, behind a session' },
]

const HTML_TYPE = 'text/html'
const SCRIPT_TYPE = 'text/javascript'

/** A short life: the description changes when the host is started with other plugins or another version. */
const DOCUMENT_CACHE = 'public, max-age=300'
const BUNDLE_CACHE = 'public, max-age=31536000, immutable'

const shared = { method: 'GET', tags: ['documentation'], bucket: 'other', auth: 'none', etag: true } as const

/** What a host serves beside its routes. */
export interface ServedBeside {
  /** Whether changes of status are told over a websocket. */
  readonly websocket: boolean
}

const describeRoutes = (routes: readonly Route[], { websocket }: ServedBeside): OpenApiDocument =>
  openApiDocument(routes, {
    title: 'Cross-chain solver',
    version: '1.0.0',
    description: documentationBeginning({ routes, websocket }),
    servers: ['/'],
    tags: [...TAGS, { name: 'documentation', description: 'This description' }],
  })

const pageRoute = (served: ReadonlySet<string>, library: string): Route => {
  const made = new Map<string, Content>()
  return defineRoute({
    ...shared,
    path: '/documentation',
    summary: 'The description of this service for people',
    responses: { 200: ContentSchema(HTML_TYPE) },
    cache: DOCUMENT_CACHE,
    handler: ({ ctx }) => {
      // With a slash at its end the page is one level deeper; a proxy may serve the whole under a path of its own.
      const base = ctx.path.endsWith('/') ? '' : 'documentation/'
      const page = made.get(base) ?? documentationPage({ base, library, served })
      made.set(base, page)
      return reply(page, { headers: { 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' } })
    },
  })
}

const scriptRoute = (): Route => {
  const script = pageScript()
  return defineRoute({
    ...shared,
    path: `/documentation/${SCRIPT_NAME}`,
    summary: 'What shows the description to people, in the appearance they have',
    responses: { 200: ContentSchema(SCRIPT_TYPE) },
    cache: DOCUMENT_CACHE,
    handler: () => script,
  })
}

const bundleRoute = (bundle: ReferenceBundle): Route =>
  defineRoute({
    ...shared,
    path: `/documentation/${bundle.fileName}`,
    summary: 'The script of the page for people',
    responses: { 200: ContentSchema(SCRIPT_TYPE) },
    requestHeaders: { 'accept-encoding': 'Compressed where it has `gzip`' },
    cache: BUNDLE_CACHE,
    handler: ({ ctx }) => bundle.answer(String(ctx.headers['accept-encoding'] ?? '')),
  })

/**
 * The operations that describe `routes` and themselves: for machines at `/documentation/json` (wire.md 0.1), for people at
 * `/documentation`. The description is made when it is first asked for.
 */
export const documentationRoutes = (
  routes: readonly Route[],
  beside: ServedBeside = { websocket: false },
): readonly Route[] => {
  const bundle = openReferenceBundle()
  let document: PreparedJson | undefined
  const own: readonly Route[] = [
    defineRoute({
      ...shared,
      path: '/documentation/json',
      summary: 'The description of this service for machines (OpenAPI 3.1)',
      responses: { 200: Type.Object({ openapi: Type.String() }, { title: 'OpenApi' }) },
      cache: DOCUMENT_CACHE,
      handler: () => {
        document ??= PreparedJson.of(describeRoutes([...routes, ...own], beside))
        return document
      },
    }),
    pageRoute(new Set(routes.map(({ path }) => path)), bundle.fileName),
    scriptRoute(),
    bundleRoute(bundle),
  ]
  return own
}
