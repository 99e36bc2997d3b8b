import { randomBytes } from 'node:crypto'
import { type ChainAccess, type ChainReader, until } from '@causeway/core/testing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { accountIdOf, tokenIdOf } from './engine/values.js'
import { applyBodies } from './node/applyBodies.js'

const NATIVE = /^(0\.0\.0|0x0{40})$/

/** A transaction as the mirror node lists it, as far as a test reads it. */
export interface MirrorTransaction {
  readonly result: string
  readonly nonce: number
  readonly charged_tx_fee: number
  readonly consensus_timestamp: string
}

interface NodeJson {
  readonly node_account_id: string
  readonly service_endpoints: readonly { readonly ip_address_v4: string; readonly port: number }[]
}

/** Hedera, read at a mirror node. */
export class HederaReader implements ChainReader {
  constructor(readonly access: ChainAccess) {}

  async balance(holder: string, currency: string): Promise<bigint> {
    if (NATIVE.test(currency)) {
      const found = await this.get(`/accounts/${holder}?transactions=false`)
      return found === null ? 0n : integerIn(found, 'balance')
    }
    const found = await this.get(`/accounts/${holder}/tokens?token.id=${currency}`)
    return found?.includes('"token_id"') ? integerIn(found, 'balance') : 0n
  }

  async succeeded(transactionId: string): Promise<boolean> {
    return (await this.transaction(transactionId))?.result === 'SUCCESS'
  }

  /** The transaction with this id and no nonce; null if the mirror node does not know it. */
  async transaction(id: string): Promise<MirrorTransaction | null> {
    const mirrorId = id.replace(/@(\d+)\./, '-$1-')
    const found = await this.get(`/transactions/${mirrorId}?nonce=0&scheduled=false`)
    if (found === null) return null
    // CAST: the shape of the mirror API.
    const { transactions } = JSON.parse(found) as { readonly transactions: readonly MirrorTransaction[] }
    return transactions.find(({ result }) => result !== 'DUPLICATE_TRANSACTION') ?? null
  }

  /** Opens an account with a key of its own, associated with the currency. */
  async freshAddress(currency?: string): Promise<string> {
    const key = { ECDSASecp256k1: secp256k1.getPublicKey(randomBytes(32), true) }
    const account = (await applyBodies(this.access, [{ cryptoCreateAccount: { key } }]))[0]?.account ?? ''
    if (currency !== undefined && !NATIVE.test(currency)) {
      const body = { tokenAssociate: { account: accountIdOf(account), tokens: [tokenIdOf(currency)] } }
      await applyBodies(this.access, [body])
    }
    return account
  }

  /** Waits until the mirror node knows a transaction. */
  included(id: string): Promise<MirrorTransaction> {
    return until(`${id} to be known`, () => this.transaction(id))
  }

  /** Id of the account that has an EVM address. @throws Error if there is none */
  async accountId(address: string): Promise<string> {
    const found = await this.get(`/accounts/${address}?transactions=false`)
    if (found === null) throw new Error(`${address} has no account`)
    return JSON.parse(found).account
  }

  /** Consensus nodes, as the SDK takes them. */
  async nodes(): Promise<Record<string, string>> {
    const { nodes } = JSON.parse((await this.get('/network/nodes')) ?? '')
    const all = nodes as readonly NodeJson[]
    return Object.fromEntries(
      all.flatMap(({ node_account_id, service_endpoints }) =>
        service_endpoints.map(({ ip_address_v4, port }) => [`${ip_address_v4}:${port}`, node_account_id]),
      ),
    )
  }

  /** The network's time in nanoseconds, also if its clock was set forward. */
  async time(): Promise<bigint> {
    const { blocks } = JSON.parse((await this.get('/blocks?limit=1')) ?? '')
    const newest = BigInt(blocks[0].timestamp.to.replace('.', ''))
    const here = BigInt(Date.now()) * 1_000_000n
    return newest > here ? newest : here
  }

  /** Text of an answer; null for a status of 404. @throws Error for another status */
  async get(path: string): Promise<string | null> {
    const response = await fetch(`${this.access.endpoint.http}/api/v1${path}`)
    if (response.status === 404) return null
    if (response.ok) return response.text()
    throw new Error(`The mirror node answered ${response.status}: ${await response.text()}`)
  }
}

/** The first integer with a name in JSON, which may be above 2^53. */
const integerIn = (json: string, name: string): bigint => BigInt(new RegExp(`"${name}":(-?\\d+)`).exec(json)?.[1] ?? 0)
