import { randomBytes } from 'node:crypto'
import { type ChainAccess, type ChainReader, until } from '@causeway/core/testing'
import type { TronWeb } from 'tronweb'
import { addressOfSecret, base58Of, GIVER, hexAddress, isNative } from './wire/addresses.js'

/** What became of a transaction, in sun. */
export interface Included {
  readonly succeeded: boolean
  readonly fee: bigint
  readonly result: string
}

/** A Tron network, read with `tronweb`. */
export class TronReader implements ChainReader {
  #opened: Promise<TronWeb> | null = null

  constructor(readonly access: ChainAccess) {}

  /** `tronweb` takes a second to load. */
  client(): Promise<TronWeb> {
    this.#opened ??= import('tronweb').then((module) => new module.TronWeb({ fullHost: this.access.endpoint.http }))
    return this.#opened
  }

  async balance(holder: string, currency: string): Promise<bigint> {
    const client = await this.client()
    const address = base58Of(hexAddress(holder))
    if (isNative(currency)) return BigInt((await client.trx.getUnconfirmedAccount(address)).balance ?? 0)
    const parameters = [{ type: 'address', value: address }]
    const { constant_result: [word = '0'] = [] } = await client.transactionBuilder.triggerConstantContract(
      ...([base58Of(hexAddress(currency)), 'balanceOf(address)', {}, parameters, base58Of(GIVER)] as const),
    )
    return BigInt(`0x${word}`)
  }

  async succeeded(transactionId: string): Promise<boolean> {
    return (await this.included(transactionId))?.succeeded ?? false
  }

  /** Null: no block has the transaction. */
  async included(transactionId: string): Promise<Included | null> {
    const client = await this.client()
    const info = await client.trx.getUnconfirmedTransactionInfo(transactionId)
    if (info.id === undefined) return null
    const result = info.receipt?.result ?? 'SUCCESS'
    return { succeeded: result === 'SUCCESS', fee: BigInt(info.fee ?? 0), result }
  }

  /** Waits until a block has the transaction. */
  inBlock(transactionId: string): Promise<Included> {
    return until(`${transactionId} to be in a block`, () => this.included(transactionId))
  }

  freshAddress(): string {
    return addressOfSecret(randomBytes(32))
  }
}
