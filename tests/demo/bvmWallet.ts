import { randomBytes } from 'node:crypto'
import { accountOf, accountOfWif, type BitcoinAccount } from '@causeway/chain-bvm/testing'
import { networks, Psbt } from 'bitcoinjs-lib'
import { until } from '../harness/until.js'
import type { Quote } from './apiClient.js'
import type { SandboxChainInfo } from './sandboxProcess.js'
import type { Currency, DemoChain, SignedDeposit, Wallet } from './wallet.js'

/** A Bitcoin chain, read at its node's Esplora. */
export class BvmDemoChain implements DemoChain {
  readonly id: number
  readonly name: string
  readonly depository: string
  readonly currencies: readonly Currency[]
  readonly unlisted: readonly Currency[]
  readonly nativeAddress: string
  readonly url: string

  constructor(info: SandboxChainInfo) {
    this.id = info.id
    this.name = info.name
    this.depository = info.depository
    this.currencies = info.currencies
    this.unlisted = info.unlisted
    this.nativeAddress = info.currencies[0]?.address ?? ''
    this.url = info.rpcUrl
  }

  /** What is in blocks. */
  async balance(holder: string): Promise<bigint> {
    const response = await fetch(`${this.url}/address/${holder}`)
    // CAST: Esplora's own answer.
    const { chain_stats: stats } = (await response.json()) as {
      readonly chain_stats: { readonly funded_txo_sum: number; readonly spent_txo_sum: number }
    }
    return BigInt(stats.funded_txo_sum) - BigInt(stats.spent_txo_sum)
  }

  async succeeded(hash: string): Promise<boolean> {
    return (await this.feeOf(hash)) !== null
  }

  /** What a transaction paid the network; null while it is in no block. */
  async feeOf(hash: string): Promise<bigint | null> {
    const response = await fetch(`${this.url}/tx/${hash}`)
    if (!response.ok) return null
    // CAST: Esplora's own answer.
    const { fee, status } = (await response.json()) as {
      readonly fee: number
      readonly status: { readonly confirmed: boolean }
    }
    return status.confirmed ? BigInt(fee) : null
  }

  freshAddress(): string {
    return accountOf(randomBytes(32)).addresses.p2tr
  }
}

/** One user's key on a Bitcoin chain. */
export class BvmWallet implements Wallet {
  readonly chain: BvmDemoChain
  readonly #account: BitcoinAccount

  /** `wif`: the key as wallets take it in. */
  constructor(chain: BvmDemoChain, wif: string) {
    this.chain = chain
    this.#account = accountOfWif(wif)
  }

  get address(): string {
    return this.#account.addresses.p2wpkh
  }

  async prepare({ steps }: Quote): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain (wire.md A.5).
    const [deposit] = steps.flatMap(({ items }) => items.map(({ data }) => data as { readonly psbt: string }))
    if (deposit === undefined) throw new Error('The quote has no transaction to send')
    const psbt = Psbt.fromHex(deposit.psbt, { network: networks.regtest }).signAllInputs(this.#account.key)
    const transaction = psbt.finalizeAllInputs().extractTransaction()
    return {
      send: async () => {
        const sentAt = performance.now()
        const response = await fetch(`${this.chain.url}/tx`, { method: 'POST', body: transaction.toHex() })
        if (!response.ok) throw new Error(`The deposit was refused: ${await response.text()}`)
        return sentAt
      },
      gasPaid: () =>
        until(`${transaction.getId()} to be in a block`, () => this.chain.feeOf(transaction.getId()), 30_000),
    }
  }
}
