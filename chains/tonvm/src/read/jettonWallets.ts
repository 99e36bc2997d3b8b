import type { Cell, TupleItem } from '@ton/core'
import { Address, beginCell } from '@ton/core'
import type { Asked, MethodCall } from '../rpc/tonApi.js'
import { keptByNode } from './accounts.js'

/** Answers kept of each node. */
const MOST_KNOWN = 10_000

/**
 * Which account holds the jettons of an owner, as the master names it (`get_wallet_address`). Only masters run code here: any account can
 * notify an owner, and a get method of an untrusted account can fail or lie.
 */
export class JettonWallets {
  readonly #known = keptByNode<string>(MOST_KNOWN)

  /** @param masters raw addresses of the configured jettons */
  constructor(readonly masters: readonly string[]) {}

  /** Raw address of the wallet; null for a master that is no jetton, which may be a contract that is not there yet. */
  walletOf(asked: Asked, master: string, owner: string): Promise<string | null> {
    return this.#known(asked, `${master} ${owner}`, async () => {
      const args = [beginCell().storeAddress(Address.parseRaw(owner)).endCell()]
      const [address] = (await runMethod(asked, { address: master, method: 'get_wallet_address', args })) ?? []
      return addressIn(address)
    })
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

const addressIn = (item: TupleItem | undefined): string | null => {
  if (item?.type !== 'slice' && item?.type !== 'cell') return null
  try {
    const address = item.cell.beginParse().loadMaybeAddress()
    return address?.workChain === 0 ? address.toRawString() : null
  } catch {
    return null
  }
}
