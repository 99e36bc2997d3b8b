import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex, hexToBytes } from '@causeway/core'
import {
  type AddressCodecs,
  computeOrderId,
  type Destination,
  encodeOrderCall,
  keccak256,
  type Order,
  type Signer,
  signChecked,
} from '@causeway/core/chain'
import type { ChainRegistry } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { PricedQuote } from '../pricing/pricedQuote.js'
import type { OrderedResult } from './quoteResult.js'

export interface OrderDeps {
  readonly signer: Signer
  readonly chains: ChainRegistry
  /** Protocol VM name of each chain slug. */
  readonly vmTypes: Readonly<Record<string, string>>
  /** Codecs of VMs beyond the nine. */
  readonly codecs?: AddressCodecs
  readonly settings: QuoteSettings
}

/** The solver's own chain: the first public one of the configuration on which its address is one. */
const chainOf = (solver: Hex, chains: ChainRegistry): string | undefined =>
  chains.all().find(({ config, adapter }) => config.privateId === undefined && adapter.validateAddress(solver).ok)
    ?.config.slug

const PERSONAL_PREFIX = new TextEncoder().encode('\x19Ethereum Signed Message:\n32')

/** Makes orders of quotes and signs their ids with the order key (wire.md 1.7, chains.md "Hashing"). */
export class OrderMaker {
  readonly #deps: OrderDeps
  readonly #solver: Hex
  readonly #solverChain: string | undefined

  constructor(deps: OrderDeps) {
    this.#deps = deps
    this.#solver = bytesToHex(keccak256(deps.signer.publicKey.subarray(1)).subarray(12))
    this.#solverChain = chainOf(this.#solver, deps.chains)
  }

  make(quote: PricedQuote): OrderedResult {
    const salt = randomBytes(32)
    const life = quote.plan.draft.orderSeconds ?? this.#deps.settings.orderDeadlineSeconds
    const orderDeadline = Math.floor(quote.quotedAt / 1000) + life
    const order = this.#order(quote, bytesToHex(salt), orderDeadline)
    const orderId = computeOrderId(order, this.#deps.vmTypes, this.#deps.codecs)
    return { order, orderId, requestId: requestIdOf(orderId, salt, quote.quotedAt), orderDeadline }
  }

  /** EIP-191 signature over the 32 bytes of the id, 65 bytes. Throws ServiceError when the signer gives anything else. */
  async sign(orderId: Hex): Promise<Hex> {
    const message = Buffer.concat([PERSONAL_PREFIX, hexToBytes(orderId, 'order id', 32)])
    return bytesToHex(await signChecked(this.#deps.signer, keccak256(message)))
  }

  #order(quote: PricedQuote, salt: Hex, deadline: number): Order {
    const { origin, destination, recipient } = quote.plan.route
    const { deposit } = quote.pair
    const from = origin.chain
    const to = destination.chain
    const { refundTo } = quote.plan.draft
    const refundOf = (to: Destination) => ({
      chainId: from.config.slug,
      recipient: to.address,
      currency: deposit.address,
      minimumAmount: '0',
      deadline,
      extraData: from.adapter.orderExtraData(to),
    })
    const paid = { chainId: from.config.slug, currency: deposit.address, amount: quote.depositAmount.toString() }
    return {
      version: 'v1',
      solverChainId: this.#solverChain ?? from.config.slug,
      solver: this.#solver,
      salt,
      inputs: [{ payment: { ...paid, weight: '1' }, refunds: refundTo === null ? [] : [refundOf(refundTo)] }],
      output: {
        chainId: to.config.slug,
        payments: [
          {
            recipient: recipient.address,
            currency: destination.currency.address,
            minimumAmount: quote.minimumOutput.toString(),
            expectedAmount: quote.outputAmount.toString(),
          },
        ],
        calls: callsOf(quote),
        deadline,
        extraData: to.adapter.orderExtraData(recipient),
      },
      fees: [],
    }
  }
}

/** CAST: only chains whose addresses are hex run calls, and their form was checked. */
const callsOf = ({ plan: { input } }: PricedQuote): string[] =>
  (input.calls?.calls ?? []).map((call) => encodeOrderCall({ ...call, to: call.to as Hex }))

/** keccak256 of order id, salt and creation time (wire.md H.2). */
const requestIdOf = (orderId: Hex, salt: Uint8Array, quotedAt: number): Hex => {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(quotedAt))
  return bytesToHex(keccak256(Buffer.concat([hexToBytes(orderId, 'order id', 32), salt, time])))
}
