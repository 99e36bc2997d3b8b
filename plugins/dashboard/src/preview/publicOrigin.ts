import type { Deployment, RequestContext } from '@causeway/core/plugin'

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3})(?::\d{1,5})?$/
const loopbackListener = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/**
 * The origin that links in previews begin with: the configured one, or on a listener of the loopback interface the one asked
 * for. A `Host` header of any other kind is somebody's choice and counts for nothing: null.
 */
export const publicOrigin = (
  publicUrl: string | null,
  { listener }: Pick<Deployment, 'listener'>,
  { headers }: Pick<RequestContext, 'headers'>,
): string | null => {
  if (publicUrl !== null) return publicUrl
  const host = headers.host?.toLowerCase() ?? ''
  const asked = `${listener?.tls ? 'https' : 'http'}://${host}`
  const isLocal = listener !== undefined && loopbackListener.test(listener.host) && loopbackHost.test(host)
  return isLocal && URL.canParse(asked) ? new URL(asked).origin : null
}
