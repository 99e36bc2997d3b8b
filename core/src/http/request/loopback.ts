import type { IncomingHttpHeaders } from 'node:http'

/** Whether a name or address, without a port, is one by which nobody but this machine is reached. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host)

const HOST = /^(localhost|127(?:\.\d{1,3}){3})(?::\d{1,5})?$/

/**
 * The origin that a call asked for, where the listener is of the loopback interface and the `Host` header names it as such; null
 * elsewhere, since a `Host` header of any other kind is somebody's choice and counts for nothing.
 */
export const loopbackOrigin = (
  listener: { readonly host: string; readonly tls: boolean } | undefined,
  { host: asked }: Pick<IncomingHttpHeaders, 'host'>,
): string | null => {
  const host = asked?.toLowerCase() ?? ''
  if (listener === undefined || !isLoopback(listener.host) || !HOST.test(host)) return null
  const origin = `${listener.tls ? 'https' : 'http'}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : null
}
