import { randomBytes } from 'node:crypto'
import { createPublicClient, erc20Abi, type Hex, http, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Quote } from './apiClient.js'
import type { SandboxChainInfo } from './sandboxProcess.js'
import type { Currency, DemoChain, SignedDeposit, Wallet } from './wallet.js'

const NATIVE = '0x0000000000000000000000000000000000000000'

/** An EVM chain, read at its node. */
export class EvmDemoChain implements DemoChain {
  readonly id: number
  readonly name: string
  readonly depository: string
  readonly currencies: readonly Currency[]
  readonly unlisted: readonly Currency[]
  readonly nativeAddress = NATIVE
  readonly client: PublicClient

  constructor(info: SandboxChainInfo) {
    this.id = info.id
    this.name = info.name
    this.depository = info.depository
    this.currencies = info.currencies
    this.unlisted = info.unlisted
    this.client = createPublicClient({ transport: http(info.rpcUrl), pollingInterval: 20, cacheTime: 0 })
  }

  balance(holder: string, currency: Currency): Promise<bigint> {
    // CAST: holders are addresses in hex text.
    const address = holder as Hex
    if (currency.address === NATIVE) return this.client.getBalance({ address })
    return this.client.readContract({
      abi: erc20Abi,
      // CAST: addresses of these chains are hex text.
      address: currency.address as Hex,
      functionName: 'balanceOf',
      args: [address],
    })
  }

  async succeeded(hash: string): Promise<boolean> {
    return (await this.client.getTransactionReceipt({ hash: hash as Hex })).status === 'success'
  }

  freshAddress(): string {
    return `0x${randomBytes(20).toString('hex')}`
  }
}

/** The transaction of a quote's step, as a wallet gets it (wire.md 1.4). */
interface StepTransaction {
  readonly to: Hex
  readonly data: Hex
  readonly value: string
  readonly maxFeePerGas: string
  readonly maxPriorityFeePerGas: string
  readonly gas?: string
}

/** One user's key on one EVM chain. */
export class EvmWallet implements Wallet {
  readonly chain: EvmDemoChain
  readonly #account: PrivateKeyAccount

  constructor(chain: EvmDemoChain, privateKey: Hex) {
    this.chain = chain
    this.#account = privateKeyToAccount(privateKey)
  }

  get address(): Hex {
    return this.#account.address
  }

  /** Sends every transaction of the quote but the last, each in a block before the next, and signs the last: the deposit. */
  async prepare({ steps }: Quote): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain (wire.md A.5).
    const transactions = steps.flatMap(({ items }) => items.map(({ data }) => data as StepTransaction))
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
        ? // As wallets do: a pool may write more in the next block than in the one the estimate ran in.
          client.estimateGas({ account: this.address, to, data, value }).then((gas) => (gas * 3n) / 2n)
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
