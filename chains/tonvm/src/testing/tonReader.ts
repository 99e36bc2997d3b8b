import { randomBytes } from 'node:crypto'
import type { ChainAccess, ChainReader } from '@causeway/core/testing'
import { Address, type Transaction } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import { isNative } from './engine/funding.js'
import { JETTON_OPS } from './jetton/jettonMessages.js'
import { locate } from './node/controls.js'
import type { Located } from './node/openLocalTon.js'
import { walletOfSecret } from './walletOfSecret.js'

/** Most transactions that a payment of a test causes. */
const MOST_TRACED = 100
const PAGE = 100

/** TON, read over API v2. */
export class TonReader implements ChainReader {
  readonly client: TonClient

  constructor(readonly access: ChainAccess) {
    this.client = new TonClient({ endpoint: `${access.endpoint.http}/api/v2/jsonRPC` })
  }

  async balance(holder: string, currency: string): Promise<bigint> {
    if (isNative(currency)) return this.client.getBalance(Address.parse(holder))
    return this.client.open(JettonWallet.create(await this.jettonWallet(currency, holder))).getBalance()
  }

  /** Address of the wallet that holds an owner's units of a jetton. */
  jettonWallet(jetton: string, owner: string): Promise<Address> {
    return this.client.open(JettonMaster.create(Address.parse(jetton))).getWalletAddress(Address.parse(owner))
  }

  /** By the hash of a transaction, or of the external message that a wallet took. */
  async succeeded(id: string): Promise<boolean> {
    const found = await locate(this.access, id)
    if (found === null) return false
    const trace = await this.trace(found)
    return trace?.every(didAll) ?? false
  }

  /** A transaction and all that its messages caused, in the order of arrival; null as long as a message is on its way. */
  async trace({ account, lt, hash }: Located): Promise<readonly Transaction[] | null> {
    const base64 = Buffer.from(hash, 'hex').toString('base64')
    const first = await this.client.getTransaction(Address.parse(account), lt, base64)
    const found = first === null ? [] : [first]
    for (const { outMessages } of found) {
      for (const { info } of outMessages.values()) {
        if (info.type !== 'internal') continue
        const next = await this.#arrival(info.src, info.dest, info.createdLt)
        if (next === null || found.length > MOST_TRACED) return null
        found.push(next)
      }
    }
    return first === null ? null : found
  }

  freshAddress(): string {
    return walletOfSecret(randomBytes(32)).address.toRawString()
  }

  /** The newest block's time in unix seconds, also if the network's clock was set forward. */
  async time(): Promise<number> {
    const response = await fetch(`${this.access.endpoint.http}/block/latest`)
    return Number(Object(await response.json()).now)
  }

  /** Excesses and bounced messages are of the account's own payments, whose cost tells them. */
  async receivingFees(holder: string): Promise<bigint> {
    const address = Address.parse(holder)
    let [fees, from] = [0n, {}]
    for (;;) {
      const page = await this.client.getTransactions(address, { limit: PAGE, ...from })
      for (const { inMessage, totalFees } of page) {
        if (inMessage?.info.type !== 'internal' || inMessage.info.bounced) continue
        const body = inMessage.body.beginParse()
        const operation = body.remainingBits >= 32 ? body.loadUint(32) : 0
        if (operation === JETTON_OPS.excesses) continue
        fees += totalFees.coins - (operation === JETTON_OPS.transferNotification ? inMessage.info.value.coins : 0n)
      }
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return fees
      from = { lt: last.lt.toString(), hash: last.hash().toString('base64') }
    }
  }

  async #arrival(source: Address, destination: Address, createdLt: bigint): Promise<Transaction | null> {
    try {
      return await this.client.tryLocateResultTx(source, destination, `${createdLt}`)
    } catch (error) {
      if (refusalOf(error)?.includes('message not found')) return null
      throw error
    }
  }
}

/**
 * Whether a transaction did all that its message asked for. A message that does not bounce leaves its value also with an account that has no
 * code, and with one whose code cannot run for the nanoton of a notification.
 */
export const didAll = ({ description }: Transaction): boolean => {
  if (description.type !== 'generic' || description.bouncePhase) return false
  const { computePhase, actionPhase, aborted } = description
  if (computePhase.type === 'skipped') return true
  const didActions = !actionPhase || (actionPhase.success && actionPhase.skippedActions === 0)
  return computePhase.success && !aborted && didActions
}

/** The reason in an answer of the node; null for any other error. */
export const refusalOf = (error: unknown): string | null => {
  const { response } = Object(error)
  const text: unknown = response?.data?.error
  return typeof text === 'string' ? text : null
}
