import { depositoryAbi, depositoryDomain, depositoryTypes } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { ChainMoney, Payout } from '@causeway/core/chain'
import { encodeFunctionData, getAddress, hashStruct, hashTypedData } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { erc20Abi } from './contracts/abis.js'
import type { EncodedCall } from './contracts/encodedCall.js'

export interface WithdrawalTerms {
  readonly to: string
  readonly money: ChainMoney
  readonly nonce: Hex
  /** Unix seconds. */
  readonly expiration: number
}

/** The one call that moves `money` out of the depository. Built from the terms alone, so the hash can be made again. */
export const withdrawalRequest = ({ to, money, nonce, expiration }: WithdrawalTerms) => {
  const call =
    money.currency === ZERO_ADDRESS
      ? { to: getAddress(to), data: '0x' as const, value: money.amount, allowFailure: false }
      : { to: getAddress(money.currency), data: transferTo(to, money.amount), value: 0n, allowFailure: false }
  return { calls: [call], nonce: BigInt(nonce), expiration: BigInt(expiration) }
}

const transferTo = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(to), amount] })

/** Digest the allocator signs. */
export const withdrawalDigest = (terms: WithdrawalTerms, contracts: Contracts): Hex =>
  hashTypedData({
    domain: {
      ...depositoryDomain,
      chainId: contracts.chainId,
      verifyingContract: getAddress(contracts.depository),
    },
    types: depositoryTypes,
    primaryType: 'CallRequest',
    message: withdrawalRequest(terms),
  })

/** Key of the depository's `callRequests`: a request runs at most once. */
export const withdrawalStructHash = (terms: WithdrawalTerms): Hex =>
  hashStruct({ types: depositoryTypes, primaryType: 'CallRequest', data: withdrawalRequest(terms) })

/** Terms of a `withdraw` payout; throws when it carries no authorization. */
export const termsOf = (payout: Payout): WithdrawalTerms => {
  const { authorization } = payout
  if (authorization === undefined) throw new Error('A withdraw payout needs the authorization of the allocator.')
  const { nonce, expiration } = authorization
  return { to: payout.to.address, money: payout.money, nonce, expiration }
}

export const encodeWithdrawal = (payout: Payout, contracts: Contracts): EncodedCall => {
  const signature = payout.authorization?.signature ?? '0x'
  const args = [withdrawalRequest(termsOf(payout)), signature] as const
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'execute', args })
  return { to: contracts.depository, data, value: 0n }
}
