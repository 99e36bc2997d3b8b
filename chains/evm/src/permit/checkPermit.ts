import { type Hex, ServiceError } from '@causeway/core'
import {
  accountForm,
  type ContractWallets,
  MAX_SIGNATURE_BYTES,
  type PermitForm,
  recoverAddress,
} from '@causeway/core/chain'
import { hashTypedData, hexToBytes, keccak256 } from 'viem/utils'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { unwrapSignature } from '../wallet/unwrapSignature.js'

/** A signature that cannot bring a deposit in, said to who sent it. */
export class PermitFailedError extends ServiceError {
  override readonly name = 'PermitFailedError'

  constructor(why: string) {
    super('PERMIT_FAILED', why)
  }
}

const bytes = /^0x(?:[0-9a-f]{2})+$/

/** Digest of what was to be signed (EIP-712). */
export const permitDigest = ({ sign }: PermitForm): Hex =>
  hashTypedData({
    // CAST: made by `permitForm`, and stored as JSON since.
    domain: sign.domain as object,
    types: sign.types as Record<string, readonly { name: string; type: string }[]>,
    primaryType: sign.primaryType,
    message: sign.value as Record<string, unknown>,
  })

/**
 * The signature as it goes to the chain: in lower case, its 65 bytes where it came in the 64 of EIP-2098.
 * @throws PermitFailedError where it is no signature at all, or one of a wallet that is not deployed yet
 */
export const readSignature = (text: string): Hex => {
  if (text.length > 2 + 2 * MAX_SIGNATURE_BYTES || !bytes.test(text.toLowerCase()))
    throw new PermitFailedError(`The signature must be 0x and whole bytes in hex, ${MAX_SIGNATURE_BYTES} at most.`)
  // CAST: the pattern matched.
  const signature = text.toLowerCase() as Hex
  const unwrapped = unwrapSignature(signature)
  if (unwrapped === null || unwrapped.factory !== ZERO_ADDRESS)
    throw new PermitFailedError('The wallet must be deployed before it signs: no token takes a signature of ERC-6492.')
  // CAST: of hex it makes hex.
  return accountForm(signature) as Hex
}

export interface OwnerCheck {
  readonly form: PermitForm
  readonly signature: Hex
  readonly agreeing: number
  readonly contractWallets: ContractWallets
}

/**
 * Whether the owner signed: by its key, or as the contract at its address says.
 * @throws PermitFailedError where it did not; ServiceError where too few nodes tell
 */
export const requireOwner = async ({ form, signature, agreeing, contractWallets }: OwnerCheck): Promise<void> => {
  const digest = permitDigest(form)
  const owner = form.terms.owner.toLowerCase()
  const recovered = recoverAddress(hexToBytes(digest), hexToBytes(signature), (data) => keccak256(data, 'bytes'))
  if ('address' in recovered && recovered.address === owner) return
  const byKey =
    'address' in recovered
      ? `${recovered.address} signed`
      : `as the signature of a key it is none: ${recovered.problem}`
  if (form.terms.kind === 'eip2612')
    throw new PermitFailedError(`The signature is not that of ${owner}: ${byKey}. This token asks for one by a key.`)
  const answer = await contractWallets.verify({ wallet: owner, digest, signature }, { agreeing })
  if (answer === 'valid') return
  const byContract =
    answer === 'absent'
      ? 'there is no contract wallet at the address'
      : 'the contract wallet does not take it for its own'
  throw new PermitFailedError(`The signature is not that of ${owner}: ${byKey}; ${byContract}.`)
}
