import { BoundedCache, ServiceError, systemClock } from '@causeway/core'
import { AddressLookupTableAccount, AddressLookupTableProgram, PublicKey } from '@solana/web3.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { RpcAccount } from '../rpc/wire.js'

const TABLE_MS = 30_000
const MAX_TABLES = 1000

/** Reads address lookup tables, and remembers each for half a minute. */
export class LookupTables {
  readonly #accounts: AccountReader
  readonly #cache = new BoundedCache<AddressLookupTableAccount>({
    clock: systemClock,
    maxEntries: MAX_TABLES,
    lifeOf: () => TABLE_MS,
  })

  constructor({ accounts }: { readonly accounts: AccountReader }) {
    this.#accounts = accounts
  }

  /** @throws ServiceError INVALID_REQUEST when one does not exist */
  read(addresses: readonly string[]): Promise<readonly AddressLookupTableAccount[]> {
    return Promise.all(
      addresses.map((address) =>
        this.#cache.get(address, async () => {
          const [account] = await this.#accounts.read([address])
          return readTable(address, account ?? null)
        }),
      ),
    )
  }
}

const PROGRAM = AddressLookupTableProgram.programId.toBase58()

const readTable = (address: string, account: RpcAccount | null): AddressLookupTableAccount => {
  if (account?.owner !== PROGRAM) throw missing(address)
  try {
    const state = AddressLookupTableAccount.deserialize(Buffer.from(account.data[0], 'base64'))
    return new AddressLookupTableAccount({ key: new PublicKey(address), state })
  } catch {
    throw missing(address)
  }
}

const missing = (address: string): ServiceError =>
  new ServiceError('INVALID_REQUEST', `There is no address lookup table at ${address}, which the swap uses.`)
