import {
  Content,
  ContentSchema,
  defineRoute,
  HttpError,
  MessageSchema,
  type PageExtension,
  type Route,
  reply,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { ShownExtension } from '../pages/shellPage.js'

const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const PATH = '/dashboard/assets/extensions'

/** Two plugins added the same page, or one with an id that is no part of an address. */
export class PageExtensionError extends Error {
  override readonly name = 'PageExtensionError'
}

/** Holds what plugins added against each other. @throws PageExtensionError */
export const checkExtensions = (extensions: readonly PageExtension[]): void => {
  const seen = new Set<string>()
  for (const { id, title } of extensions) {
    if (!ID.test(id) || id.length > 60)
      throw new PageExtensionError(`"${id}" is no id of a page; use small letters, digits and hyphens.`)
    if (title.trim() === '' || title.length > 60)
      throw new PageExtensionError(`The page "${id}" needs a title of at most 60 characters.`)
    if (seen.has(id)) throw new PageExtensionError(`Two plugins add a page "${id}".`)
    seen.add(id)
  }
}

/** What the pages are told of them. */
export const shownExtensions = (extensions: readonly PageExtension[]): readonly ShownExtension[] =>
  extensions.map(({ id, title, area, place }) => ({ id, title, area, place, script: `${PATH}/${id}.js` }))

/** The scripts of the pages that plugins add. */
export const extensionRoute = (extensions: readonly PageExtension[]): Route => {
  const scripts = new Map(
    extensions.map(({ id, module }) => [
      `${id}.js`,
      new Content('text/javascript; charset=utf-8', Buffer.from(module)),
    ]),
  )
  return defineRoute({
    method: 'GET',
    path: `${PATH}/:file`,
    summary: 'The script of a page that a plugin adds',
    tags: ['pages'],
    bucket: 'none',
    auth: 'none',
    etag: true,
    cache: 'public, max-age=60',
    params: Type.Object({ file: Type.String({ maxLength: 80 }) }),
    responses: { 200: ContentSchema('text/javascript'), 404: MessageSchema },
    handler: ({ params }) => {
      const script = scripts.get(params.file)
      if (script === undefined) throw new HttpError(404, 'No plugin adds such a page')
      return reply(script, { headers: { 'x-content-type-options': 'nosniff' } })
    },
  })
}
