import { Content, ContentSchema, defineRoute, HttpError, MessageSchema, type Route, reply } from '@causeway/core/plugin'

/** Whether a browser asks, for somebody to look at; a client of the API takes JSON or anything. */
const wantsPage = (accept: string | undefined): boolean => /\btext\/html\b/i.test(accept ?? '')

/** Leads whoever opens the address of the service to the first page; to all else there is nothing here. */
export const rootRoute = (firstPage: string): Route => {
  const page = Content.html(`<!doctype html><title>Causeway</title><a href="${firstPage}">${firstPage}</a>\n`)
  return defineRoute({
    method: 'GET',
    path: '/',
    summary: 'Leads a browser to the first page',
    tags: ['pages'],
    bucket: 'other',
    auth: 'none',
    requestHeaders: { accept: 'Of a browser, which has `text/html`: it is led on, all others are told 404' },
    responses: { 302: ContentSchema('text/html'), 404: MessageSchema },
    handler: ({ ctx }) => {
      if (!wantsPage(ctx.headers.accept)) throw new HttpError(404, 'There is no such path')
      return reply(page, { status: 302, headers: { location: firstPage, vary: 'accept' } })
    },
  })
}
