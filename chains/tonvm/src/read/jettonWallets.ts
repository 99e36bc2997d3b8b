import type { Cell, TupleItem } from '@ton/core'
import { Address, beginCell } from '@ton/core'
import type { Asked, MethodCall } from '../rpc/tonApi.js'

/** Answers kept of each node. */
const MOST_KNOWN = 10_000

/**
 * Which account holds the jettons of an owner, as the master names it (`get_wallet_address`). Only masters run code here: any account can
 * notify an owner, and a get method of an untrusted account can fail or lie. Answers are kept for each node alone, so that a dishonest node
 * deceives no other.
 */
export class JettonWallets {
  readonly #known = new WeakMap<Asked, Map<string, Promise<string | null>>>()

  /** @param masters raw addresses of the configured jettons */
  constructor(readonly masters: readonly string[]) {}

  /** Raw address of the wallet; null for a master that is no jetton. */
  walletOf(asked: Asked, master: string, owner: string): Promise<string | null> {
    return this.#keep(asked, `${master} ${owner}`, () => askWalletAddress(asked, master, owner))
  }

  /**
   * The configured master that names an account as the wallet of an owner; null: none does.
   * @throws ServiceError where a master whose wallet the account may be does not answer
   */
  async masterOf(asked: Asked, wallet: string, owner: string): Promise<string | null> {
    const named = await Promise.allSettled(this.masters.map((master) => this.walletOf(asked, master, owner)))
    const at = named.findIndex((answer) => answer.status === 'fulfilled' && answer.value === wallet)
    const failed = named.find((answer) => answer.status === 'rejected')
    if (at < 0 && failed !== undefined) throw failed.reason
    return this.masters[at] ?? null
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

/** Balance of a jetton wallet that its master named; null where the account has no such method. */
export const askWalletBalance = async (asked: Asked, wallet: string, height?: bigint): Promise<bigint | null> => {
  const at = height === undefined ? {} : { height }
  const [balance] = (await runMethod(asked, { address: wallet, method: 'get_wallet_data', ...at })) ?? []
  return balance?.type === 'int' ? balance.value : null
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
