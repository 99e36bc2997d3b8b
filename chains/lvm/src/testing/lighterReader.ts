import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { type ChainAccess, type ChainReader, controlNode, until } from '@causeway/core/testing'
import { STATUS } from './engine/ledgerTx.js'

const NATIVE = /^(0|0x0{40})$/

/** A transaction as the exchange shows it, as far as tests read it. */
export interface ShownTx {
  readonly hash: string
  readonly status: number
  readonly block_height: number
  readonly info: string
}

interface ShownAccount {
  readonly collateral: string
  readonly assets: readonly { readonly asset_id: number; readonly balance: string }[]
}

/** A local exchange, read over its API. */
export class LighterReader implements ChainReader {
  constructor(readonly access: ChainAccess) {}

  async balance(holder: string, currency: string): Promise<bigint> {
    const by = holder.startsWith('0x') ? 'l1_address' : 'index'
    const path = `account?by=${by}&value=${holder}`
    const found = await this.ask<{ accounts: readonly ShownAccount[] }>(path, 'account not found')
    const [account] = found?.accounts ?? []
    const spot = account?.assets.find(({ asset_id }) => `${asset_id}` === currency)?.balance
    return BigInt(((NATIVE.test(currency) ? account?.collateral : spot) ?? '0').replace('.', ''))
  }

  async succeeded(transactionId: string): Promise<boolean> {
    const status = (await this.transaction(transactionId))?.status
    return status === STATUS.committed || status === STATUS.executed
  }

  /** Null: the exchange does not know it. */
  transaction(id: string): Promise<ShownTx | null> {
    return this.ask(`tx?by=hash&value=${id}`, 'transaction not found')
  }

  /** Waits until a block has a transaction. */
  inBlock(id: string): Promise<ShownTx> {
    return until(`${id} to be in a block`, async () => {
      const found = await this.transaction(id)
      return found !== null && found.block_height > 0 ? found : null
    })
  }

  /** Opens an account: a transfer to an index without one is refused. */
  freshAddress(): Promise<string> {
    return controlNode(this.access.endpoint.http, 'openAccount', bytesToHex(randomBytes(20)))
  }

  /** The answer of a call; null for the error `none`. @throws Error for another error */
  async ask<T>(call: string, none: string, init: RequestInit = {}): Promise<T | null> {
    const response = await fetch(`${this.access.endpoint.http}/api/v1/${call}`, init)
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    if (none !== '' && text.includes(none)) return null
    throw new Error(`The exchange refuses ${call.replace(/\?.*/, '')}: ${text}`)
  }
}
