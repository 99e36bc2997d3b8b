import { randomBytes } from 'node:crypto'
import type { ChainAccess, ChainReader } from '@causeway/core/testing'
import type { AccountInfoResponse, AccountLinesResponse, TxResponse } from 'xrpl'
import { accountOfSecret } from './accountOfSecret.js'
import { callNode, NodeError } from './node/callNode.js'
import { fundingTransactions, trustTransaction } from './node/funding.js'
import { issuedOf, issuedUnits } from './node/issuedUnits.js'
import { applyAll } from './sandboxChain.js'

/** Drops that open an account and a line of it. */
const OPENS = 10_000_000n

/** The XRP Ledger, read at its node over JSON-RPC. */
export class XrpReader implements ChainReader {
  readonly access: ChainAccess

  constructor(access: ChainAccess) {
    this.access = access
  }

  async balance(holder: string, currency: string): Promise<bigint> {
    const issued = issuedOf(currency)
    if (issued === null) {
      const info = await this.#ask<AccountInfoResponse>('account_info', { account: holder }, 'actNotFound')
      return BigInt(info?.account_data.Balance ?? 0)
    }
    const asked = { account: holder, peer: issued.issuer }
    const found = await this.#ask<AccountLinesResponse>('account_lines', asked, 'actNotFound')
    const line = found?.lines.find((one) => one.currency === issued.currency)
    return line === undefined ? 0n : issuedUnits(line.balance)
  }

  async succeeded(transactionId: string): Promise<boolean> {
    const found = await this.transaction(transactionId)
    if (found?.validated !== true || typeof found.meta !== 'object') return false
    return found.meta.TransactionResult === 'tesSUCCESS'
  }

  /** Null: the node does not know it. */
  transaction(id: string): Promise<TxResponse['result'] | null> {
    return this.#ask<TxResponse>('tx', { transaction: id }, 'txnNotFound')
  }

  /** For an issued currency an account has to be there, and to trust it; for XRP a payment opens it. */
  async freshAddress(currency?: string): Promise<string> {
    const address = accountOfSecret(randomBytes(32))
    if (currency === undefined || issuedOf(currency) === null) return address
    await applyAll(this.access, [...fundingTransactions(address, OPENS), trustTransaction(address, currency)])
    return address
  }

  /** Null for the error that means there is none. @throws NodeError for another one */
  async #ask<T extends { readonly result: unknown }>(
    command: string,
    params: Readonly<Record<string, unknown>>,
    none: string,
  ): Promise<T['result'] | null> {
    try {
      const asked = { api_version: 2, ledger_index: 'validated', ...params }
      return await callNode<T['result']>(this.access.endpoint.http, command, [asked])
    } catch (error) {
      if (error instanceof NodeError && error.error === none) return null
      throw error
    }
  }
}
