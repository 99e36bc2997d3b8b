import { type JsonRpcClient, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import { type AddressLookupTableAccount, type MessageV0, VersionedTransaction } from '@solana/web3.js'
import { accountsCalls } from '../read/token/accountReader.js'
import type { RpcAccount, RpcContext } from './wire.js'

export interface RpcSimulation {
  readonly err: unknown
  readonly logs: readonly string[] | null
  readonly unitsConsumed?: number
  /** As the transaction would leave them, where they were asked for and it succeeds. */
  readonly accounts?: readonly (RpcAccount | null)[] | null
}

/** An account before and after a transaction. */
export interface AccountChange {
  readonly address: string
  readonly before: RpcAccount | null
  readonly after: RpcAccount | null
}

export interface SimulatedMessage {
  readonly simulation: RpcSimulation
  /** Every account that the transaction may change, then the others that were asked for, unchanged. */
  readonly changes: readonly AccountChange[]
}

/** Runs a message without signatures, at a blockhash of the node's choice. */
export const simulateCall = (message: MessageV0, addresses: readonly string[] = []): RpcCall => ({
  method: 'simulateTransaction',
  params: [
    Buffer.from(new VersionedTransaction(message).serialize()).toString('base64'),
    {
      encoding: 'base64',
      sigVerify: false,
      replaceRecentBlockhash: true,
      commitment: 'confirmed',
      ...(addresses.length === 0 ? {} : { accounts: { encoding: 'base64', addresses } }),
    },
  ],
})

/** Accounts of a message that it may change, those of lookup tables too. */
const writableOf = (message: MessageV0, tables: readonly AddressLookupTableAccount[]): string[] =>
  message
    .getAccountKeys({ addressLookupTableAccounts: [...tables] })
    .keySegments()
    .flat()
    .flatMap((key, at) => (message.isAccountWritable(at) ? [key.toBase58()] : []))

/** Simulates a message and reads what it changes, in one request. @throws ServiceError when the node does not answer */
export const simulateMessage = async (
  message: MessageV0,
  { tables, also }: { readonly tables: readonly AddressLookupTableAccount[]; readonly also: readonly string[] },
  rpc: JsonRpcClient,
): Promise<SimulatedMessage> => {
  const writable = writableOf(message, tables)
  const addresses = [...writable, ...also.filter((address) => !writable.includes(address))]
  const [run, ...read] = await rpc.gather([simulateCall(message, writable), ...accountsCalls(addresses)])
  const { value } = resultOf<RpcContext<RpcSimulation>>(run, 'simulateTransaction')
  const before = read.flatMap(
    (outcome) => resultOf<RpcContext<readonly (RpcAccount | null)[]>>(outcome, 'getMultipleAccounts').value,
  )
  const changes = addresses.map((address, at) => {
    const was = before[at] ?? null
    return { address, before: was, after: at < writable.length ? (value.accounts?.[at] ?? null) : was }
  })
  return { simulation: value, changes }
}
