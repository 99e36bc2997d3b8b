import { type JsonRpcClient, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import type { PublicKey } from '@solana/web3.js'
import type { RpcAccount, RpcContext } from '../../rpc/wire.js'

/** Most addresses one getMultipleAccounts takes. */
const MAX_ADDRESSES = 100

/** Calls that read accounts, a hundred each. */
export const accountsCalls = (addresses: readonly string[]): RpcCall[] => {
  const calls: RpcCall[] = []
  for (let at = 0; at < addresses.length; at += MAX_ADDRESSES) {
    const part = addresses.slice(at, at + MAX_ADDRESSES)
    calls.push({ method: 'getMultipleAccounts', params: [part, { commitment: 'confirmed', encoding: 'base64' }] })
  }
  return calls
}

/** Accounts as they are now, confirmed. */
export class AccountReader {
  readonly #rpc: Pick<JsonRpcClient, 'gather'>

  constructor({ rpc }: { readonly rpc: Pick<JsonRpcClient, 'gather'> }) {
    this.#rpc = rpc
  }

  /** In the order asked for, null for what is not there; with whatever else is read in the same turn one request. */
  async read(addresses: readonly string[]): Promise<readonly (RpcAccount | null)[]> {
    if (addresses.length === 0) return []
    const outcomes = await this.#rpc.gather(accountsCalls(addresses))
    return outcomes.flatMap(
      (outcome) => resultOf<RpcContext<readonly (RpcAccount | null)[]>>(outcome, 'getMultipleAccounts').value,
    )
  }

  /** The data of one account; null when it does not exist. */
  async data(address: PublicKey): Promise<Buffer | null> {
    const [account = null] = await this.read([address.toBase58()])
    return account === null ? null : Buffer.from(account.data[0], 'base64')
  }
}
