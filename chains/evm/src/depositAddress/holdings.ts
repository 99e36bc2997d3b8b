import { holdingsProbeAbi, holdingsProbeRuntimeBytecode } from '@causeway/contracts-abi'
import type { ChainMoney } from '@causeway/core/chain'
import type { JsonRpcClient, RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import type { Hex } from 'viem'
import { encodeFunctionData, getAddress } from 'viem/utils'
import { type BalanceQuery, balanceCall, heldBy, missing } from '../read/balances.js'

/** Nobody's: the code of the probe runs there, for the length of a call. */
const PROBE = '0x00000000000000000000000000000000050bb0e5'
/** Balances of one call: well below the gas that nodes give a call. */
const AT_ONCE = 2_000
/** Balances of one request where a node runs no code in another's place. */
const SINGLY_AT_ONCE = 500

type Asker = Pick<JsonRpcClient, 'gather'>

/**
 * What lies at addresses now of each currency, in the order given; amounts of 0 left out. One request for some thousand balances, by code
 * that runs in an account's place; where a node refuses that, by one call of a batch for each.
 */
export const readHoldings = async (
  addresses: readonly string[],
  currencies: readonly string[],
  rpc: Asker,
): Promise<readonly (readonly ChainMoney[])[]> => {
  if (addresses.length === 0 || currencies.length === 0) return addresses.map(() => [])
  const groups = groupsOf(addresses, Math.max(1, Math.floor(AT_ONCE / currencies.length)))
  const outcomes = await rpc.gather(groups.map((group) => probeCall(group, currencies)))
  const held: bigint[] = []
  for (const [at, group] of groups.entries()) {
    held.push(
      ...(wordsOf(outcomes[at], group.length * currencies.length) ?? (await readSingly(group, currencies, rpc))),
    )
  }
  return addresses.map((_, at) =>
    currencies.flatMap((currency, place) => {
      const amount = held[at * currencies.length + place] ?? 0n
      return amount > 0n ? [{ currency, amount }] : []
    }),
  )
}

const groupsOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

const probeCall = (addresses: readonly string[], currencies: readonly string[]): RpcCall => {
  const args = [addresses.map((address) => getAddress(address)), currencies.map((token) => getAddress(token))] as const
  const data = encodeFunctionData({ abi: holdingsProbeAbi, functionName: 'holdings', args })
  return {
    method: 'eth_call',
    params: [{ to: PROBE, data }, 'latest', { [PROBE]: { code: holdingsProbeRuntimeBytecode } }],
  }
}

/** Numbers of an answer; null where it is not one of that length, as of a node without state overrides. */
const wordsOf = (outcome: RpcOutcome | undefined, count: number): readonly bigint[] | null => {
  if (outcome?.ok !== true) return null
  // CAST: an answered eth_call is a text.
  const digits = (outcome.result as Hex).slice(2)
  // Place and length of the list go before its words.
  if (digits.length !== 64 * (count + 2)) return null
  return Array.from({ length: count }, (_, at) => BigInt(`0x${digits.slice(64 * (at + 2), 64 * (at + 3))}`))
}

const readSingly = async (
  addresses: readonly string[],
  currencies: readonly string[],
  rpc: Asker,
): Promise<readonly bigint[]> => {
  const queries = addresses.flatMap((address) => currencies.map((currency): BalanceQuery => ({ address, currency })))
  const held: bigint[] = []
  for (const group of groupsOf(queries, SINGLY_AT_ONCE)) {
    const outcomes = await rpc.gather(group.map(balanceCall))
    for (const [at, query] of group.entries()) {
      held.push(heldBy(query, outcomes[at] ?? missing()) ?? 0n)
    }
  }
  return held
}
