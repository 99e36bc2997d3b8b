import type { Context } from 'koa'
import type { ErrorResponse } from './errorBody.js'
import { entityTag, PreparedJson } from './preparedJson.js'
import { isReply } from './reply.js'
import type { HandlerResult, Route } from './route.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const BODILESS = new Set([204, 205, 304])

const setText = (ctx: Context, status: number, text: string): void => {
  ctx.res.setHeader('content-type', JSON_TYPE)
  ctx.status = status
  ctx.body = text
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
    ctx.status = status
    return
  }
  if (route.etag && status === 200 && route.method === 'GET') {
    const etag = PreparedJson.is(body) ? body.etag : entityTag(text)
    ctx.res.setHeader('etag', etag)
    const known = ctx.req.headers['if-none-match']
    if (known !== undefined && hasVersion(known, etag)) {
      ctx.status = 304
      return
    }
  }
  setText(ctx, status, text)
}

/** Sends an error; never stored by a cache. */
export const sendError = (ctx: Context, answer: ErrorResponse): void => {
  ctx.res.setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(answer.headers)) ctx.res.setHeader(name, value)
  setText(ctx, answer.status, JSON.stringify(answer.body))
}
