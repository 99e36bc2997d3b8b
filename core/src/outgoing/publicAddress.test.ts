import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './publicAddress.js'

describe('addresses that requests to user-given URLs may reach (wire.md H.4)', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    ['this host', ['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '::', '::1', '0:0:0:0:0:0:0:1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1']],
    ['link', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
    ['shared and special', ['100.64.0.1', '192.0.0.170', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1']],
    ['multicast, reserved', ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', 'ff02::1', '192.88.99.1']],
    ['IPv4 mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254']],
    ['IPv4 compatible', ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1']],
    ['NAT64', ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '64:ff9b:1:2::8.8.8.8']],
    ['6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1']],
    ['Teredo', ['2001::1', '2001:0:53aa:64c::1']],
    ['ISATAP', ['2606:4700::5efe:7f00:1', '2606:4700::200:5efe:a00:1']],
    ['not assigned', ['4000::1', '5f00::1', '100::1', '2001:db8::1', '3fff::1', '2001:2::1', '2001:20::1']],
    ['no address', ['', 'localhost', 'example.com', '1.2.3.4:80', '1.2.3.4/8', '[::1]', '999.1.1.1', '%']],
  ])('%s is not', (_, addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
  })

  it('odd spellings of an address count as that address', () => {
    for (const address of ['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '017700000001', '0x7f000001'])
      expect([address, isPublicAddress(address)]).toEqual([address, false])
  })
})
