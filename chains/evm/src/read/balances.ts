import { ServiceError } from '@causeway/core'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { encodeAllowance, encodeBalanceOf } from '../payout/contracts/staticCall.js'

export interface BalanceQuery {
  readonly address: string
  readonly currency: string
}

/** Balances and the height they are of, in one HTTP request; null for a token whose call failed or that answered no number. */
export const readBalances = async (queries: readonly BalanceQuery[], rpc: JsonRpcClient) => {
  const outcomes = await rpc.gather([{ method: 'eth_blockNumber', params: [] }, ...queries.map(balanceCall)])
  const height = BigInt(resultOf<string>(outcomes[0], 'eth_blockNumber'))
  return { amounts: queries.map((query, at) => heldBy(query, outcomes[at + 1] ?? missing())), height }
}

export const balanceCall = ({ address, currency }: BalanceQuery): RpcCall => {
  if (currency === ZERO_ADDRESS) return { method: 'eth_getBalance', params: [address, 'latest'] }
  return { method: 'eth_call', params: [{ to: currency, data: encodeBalanceOf(address) }, 'latest'] }
}

/** Of an answer to `balanceCall`; null for a token whose call failed or that answered no number. */
export const heldBy = ({ currency }: BalanceQuery, outcome: RpcOutcome): bigint | null => {
  if (currency === ZERO_ADDRESS) return BigInt(resultOf<string>(outcome, 'eth_getBalance'))
  // CAST: an answered eth_call is a text.
  const word = outcome.ok ? (outcome.result as string) : '0x'
  return word.length < WORD_TEXT ? null : firstWord(word)
}

export const missing = (): never => {
  throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain left out an answer.')
}

/** `0x` and 32 bytes. */
const WORD_TEXT = 66

/** Number in the first 32 bytes; 0 when nothing was returned. */
export const firstWord = (hex: string): bigint => (hex === '0x' ? 0n : BigInt(hex.slice(0, 66)))

/** Allowance a spender has. */
export const allowanceCall = (owner: string, token: string, spender: string): RpcCall => ({
  method: 'eth_call',
  params: [{ to: token, data: encodeAllowance(owner, spender) }, 'latest'],
})
