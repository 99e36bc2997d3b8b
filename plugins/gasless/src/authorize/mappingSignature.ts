import { ServiceError } from '@causeway/core'
import {
  accountForm,
  type NonceMappingMessage,
  type NonceMappingVersion,
  nonceMappingDigest,
} from '@causeway/core/chain'
import type { WalletSignatures } from '@causeway/core/plugin'

export interface MappingSignatureDeps {
  readonly signatures: WalletSignatures
  /** Of the domain that quotes have signed. */
  readonly domainName: string
}

export interface SignedMapping {
  readonly message: NonceMappingMessage
  readonly signatureChainId: number
  /** As a stranger sent it. */
  readonly signature: string
}

/** Version 1 does not say whose money is moved: it counts only where that is the wallet's own. */
const versionsOf = ({ wallet, depositor }: NonceMappingMessage): readonly NonceMappingVersion[] =>
  depositor.toLowerCase() === wallet.toLowerCase() ? ['2', '1'] : ['2']

/**
 * Requires that the wallet signed a mapping, in version 2, or in version 1 where `depositor` is the wallet. By its key (65 bytes, or 64 of
 * EIP-2098, `s` in its lower half), or by the contract at its address on the chain of the signature, where that is configured: an order is
 * paid by whose transfer it is, so as many providers must say so as for the largest amount (faults.md invariant 3).
 * @throws ServiceError INVALID_REQUEST where it did not; 503 where the chain of the signature cannot be asked
 */
export const requireSignedMapping = async (deps: MappingSignatureDeps, signed: SignedMapping): Promise<void> => {
  const { message, signatureChainId, signature } = signed
  const { wallet } = message
  const digests = versionsOf(message).map((version) =>
    nonceMappingDigest(message, { name: deps.domainName, signatureChainId, version }),
  )
  for (const digest of digests) {
    const byKey = await deps.signatures.verify({ wallet, digest, signature: accountForm(signature) })
    if (byKey.kind === 'account') return
  }
  const reasons: string[] = []
  for (const digest of digests) {
    const verdict = await deps.signatures.verify({ wallet, digest, signature, chainIds: [signatureChainId] })
    if (verdict.kind !== 'refused') return
    reasons.push(verdict.reason)
  }
  throw new ServiceError(
    'INVALID_REQUEST',
    `query.signature is not the wallet's for this body. ${reasons[0]}. Sign the step of the quote exactly as it was given.`,
  )
}
