import { type Deployment, HttpError, type RequestContext } from '@causeway/core/plugin'

export interface OwnAddressDeps {
  /** Null: read from each call. */
  readonly publicUrl: string | null
  readonly deployment: Deployment
}

type Arrival = Pick<RequestContext, 'headers' | 'listener'>

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3})(?::\d{1,5})?$/
const loopbackListener = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/**
 * The origin under which people reach this deployment: the configured one, or on a listener of the loopback interface the
 * one asked for. A `Host` header of any other kind is somebody's choice and counts for nothing. Throws `HttpError` 403.
 */
export const ownOrigin = (deps: OwnAddressDeps, { headers, listener: name }: Arrival): string => {
  const { publicUrl, listener, option } = placeOf(deps, name)
  if (publicUrl !== null) return publicUrl
  const host = headers.host?.toLowerCase() ?? ''
  const asked = `${listener?.tls ? 'https' : 'http'}://${host}`
  const local = listener !== undefined && loopbackListener.test(listener.host) && loopbackHost.test(host)
  if (!local || !URL.canParse(asked)) {
    throw new HttpError(403, `Nobody can sign in here until the operator sets ${option}`)
  }
  return new URL(asked).origin
}

/** The console's own listener is reached under an address of its own. */
const placeOf = ({ publicUrl, deployment }: OwnAddressDeps, name: Arrival['listener']) => {
  const { listener, consoleListener } = deployment
  return name === 'console' && consoleListener !== undefined
    ? { publicUrl: consoleListener.publicUrl, listener: consoleListener, option: 'http.console.publicUrl' }
    : { publicUrl, listener, option: 'the option dashboard.publicUrl' }
}

/** Refuses a call that a browser makes for a page of somebody else. Throws `HttpError` 403. */
export const refuseForeignPage = (deps: OwnAddressDeps, { headers, listener }: Arrival): void => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const foreign =
    (origin !== undefined && origin.toLowerCase() !== ownOrigin(deps, { headers, listener })) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (foreign) throw new HttpError(403, 'This call comes from a page of another origin')
}
