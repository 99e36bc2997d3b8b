import { type Deployment, HttpError, loopbackOrigin, type RequestContext } from '@causeway/core/plugin'

export interface OwnAddressDeps {
  /** Null: read from each call. */
  readonly publicUrl: string | null
  readonly deployment: Deployment
}

type Arrival = Pick<RequestContext, 'headers' | 'listener'>

/**
 * The origin under which people reach this deployment: the configured one, or on a listener of the loopback interface the
 * one asked for. Throws `HttpError` 403.
 */
export const ownOrigin = (deps: OwnAddressDeps, { headers, listener: name }: Arrival): string => {
  const { publicUrl, listener, option } = placeOf(deps, name)
  if (publicUrl !== null) return publicUrl
  const asked = loopbackOrigin(listener, headers)
  if (asked === null) throw new HttpError(403, `Nobody can sign in here until the operator sets ${option}`)
  return asked
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
