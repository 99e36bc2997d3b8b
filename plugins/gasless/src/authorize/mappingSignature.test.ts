import type { ChainAdapter, ChainConfig } from '@causeway/core/chain'
import { ChainRegistry, type SignatureClaim, type SignatureVerdict } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { requireSignedMapping } from './mappingSignature.js'

const WALLET = `0x${'ab'.repeat(20)}`
const REFUSED: SignatureVerdict = { kind: 'refused', reason: 'No' }

const chainOf = (id: number, agreeing: number) => ({
  // CAST: what is looked at of a chain.
  config: { id, quorum: [{ aboveUsd: '1000', agreeing }], confirmations: { fill: 1 } } as unknown as ChainConfig,
  adapter: {} as ChainAdapter,
})

/** Asks with a signature that is refused, and gives what was asked. */
const asked = async (signatureChainId: number, depositor = WALLET): Promise<readonly SignatureClaim[]> => {
  const claims: SignatureClaim[] = []
  const verify = async (claim: SignatureClaim) => {
    claims.push(claim)
    return REFUSED
  }
  const message = { chain: 'hyperliquid', wallet: WALLET, depositor, id: `0x${'01'.repeat(32)}` as const, nonce: 7 }
  const deps = { signatures: { verify }, chains: new ChainRegistry([chainOf(10, 3)]), domainName: 'RelayNonceMapping' }
  const signed = { message, signatureChainId, signature: `0x${'11'.repeat(64)}` }
  await expect(requireSignedMapping(deps, signed)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  return claims
}

it('a contract vouches by as many providers as the largest amount asks for (faults.md invariant 3)', async () => {
  const claims = await asked(10)
  const ofContract = claims.filter(({ chainIds }) => chainIds !== undefined)
  expect(ofContract.map(({ chainIds, agreeing }) => ({ chainIds, agreeing }))).toEqual([
    { chainIds: [10], agreeing: 3 },
    { chainIds: [10], agreeing: 3 },
  ])
})

it('no chain but that of the signature is asked, and keys are tried before any', async () => {
  const claims = await asked(11)
  expect(claims.map(({ chainIds }) => chainIds)).toEqual([undefined, undefined, [11], [11]])
})

it('a contract gets the bytes as they were sent, a key those of 65 bytes', async () => {
  const [byKey, , ofContract] = await asked(10)
  expect(byKey?.signature).toBe(`0x${'11'.repeat(64)}1b`)
  expect(ofContract?.signature).toBe(`0x${'11'.repeat(64)}`)
})

it('one digest is asked about where the depositor is another than the wallet', async () => {
  const claims = await asked(10, `0x${'cd'.repeat(20)}`)
  expect(claims).toHaveLength(2)
  expect(new Set(claims.map(({ digest }) => digest)).size).toBe(1)
})
