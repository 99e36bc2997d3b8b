import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const MAPPED = '::ffff:'

/** IPv4 in IPv6 clothing as plain IPv4, so that one client has one address. */
const plainAddress = (address: string): string => {
  const plain = address.toLowerCase().startsWith(MAPPED) ? address.slice(MAPPED.length) : address
  return isIP(plain) === 4 ? plain : address
}

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

/**
 * Makes the function that tells a client's address. `x-forwarded-for` counts only when the connection comes from a
 * listed proxy (addresses or CIDR ranges), and is read from its end: the first hop that is not a listed proxy is the
 * client, so a client cannot choose its own address. Throws on a malformed list.
 */
export const clientAddressReader = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trusted = listOf(trustedProxies)
  const isTrusted = (address: string): boolean => trusted.check(address, familyOf(address))
  return (request) => {
    let client = plainAddress(request.socket.remoteAddress ?? '')
    const forwarded = request.headers['x-forwarded-for']
    if (trustedProxies.length === 0 || forwarded === undefined || client === '' || !isTrusted(client)) return client
    const hops = String(forwarded).split(',')
    for (let at = hops.length - 1; at >= 0; at--) {
      const hop = plainAddress((hops[at] ?? '').trim())
      if (isIP(hop) === 0) return client
      client = hop
      if (!isTrusted(hop)) return client
    }
    return client
  }
}
