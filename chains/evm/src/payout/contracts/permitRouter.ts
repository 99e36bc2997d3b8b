import { permitRouterAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { PermitKind, PermitTerms, SignedPermit } from '@causeway/core/chain'
import { concat, encodeFunctionData, getAddress, getContractAddress, keccak256 } from 'viem/utils'
import type { Contracts, PermitContracts } from '../../address/addresses.js'
import { create2Address } from '../../address/create2.js'
import type { EncodedCall } from './encodedCall.js'
import { words } from './staticCall.js'

/** Throws Error where the chain takes no signed deposits. */
export const permitContractsOf = ({ chainId, permits }: Contracts): PermitContracts => {
  if (permits === null) throw new Error(`Chain ${chainId} takes no signed deposits; set "permitRouter" in its options.`)
  return permits
}

type Deposited = Pick<PermitTerms, 'orderId' | 'owner'> & { readonly token: string }

/** What the router knows a deposit by: each owner deposits each token once under an order id. It is the nonce of EIP-3009 and Permit2. */
export const depositKey = ({ orderId, owner, token }: Deposited): Hex => keccak256(words(orderId, owner, token))

const codeHashes = new Map<string, Hex>()

/** The code that the receivers of a permit router share: its constructor makes it first. Lower case. */
export const permitReceiverOf = (router: string): string =>
  getContractAddress({ from: getAddress(router), nonce: 1n }).toLowerCase()

/** Hash of what creates a receiver, a minimal proxy (ERC-1167). */
const receiverCodeHash = (router: string): Hex => {
  const known = codeHashes.get(router)
  if (known !== undefined) return known
  // CAST: a lower-case address.
  const implementation = permitReceiverOf(router) as Hex
  const hash = keccak256(
    concat(['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3']),
  )
  codeHashes.set(router, hash)
  return hash
}

/** Who may take the token by an EIP-2612 permit of these terms, lower case: its address is made of all of them. */
export const receiverOf = ({ orderId, owner, money, expiresAt }: PermitTerms, router: string): string => {
  const salt = keccak256(words(orderId, owner, money.currency, money.amount, BigInt(expiresAt)))
  return create2Address(router, salt, receiverCodeHash(router))
}

/** Functions of the router, all of which take terms and signature. */
export const PERMIT_FUNCTIONS = {
  eip3009: 'depositAuthorized',
  eip2612: 'depositPermitted',
  permit2: 'depositWithPermit2',
} as const satisfies Record<PermitKind, string>

/** The call of the router that deposits what an owner signed for. Throws Error where the chain has no such router. */
export const encodePermit = ({ terms, signature }: SignedPermit, contracts: Contracts): EncodedCall => {
  const { router } = permitContractsOf(contracts)
  const { orderId, owner, money, expiresAt, kind } = terms
  const struct = {
    orderId,
    owner: getAddress(owner),
    token: getAddress(money.currency),
    amount: money.amount,
    deadline: BigInt(expiresAt),
  }
  const args = [struct, signature] as const
  return {
    to: router,
    data: encodeFunctionData({ abi: permitRouterAbi, functionName: PERMIT_FUNCTIONS[kind], args }),
    value: 0n,
  }
}
