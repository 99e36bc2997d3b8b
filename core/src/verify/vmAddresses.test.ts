import { describe, expect, it } from 'vitest'
import { OrderEncodingError } from '../order/orderEncodingError.js'
import type { VerifiableVm } from './verifiableVm.js'
import { VmAddresses } from './vmAddresses.js'

const acme: VerifiableVm = {
  vmType: 'acmevm',
  protocolVmType: 'acme-vm',
  addressCodec: {
    encode: (text) => {
      if (!/^acme[0-9a-z]+$/i.test(text)) throw new OrderEncodingError('No address of Acme')
      return new TextEncoder().encode(text.toLowerCase())
    },
    decode: (bytes) => new TextDecoder().decode(bytes),
  },
  checkDeposit: () => undefined,
}

describe('addresses of the VMs of a quote', () => {
  const addresses = new VmAddresses([acme])

  it('of a VM beyond the nine are read with the codec that its package brings', () => {
    expect(addresses.protocolVmType('acmevm')).toBe('acme-vm')
    expect(addresses.isSame('acme-vm', 'ACME1', 'acme1')).toBe(true)
    expect(addresses.isSame('acme-vm', 'acme1', 'acme2')).toBe(false)
    expect(new VmAddresses([]).isSame('acme-vm', 'acme1', 'acme1')).toBe(false)
  })

  it('of the nine are read without their packages, letter case counting where it does on the chain', () => {
    const mixed = `0x${'aB'.repeat(20)}`
    expect(addresses.isSame(addresses.protocolVmType('evm'), mixed, mixed.toLowerCase())).toBe(true)
    const mint = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
    expect(addresses.isSame(addresses.protocolVmType('svm'), mint, mint)).toBe(true)
    expect(addresses.isSame(addresses.protocolVmType('svm'), mint, mint.replace('T', 't'))).toBe(false)
  })

  it('that are none differ from everything', () => {
    expect(addresses.isSame('acme-vm', 'nothing', 'nothing')).toBe(false)
    expect(addresses.isSame('unknown-vm', 'acme1', 'acme1')).toBe(false)
    expect(addresses.protocolVmType('toString')).toBe('toString')
  })
})
