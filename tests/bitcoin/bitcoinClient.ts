import type { Hex } from '@causeway/core'
import type { Quote, Status } from '../transfers/apiClient.js'
import { UserClient, type UserRequest } from '../transfers/userClient.js'
import { type BitcoinNetwork, BVM_ID, type ChainId, DECIMALS } from './bitcoinNetwork.js'

export interface BitcoinRequest extends Omit<UserRequest, 'symbol' | 'amount' | 'user'> {
  /** Whose coins pay, where bitcoin is the origin; other chains have one user. */
  readonly user?: number
  readonly from: ChainId
  readonly to: ChainId
  /** Satoshis, whatever the decimals of the chain. */
  readonly satoshis: bigint
}

/** Users who move bitcoin, the native one or a token. */
export class BitcoinClient {
  readonly #users: UserClient

  private constructor(users: UserClient) {
    this.#users = users
  }

  static async open(network: BitcoinNetwork, service: { url: string; apiKey: string }): Promise<BitcoinClient> {
    return new BitcoinClient(await UserClient.open(network, service))
  }

  freshRecipient(chainId: ChainId): Promise<string> {
    return this.#users.freshRecipient(chainId)
  }

  ask(request: BitcoinRequest): Promise<{ readonly status: number; readonly body: Quote }> {
    return this.#users.ask(ofBitcoin(request))
  }

  quote(request: BitcoinRequest): Promise<Quote> {
    return this.#users.quote(ofBitcoin(request))
  }

  pay(quote: Quote, request: BitcoinRequest): Promise<string> {
    return this.#users.pay(quote, ofBitcoin(request))
  }

  status(requestId: Hex): Promise<Status> {
    return this.#users.status(requestId)
  }

  waitFor(requestId: Hex, wanted: readonly Status['status'][], milliseconds?: number): Promise<Status> {
    return this.#users.waitFor(requestId, wanted, milliseconds)
  }

  /** What an account really holds, of bitcoin in blocks. */
  balance(chainId: ChainId, owner: string): Promise<bigint> {
    return this.#users.balance(chainId, owner, 'BTC')
  }
}

const ofBitcoin = ({ satoshis, user = 0, ...request }: BitcoinRequest): UserRequest => ({
  ...request,
  symbol: 'BTC',
  amount: amountOn(request.from, satoshis),
  user: request.from === BVM_ID ? user : 0,
})

/** Satoshis in the smallest unit of a chain's bitcoin. */
const amountOn = (chainId: ChainId, satoshis: bigint): bigint => satoshis * 10n ** BigInt(DECIMALS[chainId] - 8)
