import { type Deployment, HttpError, type RequestContext } from '@causeway/core/plugin'

export interface OwnAddressDeps {
  /** Null: read from each call. */
  readonly publicUrl: string | null
  readonly deployment: Deployment
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3})(?::\d{1,5})?$/
const loopbackListener = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/**
 * The origin under which people reach this deployment: the configured one, or on a listener of the loopback interface the
 * one asked for. A `Host` header of any other kind is somebody's choice and counts for nothing. Throws `HttpError` 403.
 */
export const ownOrigin = (
  { publicUrl, deployment }: OwnAddressDeps,
  { headers }: Pick<RequestContext, 'headers'>,
): string => {
  if (publicUrl !== null) return publicUrl
  const { listener } = deployment
  const host = headers.host?.toLowerCase() ?? ''
  const asked = `${listener?.tls ? 'https' : 'http'}://${host}`
  const local = listener !== undefined && loopbackListener.test(listener.host) && loopbackHost.test(host)
  if (!local || !URL.canParse(asked)) {
    throw new HttpError(403, 'Nobody can sign in here until the operator sets the option dashboard.publicUrl')
  }
  return new URL(asked).origin
}

/** Refuses a call that a browser makes for a page of somebody else. Throws `HttpError` 403. */
export const refuseForeignPage = (deps: OwnAddressDeps, { headers }: Pick<RequestContext, 'headers'>): void => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && origin.toLowerCase() !== ownOrigin(deps, { headers })) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (foreign) throw new HttpError(403, 'This call comes from a page of another origin')
}
