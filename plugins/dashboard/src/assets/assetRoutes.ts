import { readFileSync } from 'node:fs'
import { Content, ContentSchema, defineRoute, HttpError, MessageSchema, type Route, reply } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { ASSET_TYPES, type AssetKind, type BuiltFile, type BuiltPages } from './builtPages.js'

const FOR_EVER = 'public, max-age=31536000, immutable'

const inForm = ({ plain, gzip, brotli }: BuiltFile, acceptEncoding: string) => {
  const vary = { vary: 'accept-encoding', 'x-content-type-options': 'nosniff' }
  if (brotli !== null && /\bbr\b/.test(acceptEncoding))
    return reply(brotli, { headers: { ...vary, 'content-encoding': 'br' } })
  if (gzip !== null && /\bgzip\b/.test(acceptEncoding))
    return reply(gzip, { headers: { ...vary, 'content-encoding': 'gzip' } })
  return reply(plain, { headers: vary })
}

const ICON = new Content('image/svg+xml', readFileSync(new URL('../../icon.svg', import.meta.url)))

const KINDS = Object.keys(ASSET_TYPES) as readonly AssetKind[] // CAST: keys of a constant.

const assetRoute = (pages: BuiltPages, kind: AssetKind): Route =>
  defineRoute({
    method: 'GET',
    path: `/dashboard/assets/${kind}/:file`,
    summary: `What the pages are made of: ${kind}`,
    tags: ['pages'],
    bucket: 'none',
    auth: 'none',
    etag: true,
    cache: FOR_EVER,
    requestHeaders: { 'accept-encoding': 'Compressed where it has `br` or `gzip`' },
    params: Type.Object({ file: Type.String({ maxLength: 200 }) }),
    responses: { 200: ContentSchema(ASSET_TYPES[kind].split(';')[0] ?? ''), 404: MessageSchema },
    handler: ({ params, ctx }) => {
      const file = pages.file(kind, params.file)
      if (file === null) throw new HttpError(404, 'There is no such file; load the page again')
      return inForm(file, String(ctx.headers['accept-encoding'] ?? ''))
    },
  })

const iconRoute = (): Route =>
  defineRoute({
    method: 'GET',
    path: '/dashboard/icon.svg',
    summary: 'The icon of the pages',
    tags: ['pages'],
    bucket: 'none',
    auth: 'none',
    etag: true,
    cache: 'public, max-age=86400',
    responses: { 200: ContentSchema('image/svg+xml') },
    handler: () => ICON,
  })

/** Scripts, styles and fonts of the pages. Their names have their contents' hash, so that they may be kept for ever. */
export const assetRoutes = (pages: BuiltPages): readonly Route[] => [
  ...KINDS.map((kind) => assetRoute(pages, kind)),
  iconRoute(),
]
