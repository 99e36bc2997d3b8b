import type { Context } from 'koa'
import type { ErrorResponse } from './errorBody.js'
import { PreparedJson } from './preparedJson.js'
import { isReply } from './reply.js'
import { Content } from './request/content.js'
import type { HandlerResult, Route } from './route.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const BODILESS = new Set([204, 205, 304])

/** Writes the answer itself: Koa's own way looks at body and headers several times more. */
const send = (ctx: Context, status: number, body: string | Content | undefined): void => {
  const { res } = ctx
  ctx.respond = false
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  if (body === undefined) {
    res.end()
    return
  }
  const [type, bytes] = typeof body === 'string' ? [JSON_TYPE, body] : [body.type, body.bytes]
  res.setHeader('content-type', type)
  res.setHeader('content-length', Buffer.byteLength(bytes))
  if (ctx.req.method === 'HEAD') res.end()
  else res.end(bytes)
}

const hasVersion = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')

/** Sends what a handler returned, with the route's caching rules. Throws when a body cannot be written as JSON. */
export const sendResult = (ctx: Context, route: Route, result: HandlerResult): void => {
  const { status, body, headers } = isReply(result) ? result : { status: 200, body: result, headers: {} }
  const ready = PreparedJson.is(body) || Content.is(body) ? body : PreparedJson.of(body)
  ctx.res.setHeader('cache-control', status < 300 ? (route.cache ?? 'no-store') : 'no-store')
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  if (BODILESS.has(status)) {
    send(ctx, status, undefined)
    return
  }
  if (route.etag && status === 200 && route.method === 'GET') {
    const { etag } = ready
    ctx.res.setHeader('etag', etag)
    const known = ctx.req.headers['if-none-match']
    if (known !== undefined && hasVersion(known, etag)) {
      send(ctx, 304, undefined)
      return
    }
  }
  send(ctx, status, Content.is(ready) ? ready : ready.text)
}

/** Sends an error; never stored by a cache. */
export const sendError = (ctx: Context, answer: ErrorResponse): void => {
  ctx.res.setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(answer.headers)) ctx.res.setHeader(name, value)
  send(ctx, answer.status, JSON.stringify(answer.body))
}
