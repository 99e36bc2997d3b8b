import { createPublicClient, erc20Abi, type Hex, http, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Quote, StepTransaction } from './apiClient.js'
import type { SandboxChainInfo } from './sandboxProcess.js'

export const NATIVE = '0x0000000000000000000000000000000000000000'

export interface Currency {
  readonly address: Hex
  readonly symbol: string
  readonly decimals: number
}

/** One chain, read directly at its node: the demo does not take the service's word for a balance. */
export class DemoChain {
  readonly id: number
  readonly name: string
  readonly depository: string
  readonly currencies: readonly Currency[]
  readonly client: PublicClient

  constructor(info: SandboxChainInfo) {
    this.id = info.id
    this.name = info.name
    this.depository = info.depository
    // CAST: addresses of the sandbox's chains are hex text.
    this.currencies = info.currencies as readonly Currency[]
    this.client = createPublicClient({ transport: http(info.rpcUrl), pollingInterval: 20, cacheTime: 0 })
  }

  /** @throws Error when the chain has no such currency */
  currency(symbol: string): Currency {
    const found = this.currencies.find((currency) => currency.symbol === symbol)
    if (found === undefined) throw new Error(`${this.name} has no ${symbol}`)
    return found
  }

  balance(holder: string, currency: Currency): Promise<bigint> {
    // CAST: holders are addresses in hex text.
    const address = holder as Hex
    if (currency.address === NATIVE) return this.client.getBalance({ address })
    return this.client.readContract({
      abi: erc20Abi,
      address: currency.address,
      functionName: 'balanceOf',
      args: [address],
    })
  }
}

/** A deposit, signed and not yet sent, with what came before it done. */
export interface SignedDeposit {
  /** Sends it; resolves with the time just before, of `performance.now()`. */
  send(): Promise<number>
  /** Native currency that this deposit and the approvals before it cost, once all are in blocks. @throws Error when one failed */
  gasPaid(): Promise<bigint>
}

/** One user's key on one chain. */
export class Wallet {
  readonly chain: DemoChain
  readonly #account: PrivateKeyAccount

  constructor(chain: DemoChain, privateKey: Hex) {
    this.chain = chain
    this.#account = privateKeyToAccount(privateKey)
  }

  get address(): Hex {
    return this.#account.address
  }

  /** Sends every transaction of the quote but the last, each in a block before the next, and signs the last: the deposit. */
  async prepare({ steps }: Quote): Promise<SignedDeposit> {
    const transactions = steps.flatMap(({ items }) => items.map(({ data }) => data))
    const deposit = transactions.pop()
    if (deposit === undefined) throw new Error('The quote has no transaction to send')
    const { client } = this.chain
    const hashes: Hex[] = []
    for (const transaction of transactions) {
      const hash = await client.sendRawTransaction({ serializedTransaction: await this.#sign(transaction) })
      await client.waitForTransactionReceipt({ hash })
      hashes.push(hash)
    }
    const serializedTransaction = await this.#sign(deposit)
    return {
      send: async () => {
        const sentAt = performance.now()
        hashes.push(await client.sendRawTransaction({ serializedTransaction }))
        return sentAt
      },
      gasPaid: async () => {
        const costs = await Promise.all(hashes.map((hash) => this.#costOf(hash)))
        return costs.reduce((sum, cost) => sum + cost, 0n)
      },
    }
  }

  async #sign({ to, data, ...rest }: StepTransaction): Promise<Hex> {
    const { client, id: chainId } = this.chain
    const value = BigInt(rest.value)
    const [nonce, gas] = await Promise.all([
      client.getTransactionCount({ address: this.address, blockTag: 'pending' }),
      rest.gas === undefined
        ? client.estimateGas({ account: this.address, to, data, value })
        : Promise.resolve(BigInt(rest.gas)),
    ])
    return this.#account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to,
      data,
      value,
      gas,
      maxFeePerGas: BigInt(rest.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(rest.maxPriorityFeePerGas),
    })
  }

  async #costOf(hash: Hex): Promise<bigint> {
    const receipt = await this.chain.client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`Transaction ${hash} on ${this.chain.name} failed`)
    return receipt.gasUsed * receipt.effectiveGasPrice
  }
}
