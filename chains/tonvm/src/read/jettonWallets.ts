import type { Cell, TupleItem } from '@ton/core'
import { Address, beginCell } from '@ton/core'
import type { Asked, MethodCall } from '../rpc/tonApi.js'

/** Answers kept of each node. */
const MOST_KNOWN = 10_000

/**
 * Which account holds the jettons of an owner, as the master names it (`get_wallet_address`). Answers are kept for each node alone, so that a
 * dishonest node deceives no other.
 */
export class JettonWallets {
  readonly #known = new WeakMap<Asked, Map<string, Promise<string | null>>>()

  /** Raw address of the wallet; null for a master that is no jetton. */
  walletOf(asked: Asked, master: string, owner: string): Promise<string | null> {
    return this.#keep(asked, `${master} ${owner}`, () => askWalletAddress(asked, master, owner))
  }

  /**
   * Master of an account that says it is a jetton wallet of an owner; null where it is none. The master must name the account in turn: any
   * contract can name a master.
   */
  masterOf(asked: Asked, wallet: string, owner: string): Promise<string | null> {
    return this.#keep(asked, `master ${wallet} ${owner}`, async () => {
      const master = (await askWalletData(asked, wallet))?.master ?? null
      return master !== null && (await this.walletOf(asked, master, owner)) === wallet ? master : null
    })
  }

  #keep(asked: Asked, name: string, ask: () => Promise<string | null>): Promise<string | null> {
    const all = this.#known.get(asked) ?? new Map<string, Promise<string | null>>()
    this.#known.set(asked, all)
    const kept = all.get(name)
    if (kept !== undefined) return kept
    if (all.size >= MOST_KNOWN) all.clear()
    const found = ask()
    all.set(name, found)
    // A denial may be of a contract that is not there yet.
    found.then(
      (answer) => answer === null && all.delete(name),
      () => all.delete(name),
    )
    return found
  }
}

/** Runs a get method on the newest state, or on that after a block; null where there is no such method. */
export const runMethod = (
  asked: Asked,
  call: Omit<MethodCall, 'height' | 'args'> & { readonly args?: readonly Cell[]; readonly height?: bigint },
): Promise<readonly TupleItem[] | null> =>
  asked.ask(async (api, signal) => {
    const height = call.height ?? (await api.newest(signal)).height
    return api.run({ args: [], ...call, height }, signal)
  })

const askWalletAddress = async (asked: Asked, master: string, owner: string): Promise<string | null> => {
  const args = [beginCell().storeAddress(Address.parseRaw(owner)).endCell()]
  const [address] = (await runMethod(asked, { address: master, method: 'get_wallet_address', args })) ?? []
  return addressIn(address)
}

/** What a jetton wallet says of itself. */
export interface WalletData {
  readonly balance: bigint
  readonly master: string | null
}

/** Null where the account has no such method. */
export const askWalletData = async (asked: Asked, wallet: string, height?: bigint): Promise<WalletData | null> => {
  const at = height === undefined ? {} : { height }
  const found = await runMethod(asked, { address: wallet, method: 'get_wallet_data', ...at })
  const [balance, , master] = found ?? []
  return balance?.type === 'int' ? { balance: balance.value, master: addressIn(master) } : null
}

const addressIn = (item: TupleItem | undefined): string | null => {
  if (item?.type !== 'slice' && item?.type !== 'cell') return null
  try {
    const address = item.cell.beginParse().loadMaybeAddress()
    return address?.workChain === 0 ? address.toRawString() : null
  } catch {
    return null
  }
}
