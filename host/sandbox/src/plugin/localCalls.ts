import { HttpError, type KeyedCall, type RequestContext } from '@causeway/core/plugin'

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/
const loopbackAddress = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/

/**
 * Lets only pages of this sandbox and programs on this machine call: these operations sign with its accounts. A page of somebody else
 * names itself by `Origin` or `Sec-Fetch-Site`; one whose name was pointed here (DNS rebinding) asks for a host by that name.
 * @throws HttpError 403
 */
export const requireLocal = ({ headers, ip }: KeyedCall): void => {
  const host = headers.host?.toLowerCase() ?? ''
  if (!loopbackAddress.test(ip)) throw new HttpError(403, 'The sandbox answers this machine only')
  if (!loopbackName.test(host))
    throw new HttpError(403, 'The sandbox is asked by another name; open it at http://127.0.0.1 or http://localhost')
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isForeign =
    (origin !== undefined && origin.toLowerCase() !== `http://${host}`) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (isForeign) throw new HttpError(403, 'This call comes from a page of another origin')
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const

/** Whether a page of this machine sent the call, on any port: developers run their application beside the sandbox. */
const isLocalPage = ({ origin, 'sec-fetch-site': site }: KeyedCall['headers']): boolean => {
  // Without an origin the caller is a program, or a page that can read the answer on the same origin alone.
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none'
  const [, host = ''] = /^https?:\/\/(.+)$/.exec(origin.toLowerCase()) ?? []
  return loopbackName.test(host)
}

/** Whether a program or page of this machine sent the call directly. A forwarded call may come from anywhere, even if the proxy is local. */
export const isFromHere = ({ headers, ip }: KeyedCall): boolean =>
  loopbackAddress.test(ip) &&
  loopbackName.test(headers.host?.toLowerCase() ?? '') &&
  FORWARDED.every((name) => headers[name] === undefined) &&
  isLocalPage(headers)

/** What a page without a preflight cannot send. @throws HttpError 415 */
export const requireJson = ({ headers }: Pick<RequestContext, 'headers'>): void => {
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new HttpError(415, 'The content-type must be application/json')
}

/** What all operations of the page have in common. */
export const TRY_ROUTE = {
  tags: ['try'],
  bucket: 'other',
  auth: 'none',
} as const

/** Of an operation that reads. */
export const READS = {
  ...TRY_ROUTE,
  method: 'GET',
  authorize: (_body: unknown, _caller: unknown, ctx: RequestContext): void => requireLocal(ctx),
} as const

/** Of an operation that does something. */
export const ACTS = {
  ...TRY_ROUTE,
  method: 'POST',
  requestHeaders: { 'content-type': '`application/json`, always.' },
  authorize: (_body: unknown, _caller: unknown, ctx: RequestContext): void => {
    requireLocal(ctx)
    requireJson(ctx)
  },
} as const
