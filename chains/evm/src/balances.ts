import { type Hex, type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf, ServiceError } from '@causeway/core'
import { encodeFunctionData, getAddress } from 'viem'
import { erc20Abi } from './contracts/abis.js'
import { ZERO_ADDRESS } from './contracts/addresses.js'

export interface BalanceQuery {
  readonly address: string
  readonly currency: string
}

/** Balances and the height they are of, in one HTTP request. A token that does not answer counts as 0. */
export const readBalances = async (queries: readonly BalanceQuery[], rpc: JsonRpcClient) => {
  const outcomes = await rpc.batch([{ method: 'eth_blockNumber', params: [] }, ...queries.map(balanceCall)])
  const height = BigInt(resultOf<string>(outcomes[0], 'eth_blockNumber'))
  return { amounts: queries.map((query, at) => amountOf(query, outcomes[at + 1])), height }
}

const balanceCall = ({ address, currency }: BalanceQuery): RpcCall => {
  if (currency === ZERO_ADDRESS) return { method: 'eth_getBalance', params: [address, 'latest'] }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [getAddress(address)] })
  return { method: 'eth_call', params: [{ to: currency, data }, 'latest'] }
}

const amountOf = ({ currency }: BalanceQuery, outcome: RpcOutcome | undefined): bigint => {
  if (outcome?.ok || currency === ZERO_ADDRESS) return firstWord(resultOf<string>(outcome, 'eth_getBalance'))
  if (outcome === undefined) throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain left out an answer.')
  return 0n
}

/** Number in the first 32 bytes; 0 when nothing was returned. */
export const firstWord = (hex: string): bigint => (hex === '0x' ? 0n : BigInt(hex.slice(0, 66)))

/** Allowance the depository has, as one more call of a batch. */
export const allowanceCall = (owner: string, token: string, spender: string): RpcCall => {
  const args = [getAddress(owner), getAddress(spender)] as const
  const data: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
  return { method: 'eth_call', params: [{ to: token, data }, 'latest'] }
}
