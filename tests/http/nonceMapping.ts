import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { type NonceMappingDomain, nonceMappingTypedData } from '@causeway/core/chain'
import type { PrivateKeyAccount } from 'viem/accounts'

/** The chain of wire.md 2.8. */
export const HYPERLIQUID = 1337

/** Options of plugin-gasless by which its nonces are mapped, although no host of the tests serves it. */
export const MAPPED = { nonceMapping: { chains: [{ walletChainId: HYPERLIQUID, slug: 'hyperliquid' }] } }
const NAME = 'RelayNonceMapping'

/** A body of `POST /authorize` of a wallet connected to a chain. */
export const mappingBody = (wallet: string, signatureChainId: number) => ({
  type: 'nonce-mapping' as const,
  walletChainId: HYPERLIQUID,
  wallet,
  depositor: wallet,
  nonce: Date.now(),
  id: `0x${randomBytes(32).toString('hex')}` as Hex,
  signatureChainId,
})

export type MappingBody = ReturnType<typeof mappingBody>

/** What the step of a quote has signed. */
export const signOf = (
  { wallet, depositor, nonce, id, signatureChainId }: MappingBody,
  domain: Partial<NonceMappingDomain> = {},
) =>
  nonceMappingTypedData(
    { chain: 'hyperliquid', wallet, depositor, nonce, id },
    { name: NAME, version: '2', signatureChainId, ...domain },
  )

/** Signs a body by a key: of the wallet, or of who owns the contract that the wallet is. */
export const signMapping = (
  by: PrivateKeyAccount,
  body: MappingBody,
  domain: Partial<NonceMappingDomain> = {},
): Promise<Hex> => {
  const { value, types, ...rest } = signOf(body, domain)
  // CAST: a client reads them from JSON, without their literal types.
  return by.signTypedData({ ...rest, types: { ...types }, message: value } as unknown as Parameters<
    typeof by.signTypedData
  >[0])
}
