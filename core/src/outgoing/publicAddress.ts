import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const NAT64_PREFIX = 0x64

/** The IPv4 address that an IPv6 one stands for, where packets to it end there; null for any other. */
const embeddedIpv4 = (address: ipaddr.IPv6): ipaddr.IPv4 | null => {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  // Of NAT64 only the well-known prefix: what lies behind 64:ff9b:1::/48 is each network's own.
  const { parts } = address
  const nat64 = address.range() === 'rfc6052' && parts[0] === NAT64_PREFIX && parts[2] === 0
  return nat64 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null
}

/** Whether an interface identifier hides an IPv4 address (ISATAP). */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => [0, 0x200].includes(parts[4] ?? -1) && parts[5] === 0x5efe

/** In hexadecimal groups only: the parser takes `::8.8.8.8` for the mapped address, which the system does not. */
const plainIpv6 = (text: string): ipaddr.IPv6 => ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))

/**
 * Whether an address belongs to the public internet: none of the private, local, shared, reserved, documentation, benchmark,
 * relay or multicast ranges; for an IPv6 address that stands for an IPv4 one (mapped, NAT64) that one's answer. 6to4, Teredo
 * and ISATAP are never public, nor are addresses with a zone. False for what is no address as DNS answers give it.
 */
export const isPublicAddress = (text: string): boolean => {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text).range() === 'unicast'
  if (isIP(text) !== 6 || text.includes('%')) return false
  const address = plainIpv6(text)
  const inner = embeddedIpv4(address)
  if (inner !== null) return inner.range() === 'unicast'
  // Global unicast is 2000::/3; the library calls unassigned space unicast too.
  const global = ((address.parts[0] ?? 0) & 0xe000) === 0x2000
  return global && address.range() === 'unicast' && !isIsatap(address)
}
