import { isIP } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4

const groupsOf = (side: string): string[] => (side === '' ? [] : side.split(':'))

/** The eight groups of an IPv6 address, zeros written out. The last four bytes may be written as IPv4. */
const expanded = (address: string): readonly number[] => {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const pair = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)
    return `${pair(a, b)}:${pair(c, d)}`
  })
  const [head = '', tail] = hex.split('::')
  const first = groupsOf(head)
  const last = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16))
}

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff

/**
 * What of a client's address is counted together: an IPv4 address by itself, IPv6 by its /64, of which one client usually has
 * all. IPv4 in IPv6 clothing is IPv4.
 */
export const clientNetwork = (address: string): string => {
  if (isIP(address) !== 6) return address
  const groups = expanded(address.replace(/%.*$/, ''))
  if (isMapped(groups)) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
