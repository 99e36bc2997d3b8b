import type { Hex } from '@causeway/core'
import type { NetworkChain } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import type { BenchWorld } from './benchWorld.js'
import { Depositor } from './depositor.js'

/** A quoted transfer whose deposit is signed and not yet sent. */
export interface PreparedTransfer {
  readonly requestId: Hex
  readonly recipient: Hex
  readonly deposit: Hex
}

const QUOTES_AT_ONCE = 8

/** Token transfers of ten dollars from one chain to the other, each to a recipient of its own. */
export class TransferSource {
  readonly #origin: NetworkChain
  readonly #destination: NetworkChain
  readonly depositor: Depositor

  private constructor(origin: NetworkChain, destination: NetworkChain, depositor: Depositor) {
    this.#origin = origin
    this.#destination = destination
    this.depositor = depositor
  }

  /** `user` is the index of the user who pays; one source a user, for it counts nonces. */
  static async open({ network }: BenchWorld, user: number, reverse = false): Promise<TransferSource> {
    const [harbor, lagoon] = network.chains
    const [origin, destination] = reverse ? [lagoon, harbor] : [harbor, lagoon]
    const account = network.users[user]
    if (account === undefined) throw new Error(`There is no user ${user}`)
    const depositor = await Depositor.open(origin.chain, account, origin.usdc, origin.depository)
    return new TransferSource(origin, destination, depositor)
  }

  get destination(): NetworkChain {
    return this.#destination
  }

  async prepare(url: string, count: number): Promise<PreparedTransfer[]> {
    const prepared: PreparedTransfer[] = []
    for (let at = 0; at < count; at += QUOTES_AT_ONCE) {
      const size = Math.min(QUOTES_AT_ONCE, count - at)
      const quotes = await Promise.all(Array.from({ length: size }, () => this.#quote(url)))
      for (const { requestId, orderId, amount, recipient } of quotes) {
        prepared.push({ requestId, recipient, deposit: await this.depositor.sign(orderId, amount) })
      }
    }
    return prepared
  }

  async #quote(url: string) {
    const recipient = freshAddress()
    const amount = 10n * 10n ** (this.#origin.slug === 'harbor' ? 6n : 18n)
    const response = await fetch(`${url}/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        user: this.depositor.user,
        recipient,
        originChainId: this.#origin.chain.chainId,
        destinationChainId: this.#destination.chain.chainId,
        originCurrency: this.#origin.usdc,
        destinationCurrency: this.#destination.usdc,
        amount: amount.toString(),
        tradeType: 'EXACT_INPUT',
      }),
    })
    if (!response.ok) throw new Error(`A quote was refused: ${response.status} ${await response.text()}`)
    // CAST: the shape is the quote schema's.
    const quote = (await response.json()) as { requestId: Hex; protocol: { v2: { orderId: Hex } } }
    return { requestId: quote.requestId, orderId: quote.protocol.v2.orderId, amount, recipient }
  }
}
