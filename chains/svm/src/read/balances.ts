import { ServiceError } from '@causeway/core'
import type { BalanceQuery } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import type { RpcAccount, RpcContext } from '../rpc/wire.js'
import type { MintReader } from './token/mintReader.js'
import { associatedTokenAddress } from './token/tokenAccounts.js'

/** Accounts in one getMultipleAccounts. */
const MAX_ACCOUNTS = 100

/** Where a token account keeps its amount, in both token programs. */
const AMOUNT_OFFSET = 64

/** Balances and the slot they are of, in one HTTP request. A token account that does not exist holds 0. */
export const readBalances = async (
  queries: readonly BalanceQuery[],
  { rpc, mints }: { readonly rpc: JsonRpcClient; readonly mints: MintReader },
) => {
  const addresses = await Promise.all(queries.map((query) => accountOf(query, mints)))
  const wanted = [...new Set(addresses.flatMap((address) => address ?? []))]
  const outcomes = await rpc.gather([
    { method: 'getSlot', params: [{ commitment: 'confirmed' }] },
    ...parts(wanted).map(accountsCall),
  ])
  const accounts = new Map(
    parts(wanted).flatMap((part, at) => {
      const found = accountsOf(outcomes[at + 1])
      return part.map((address, place) => [address, found[place] ?? null] as const)
    }),
  )
  const height = BigInt(resultOf<number>(outcomes[0], 'getSlot'))
  const amounts = queries.map(({ currency }, at) => amountOf(accounts.get(addresses[at] ?? '') ?? null, currency))
  return { amounts, height }
}

/** What of each amount the depository must keep while it is used: the rent of an account without data (chains.md, Depository program). */
export const reservedOf = async (
  queries: readonly BalanceQuery[],
  amounts: readonly (bigint | null)[],
  { depository, fees }: { readonly depository: string; readonly fees: Pick<FeeSource, 'rent'> },
): Promise<readonly bigint[]> => {
  const isDepository = ({ address, currency }: BalanceQuery) => address === depository && currency === NATIVE
  if (!queries.some(isDepository)) return queries.map(() => 0n)
  const rent = await fees.rent(0)
  return queries.map((query, at) => {
    const amount = amounts[at] ?? 0n
    if (!isDepository(query)) return 0n
    return amount < rent ? amount : rent
  })
}

/** The account that holds it; null for a token that does not exist. */
const accountOf = async ({ address, currency }: BalanceQuery, mints: MintReader): Promise<string | null> => {
  if (currency === NATIVE) return address
  const mint = await mints.read(currency)
  return mint === null ? null : associatedTokenAddress(address, mint)
}

const parts = (addresses: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(addresses.length / MAX_ACCOUNTS) }, (_, at) =>
    addresses.slice(at * MAX_ACCOUNTS, (at + 1) * MAX_ACCOUNTS),
  )

const accountsCall = (addresses: readonly string[]): RpcCall => ({
  method: 'getMultipleAccounts',
  params: [addresses, { commitment: 'confirmed', encoding: 'base64' }],
})

const accountsOf = (outcome: RpcOutcome | undefined): readonly (RpcAccount | null)[] => {
  const { value } = resultOf<RpcContext<readonly (RpcAccount | null)[]>>(outcome, 'getMultipleAccounts')
  if (!Array.isArray(value)) throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain left out an answer.')
  return value
}

const amountOf = (account: RpcAccount | null, currency: string): bigint => {
  if (account === null) return 0n
  if (currency === NATIVE) return BigInt(account.lamports)
  const data = Buffer.from(account.data[0], 'base64')
  return data.length < AMOUNT_OFFSET + 8 ? 0n : data.readBigUInt64LE(AMOUNT_OFFSET)
}
