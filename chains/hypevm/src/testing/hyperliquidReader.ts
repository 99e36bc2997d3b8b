import { randomBytes } from 'node:crypto'
import { type ChainAccess, type ChainReader, controlNode } from '@causeway/core/testing'
import { NATIVE } from './engine/funding.js'
import { askExchange } from './node/askExchange.js'
import type { ShownUpdate } from './server/updates.js'

/** Characters of a token id; the name of a builder DEX follows. */
const TOKEN_ID_LENGTH = NATIVE.length

const isPerps = (currency: string): boolean => /^0x(?:0{32}|0{40})$/.test(currency)

/** Id of a payment of the service: sender and nonce. A hash of this form is possible, and unlikely. */
const PAYMENT = /^0x([0-9a-f]{40})(0{10}[0-9a-f]{14})$/

/** Decimal places of the service for USDC. */
const USDC_DECIMALS = 8

interface SpotState {
  readonly balances: readonly { readonly token: number; readonly total: string }[]
}

interface SpotMeta {
  readonly tokens: readonly { readonly tokenId: string; readonly index: number; readonly szDecimals: number }[]
}

/** Decimal text in the smallest unit; more decimal places are cut off. */
const unitsOf = (text: string, decimals: number): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** Hyperliquid, read over HTTP. */
export class HyperliquidReader implements ChainReader {
  constructor(readonly access: ChainAccess) {}

  /** In units of the service. */
  async balance(holder: string, currency: string): Promise<bigint> {
    if (isPerps(currency)) return this.#perps(holder, '')
    const dex = Buffer.from(currency.slice(TOKEN_ID_LENGTH), 'hex').toString('utf8')
    return dex === '' ? this.#spot(holder, currency.toLowerCase()) : this.#perps(holder, dex)
  }

  /** Whether the explorer shows a transaction without an error, or the sender's ledger the nonce of a payment. */
  async succeeded(transactionId: string): Promise<boolean> {
    const [, user, nonce] = PAYMENT.exec(transactionId) ?? []
    if (user !== undefined && nonce !== undefined) {
      const updates = await this.updates(`0x${user}`)
      if (updates.some(({ delta }) => delta.user === `0x${user}` && delta.nonce === Number.parseInt(nonce, 16)))
        return true
    }
    const { tx } = await askExchange<{ readonly tx?: { readonly error: string | null } }>(this.access, 'explorer', {
      ...{ type: 'txDetails', hash: transactionId },
    })
    return tx?.error === null
  }

  /** USDC opens an account; for another token the account is open. */
  async freshAddress(currency = NATIVE): Promise<string> {
    const address = `0x${randomBytes(20).toString('hex')}`
    if (!isPerps(currency)) await controlNode(this.access.endpoint.http, 'open', address)
    return address
  }

  /** Ledger updates of an account, oldest first. */
  updates(user: string, startTime = 0, endTime?: number): Promise<readonly ShownUpdate[]> {
    return this.info('userNonFundingLedgerUpdates', { user, startTime, endTime })
  }

  /** Unix milliseconds of the newest block. */
  async time(): Promise<number> {
    return (await this.info<{ readonly time: number }>('exchangeStatus')).time
  }

  info<T>(type: string, params: object = {}): Promise<T> {
    return askExchange(this.access, 'info', { type, ...params })
  }

  async #perps(user: string, dex: string): Promise<bigint> {
    const { withdrawable } = await this.info<{ readonly withdrawable: string }>('clearinghouseState', { user, dex })
    return unitsOf(withdrawable, USDC_DECIMALS)
  }

  async #spot(user: string, tokenId: string): Promise<bigint> {
    const [{ tokens }, { balances }] = await Promise.all([
      this.info<SpotMeta>('spotMeta'),
      this.info<SpotState>('spotClearinghouseState', { user }),
    ])
    const token = tokens.find((one) => one.tokenId === tokenId)
    if (token === undefined) throw new Error(`${tokenId} is not a token of the exchange`)
    return unitsOf(balances.find((one) => one.token === token.index)?.total ?? '0', token.szDecimals)
  }
}
