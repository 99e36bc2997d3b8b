import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { forwardedHops, listedHops, plainAddress } from './forwardedHops.js'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const listOf = (proxies: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    const bits = prefix === undefined ? undefined : Number(prefix)
    const most = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || (bits !== undefined && !(Number.isInteger(bits) && bits >= 0 && bits <= most))) {
      throw new Error(`Trusted proxy ${JSON.stringify(proxy)} is neither an address nor address/bits`)
    }
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, bits, familyOf(address))
  }
  return list
}

/** Whether an address, in whatever clothing, is one of these proxies. Throws on a malformed list. */
export const proxyMatcher = (proxies: readonly string[]): ((address: string) => boolean) => {
  const list = listOf(proxies)
  return (address) => {
    const plain = plainAddress(address)
    return proxies.length > 0 && list.check(plain, familyOf(plain))
  }
}

/** Headers by which proxies name the client, and how each lists its hops. */
const HEADERS = [
  ['x-forwarded-for', listedHops],
  ['forwarded', forwardedHops],
] as const

interface FoundClient {
  readonly address: string
  /** False when a hop cannot be read: the address is that of the proxy which sent it. */
  readonly certain: boolean
}

/**
 * Makes the function that returns a client's address. `x-forwarded-for` and `Forwarded` count only when the connection comes from
 * a listed proxy (addresses or CIDR ranges), and are read from their end: the first hop that is not a listed proxy is the
 * client, so a client cannot choose its own address. The proxy's own address counts when a hop cannot be read, or when
 * the two headers name different clients; `onUnread` is called the first time. Throws on a malformed list.
 */
export const clientAddressReader = (
  trustedProxies: readonly string[],
  onUnread?: () => void,
): ((request: IncomingMessage) => string) => {
  const isTrusted = proxyMatcher(trustedProxies)
  let reported = false
  const report = () => {
    if (!reported) onUnread?.()
    reported = true
  }
  const clientOf = (hops: readonly (string | null)[], proxy: string): FoundClient => {
    let address = proxy
    for (const hop of hops.toReversed()) {
      if (hop === null) return { address, certain: false }
      address = hop
      if (!isTrusted(hop)) break
    }
    return { address, certain: true }
  }
  return ({ socket, headers }) => {
    const proxy = plainAddress(socket.remoteAddress ?? '')
    if (trustedProxies.length === 0 || proxy === '' || !isTrusted(proxy)) return proxy
    const found = HEADERS.flatMap(([name, hopsOf]) => {
      const header = headers[name]
      return header === undefined ? [] : [clientOf(hopsOf(String(header)), proxy)]
    })
    const [first = { address: proxy, certain: true }, second = first] = found
    const agreed = first.address === second.address
    if (!agreed || !first.certain || !second.certain) report()
    return agreed ? first.address : proxy
  }
}
