import type { Hex } from '@causeway/core'
import type { CurrencyConfig } from '@causeway/core/chain'
import type { SignedDeposit } from '@causeway/core/testing'
import type { HostChain, HostNetwork } from '../harness/host/hostProcess.js'
import { ApiClient, type Quote, type Status } from './apiClient.js'
import { type OpenedChain, openChain } from './servedChain.js'

/** What a user asks a quote for. */
export interface UserRequest {
  readonly from: number
  readonly to: number
  /** What goes in, and what comes out. */
  readonly symbol: string
  /** In the smallest unit of the origin. */
  readonly amount: bigint
  /** Which user of the origin pays (default the first). */
  readonly user?: number
  /** Absent: an address nobody used before. */
  readonly recipient?: string
  /** More of the quote's body, or other than the above. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Chains that a host serves, and who has something to spend on them. */
export interface UserNetwork {
  readonly host: HostNetwork
  /** Keys of the users of each chain, as its wallets take them in. */
  readonly walletKeys: Readonly<Record<number, readonly string[]>>
}

interface UserChain extends OpenedChain {
  readonly slug: string
  readonly currencies: readonly CurrencyConfig[]
}

const openConfigured = ({ id: chainId, slug, package: name, rpc, currencies }: HostChain): Promise<UserChain> => {
  const [endpoint] = rpc
  if (endpoint === undefined) throw new Error(`${slug} has no endpoint`)
  return openChain(name, { chainId, endpoint, slug, currencies })
}

/** The users of a host's chains: they ask it over HTTP, and pay with a plain wallet of each chain. */
export class UserClient {
  readonly #chains: ReadonlyMap<number, UserChain>
  readonly #walletKeys: UserNetwork['walletKeys']
  readonly #api: ApiClient

  private constructor(chains: readonly UserChain[], walletKeys: UserNetwork['walletKeys'], api: ApiClient) {
    this.#chains = new Map(chains.map((chain) => [chain.chainId, chain]))
    this.#walletKeys = walletKeys
    this.#api = api
  }

  static async open(
    { host, walletKeys }: UserNetwork,
    { url: baseUrl, apiKey }: { readonly url: string; readonly apiKey: string },
  ): Promise<UserClient> {
    const chains = await Promise.all(host.chains.map(openConfigured))
    return new UserClient(chains, walletKeys, new ApiClient({ baseUrl, apiKey }))
  }

  /** An address that can receive a currency; absent: the native one. */
  async freshRecipient(chainId: number, symbol?: string): Promise<string> {
    const currency = symbol === undefined ? undefined : this.#currency(chainId, symbol)
    return this.#chain(chainId).reader.freshAddress(currency)
  }

  userAddress(chainId: number, user: number): string {
    return this.#wallet(chainId, user).address
  }

  async ask(request: UserRequest): Promise<{ readonly status: number; readonly body: Quote }> {
    return this.#api.ask(await this.#bodyOf(request))
  }

  /** Asks until the service can quote. @throws Error with any other refusal */
  async quote(request: UserRequest): Promise<Quote> {
    return (await this.#api.quote(await this.#bodyOf(request))).quote
  }

  /** Sends every step as a plain wallet of its chain would; returns the id of the last transaction. */
  async pay(quote: Quote, payer: Pick<UserRequest, 'from' | 'user'>): Promise<string> {
    return (await this.prepare(quote, payer)).send()
  }

  /** Sends and signs every step before the deposit, and signs the deposit. */
  prepare({ steps }: Quote, { from, user = 0 }: Pick<UserRequest, 'from' | 'user'>): Promise<SignedDeposit> {
    return this.#wallet(from, user).prepare(steps, this.#api.postSignature)
  }

  status(requestId: Hex): Promise<Status> {
    return this.#api.status(requestId)
  }

  waitFor(requestId: Hex, wanted: readonly Status['status'][], milliseconds?: number): Promise<Status> {
    return this.#api.waitFor(requestId, wanted, milliseconds)
  }

  /** What an account really holds, in blocks. */
  balance(chainId: number, holder: string, symbol: string): Promise<bigint> {
    return this.#chain(chainId).reader.balance(holder, this.#currency(chainId, symbol))
  }

  async #bodyOf({ from, to, symbol, amount, user = 0, recipient, more }: UserRequest): Promise<object> {
    return {
      user: this.userAddress(from, user),
      recipient: recipient ?? (await this.freshRecipient(to, symbol)),
      originChainId: from,
      destinationChainId: to,
      originCurrency: this.#currency(from, symbol),
      destinationCurrency: this.#currency(to, symbol),
      amount: amount.toString(),
      tradeType: 'EXACT_INPUT',
      ...more,
    }
  }

  #chain(id: number): UserChain {
    const chain = this.#chains.get(id)
    if (chain === undefined) throw new Error(`The host has no chain ${id}`)
    return chain
  }

  /** Address of a currency. */
  #currency(chainId: number, symbol: string): string {
    const { slug, currencies } = this.#chain(chainId)
    const found = currencies.find((currency) => currency.symbol === symbol)
    if (found === undefined) throw new Error(`${slug} has no ${symbol}`)
    return found.address
  }

  #wallet(chainId: number, user: number) {
    const key = this.#walletKeys[chainId]?.[user]
    if (key === undefined) throw new Error(`Chain ${chainId} has no user ${user}`)
    return this.#chain(chainId).openWallet(key)
  }
}
