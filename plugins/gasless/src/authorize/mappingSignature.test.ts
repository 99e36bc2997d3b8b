import type { SignatureClaim, SignatureVerdict } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { requireSignedMapping } from './mappingSignature.js'

const WALLET = `0x${'ab'.repeat(20)}`
const REFUSED: SignatureVerdict = { kind: 'refused', reason: 'No' }

/** Asks with a signature that is refused, and gives what was asked. */
const asked = async (signatureChainId: number, depositor = WALLET): Promise<readonly SignatureClaim[]> => {
  const claims: SignatureClaim[] = []
  const verify = async (claim: SignatureClaim) => {
    claims.push(claim)
    return REFUSED
  }
  const message = { chain: 'hyperliquid', wallet: WALLET, depositor, id: `0x${'01'.repeat(32)}` as const, nonce: 7 }
  const deps = { signatures: { verify }, domainName: 'RelayNonceMapping' }
  const signed = { message, signatureChainId, signature: `0x${'11'.repeat(64)}` }
  await expect(requireSignedMapping(deps, signed)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  return claims
}

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
