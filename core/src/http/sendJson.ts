import type { Context } from 'koa'
import type { ErrorResponse } from './errorBody.js'
import { entityTag, PreparedJson } from './preparedJson.js'
import { isReply } from './reply.js'
import type { HandlerResult, Route } from './route.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const BODILESS = new Set([204, 205, 304])

/** Writes the answer itself: Koa's own way looks at body and headers several times more. */
const send = (ctx: Context, status: number, text: string | undefined): void => {
  const { res } = ctx
  ctx.respond = false
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  if (text === undefined) {
    res.end()
    return
  }
  res.setHeader('content-type', JSON_TYPE)
  res.setHeader('content-length', Buffer.byteLength(text))
  if (ctx.req.method === 'HEAD') res.end()
  else res.end(text)
}

const hasVersion = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')

/** Sends what a handler returned, with the route's caching rules. Throws when the body cannot be written as JSON. */
export const sendResult = (ctx: Context, route: Route, result: HandlerResult): void => {
  const { status, body, headers } = isReply(result) ? result : { status: 200, body: result, headers: {} }
  const text = PreparedJson.is(body) ? body.text : JSON.stringify(body)
  ctx.res.setHeader('cache-control', status < 300 ? (route.cache ?? 'no-store') : 'no-store')
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  if (BODILESS.has(status)) {
    send(ctx, status, undefined)
    return
  }
  if (route.etag && status === 200 && route.method === 'GET') {
    const etag = PreparedJson.is(body) ? body.etag : entityTag(text)
    ctx.res.setHeader('etag', etag)
    const known = ctx.req.headers['if-none-match']
    if (known !== undefined && hasVersion(known, etag)) {
      send(ctx, 304, undefined)
      return
    }
  }
  send(ctx, status, text)
}

/** Sends an error; never stored by a cache. */
export const sendError = (ctx: Context, answer: ErrorResponse): void => {
  ctx.res.setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(answer.headers)) ctx.res.setHeader(name, value)
  send(ctx, answer.status, JSON.stringify(answer.body))
}
