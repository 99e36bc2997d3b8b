import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { NONCE_MAPPING_DOMAIN, nonceMappingDigest, nonceMappingTypedData } from './nonceMappingMessage.js'

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString('hex')}` as const)

const messages = fc.record({
  chain: fc.string({ minLength: 1, maxLength: 40 }),
  wallet: hex(20),
  depositor: hex(20),
  id: hex(32),
  nonce: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
})

const domains = fc.record({
  name: fc.string({ minLength: 1, maxLength: 40 }),
  signatureChainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  version: fc.constantFrom('1' as const, '2' as const),
})

describe('nonce mappings (wire.md 2.8)', () => {
  it('what wallets sign for the typed data is the digest, in both versions', () => {
    fc.assert(
      fc.property(messages, domains, (message, domain) => {
        const { value, types, ...rest } = nonceMappingTypedData(message, domain)
        // CAST: a client reads them from JSON, without their literal types.
        const signed = { ...rest, types: { ...types }, message: value } as unknown as Parameters<
          typeof hashTypedData
        >[0]
        expect(nonceMappingDigest(message, domain)).toBe(hashTypedData(signed))
      }),
    )
  })

  it('are signed as documented: domain, type and value of version 2', () => {
    const message = {
      chain: 'hyperliquid',
      wallet: `0x${'11'.repeat(20)}`,
      depositor: `0x${'22'.repeat(20)}`,
      id: `0x${'33'.repeat(32)}` as const,
      nonce: 1_748_000_000_000,
    }
    const domain = { name: NONCE_MAPPING_DOMAIN, signatureChainId: 8453, version: '2' } as const
    expect(nonceMappingTypedData(message, domain)).toEqual({
      domain: {
        name: 'RelayNonceMapping',
        version: '2',
        chainId: 8453,
        verifyingContract: '0x0000000000000000000000000000000000000000',
      },
      types: {
        NonceMapping: [
          { name: 'chainId', type: 'string' },
          { name: 'wallet', type: 'address' },
          { name: 'depositor', type: 'address' },
          { name: 'id', type: 'bytes32' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      primaryType: 'NonceMapping',
      value: {
        chainId: 'hyperliquid',
        wallet: message.wallet,
        depositor: message.depositor,
        id: message.id,
        nonce: message.nonce,
      },
    })
    expect(nonceMappingTypedData(message, { ...domain, version: '1' }).value).not.toHaveProperty('depositor')
  })

  it('every field changes what is signed, the depositor in version 2 alone', () => {
    const message = { chain: 'a', wallet: `0x${'11'.repeat(20)}`, depositor: `0x${'22'.repeat(20)}`, nonce: 7 }
    const signed = { ...message, id: `0x${'33'.repeat(32)}` as const }
    const domain = { name: 'n', signatureChainId: 1, version: '2' } as const
    const changes = [
      { chain: 'b' },
      { wallet: `0x${'12'.repeat(20)}` },
      { id: `0x${'34'.repeat(32)}` as const },
      { nonce: 8 },
    ]
    const other = { depositor: `0x${'23'.repeat(20)}` }
    const digests = [
      ...[{}, ...changes, other].map((change) => nonceMappingDigest({ ...signed, ...change }, domain)),
      ...[{ name: 'm' }, { signatureChainId: 2 }, { version: '1' as const }].map((change) =>
        nonceMappingDigest(signed, { ...domain, ...change }),
      ),
    ]
    expect(new Set(digests).size).toBe(9)
    const first = { ...domain, version: '1' } as const
    expect(nonceMappingDigest({ ...signed, ...other }, first)).toBe(nonceMappingDigest(signed, first))
  })
})
