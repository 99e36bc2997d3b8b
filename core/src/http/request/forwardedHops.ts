import { isIP } from 'node:net'

const MAPPED = '::ffff:'

/** IPv4-mapped IPv6 addresses as IPv4, IPv6 without its zone, so that one client has one address. */
export const plainAddress = (address: string): string => {
  const unzoned = address.replace(/%.*$/, '')
  const plain = unzoned.toLowerCase().startsWith(MAPPED) ? unzoned.slice(MAPPED.length) : unzoned
  return isIP(plain) === 4 ? plain : unzoned
}

/** Some proxies append the port of the connection; IPv6 then stands in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

/** The address of a hop; null when it is no address, such as `unknown`. */
const hopAddress = (text: string): string | null => {
  const [, bracketed, ipv4] = WITH_PORT.exec(text) ?? []
  const address = plainAddress(bracketed ?? ipv4 ?? text)
  return isIP(address) === 0 ? null : address
}

/** Hops of `x-forwarded-for`, the nearest last; null for a hop that cannot be read as one address. */
export const listedHops = (header: string): readonly (string | null)[] =>
  header.split(',').map((hop) => hopAddress(hop.trim()))

const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s;,"]*)\s*([;,]|$)/y

/**
 * Hops of `Forwarded` (RFC 7239), as `listedHops`. A header that breaks the grammar has one unreadable hop: a client can open
 * a quote that swallows the hop of a proxy.
 */
export const forwardedHops = (header: string): readonly (string | null)[] => {
  const pairs = new RegExp(PAIR)
  const hops: (string | null)[] = []
  let hop: string | null = null
  while (pairs.lastIndex < header.length) {
    const found = pairs.exec(header)
    if (found === null) return [null]
    const [, name = '', value = '', end] = found
    if (name.toLowerCase() === 'for') hop = hopAddress(value.replace(/^"(.*)"$/, '$1'))
    if (end === ';') continue
    hops.push(hop)
    hop = null
  }
  return hops
}
