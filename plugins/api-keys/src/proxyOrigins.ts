/** A browser origin whose calls are made with a key of ours. */
export interface ProxyOrigin {
  /** Scheme, host and port as browsers send them. */
  readonly origin: string
  /** Id of the key. */
  readonly key: string
}

/** The `Origin` a browser sends from there; null where no page can be. */
const asBrowsersSend = (text: string): string | null => {
  if (!URL.canParse(text)) return null
  const { protocol, origin, hostname } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && !hostname.includes('*') ? origin : null
}

/**
 * Ids of keys by origin. An origin is compared as text, so one that no browser sends like that would never match.
 * Throws saying what to write in its place.
 */
export const proxyOrigins = (listed: readonly ProxyOrigin[]): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const { origin, key } of listed) {
    const sent = asBrowsersSend(origin)
    if (sent !== origin) {
      const hint = sent === null ? 'Write scheme, host and port, as in "https://app.example".' : `Write "${sent}".`
      throw new Error(`@causeway/plugin-api-keys: "${origin}" in "proxy.origins" is no origin. ${hint}`)
    }
    if (keys.has(origin)) throw new Error(`@causeway/plugin-api-keys: "proxy.origins" has "${origin}" twice.`)
    keys.set(origin, key.toLowerCase())
  }
  return keys
}
