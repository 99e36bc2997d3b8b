import type { Delegation, Payout } from '@causeway/core/chain'
import type { Address, SignedAuthorization } from 'viem'
import { quantity } from '../rpc/wire.js'

/** Delegations a payment applies; a list may be there and empty. */
export const delegationsOf = ({ delegations = [] }: Payout): readonly Delegation[] => delegations

/** Member `authorizationList` of a JSON-RPC call that runs a payment with delegations (EIP-7702); nothing without. */
export const delegationParams = (payout: Payout): { readonly authorizationList?: readonly object[] } => {
  const delegations = delegationsOf(payout)
  if (delegations.length === 0) return {}
  const authorizationList = delegations.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: quantity(BigInt(chainId)),
    address,
    nonce: quantity(BigInt(nonce)),
    yParity: quantity(BigInt(yParity)),
    r: quantity(BigInt(r)),
    s: quantity(BigInt(s)),
  }))
  return { authorizationList }
}

/** Delegations as they are serialised into a transaction. */
export const authorizationsOf = (delegations: readonly Delegation[]): SignedAuthorization[] =>
  delegations.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId,
    // CAST: checked where the request was read. viem refuses capitals.
    address: address.toLowerCase() as Address,
    nonce,
    yParity,
    r: quantity(BigInt(r)),
    s: quantity(BigInt(s)),
  }))
