import type { Json } from '@causeway/core'
import type { PermitForm, PermitTerms } from '@causeway/core/chain'
import { getAddress } from 'viem/utils'
import type { Contracts } from '../address/addresses.js'
import { depositKey, permitContractsOf, receiverOf } from '../payout/contracts/permitRouter.js'
import { PERMIT_TYPES, PRIMARY_TYPES } from './permitTypes.js'
import type { TokenDomain } from './tokenDomain.js'

/** What of a form the chain alone knows. */
export interface FormFacts {
  /** Of the token; not of Permit2, which has its own. */
  readonly domain: TokenDomain | null
  /** EIP-2612 alone: how many permits of the owner the token has counted. */
  readonly nonce: bigint | null
}

/** What is to be signed for a deposit; the same terms and facts always give the same. Throws Error where the chain has no permit router. */
export const permitForm = (terms: PermitTerms, facts: FormFacts, contracts: Contracts): PermitForm => ({
  terms,
  sign: {
    signatureKind: 'eip712',
    domain: domainOf(terms, facts, contracts),
    types: PERMIT_TYPES[terms.kind] as unknown as Json,
    primaryType: PRIMARY_TYPES[terms.kind],
    value: messageOf(terms, facts, contracts),
  },
})

const domainOf = (terms: PermitTerms, { domain }: FormFacts, contracts: Contracts): Json => {
  const { chainId } = contracts
  const { permit2 } = permitContractsOf(contracts)
  if (terms.kind === 'permit2') return { name: 'Permit2', chainId, verifyingContract: getAddress(permit2) }
  if (domain === null) throw new Error('A permit of a token needs the domain of the token.')
  const { name, version } = domain
  const verifyingContract = getAddress(terms.money.currency)
  return { name, ...(version === null ? {} : { version }), chainId, verifyingContract }
}

const messageOf = (terms: PermitTerms, { nonce }: FormFacts, contracts: Contracts): Json => {
  const { router } = permitContractsOf(contracts)
  const { kind, owner, money, orderId, expiresAt } = terms
  const key = depositKey({ orderId, owner, token: money.currency })
  const [amount, deadline] = [money.amount.toString(), expiresAt.toString()]
  switch (kind) {
    case 'eip3009': {
      const times = { validAfter: '0', validBefore: deadline }
      return { from: getAddress(owner), to: getAddress(router), value: amount, ...times, nonce: key }
    }
    case 'eip2612': {
      if (nonce === null) throw new Error('A permit of a token needs the nonce of its owner.')
      const spender = getAddress(receiverOf(terms, router))
      return { owner: getAddress(owner), spender, value: amount, nonce: nonce.toString(), deadline }
    }
    case 'permit2':
      return {
        permitted: [{ token: getAddress(money.currency), amount }],
        spender: getAddress(router),
        nonce: BigInt(key).toString(),
        deadline,
        witness: { depository: getAddress(contracts.depository), orderId },
      }
  }
}
