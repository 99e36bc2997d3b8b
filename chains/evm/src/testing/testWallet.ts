import { randomBytes } from 'node:crypto'
import {
  type ChainAccess,
  type ChainReader,
  prepareDeposit,
  type QuoteSteps,
  type SignedDeposit,
  type TestWallet,
} from '@causeway/core/testing'
import { createPublicClient, erc20Abi, type Hex, http, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ZERO_ADDRESS } from '../address/addresses.js'

/** An EVM chain, read at its node. */
export class EvmReader implements ChainReader {
  readonly chainId: number
  readonly client: PublicClient

  constructor({ chainId, endpoint }: ChainAccess) {
    this.chainId = chainId
    this.client = createPublicClient({ transport: http(endpoint.http), pollingInterval: 20, cacheTime: 0 })
  }

  balance(holder: string, currency: string): Promise<bigint> {
    // CAST: addresses of these chains are hex text.
    const [account, token] = [holder as Hex, currency as Hex]
    if (currency === ZERO_ADDRESS) return this.client.getBalance({ address: account })
    return this.client.readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [account] })
  }

  async succeeded(transactionId: string): Promise<boolean> {
    try {
      // CAST: as above.
      return (await this.client.getTransactionReceipt({ hash: transactionId as Hex })).status === 'success'
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return false
      throw error
    }
  }

  freshAddress(): string {
    return `0x${randomBytes(20).toString('hex')}`
  }
}

/** The transaction of a quote's step, as a wallet gets it (wire.md A.5). */
interface StepTransaction {
  readonly to: Hex
  readonly data: Hex
  readonly value: string
  readonly maxFeePerGas: string
  readonly maxPriorityFeePerGas: string
  readonly gas?: string
}

/** One user's key on one EVM chain. */
export class EvmWallet implements TestWallet {
  readonly #account: PrivateKeyAccount

  constructor(
    readonly chain: EvmReader,
    walletKey: string,
  ) {
    // CAST: keys of these chains are hex text; anything else is refused.
    this.#account = privateKeyToAccount(walletKey as Hex)
  }

  get address(): Hex {
    return this.#account.address
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    const { client } = this.chain
    // CAST: the steps of a quote for this chain.
    return prepareDeposit(steps, (data) => data as StepTransaction, {
      sign: (transaction) => this.#sign(transaction),
      send: (serializedTransaction) => client.sendRawTransaction({ serializedTransaction }),
      // CAST: the hash that `send` returned.
      feeOf: (hash) => this.#feeOf(hash as Hex),
    })
  }

  async #sign({ to, data, ...rest }: StepTransaction): Promise<Hex> {
    const { client, chainId } = this.chain
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

  async #feeOf(hash: Hex): Promise<bigint> {
    const receipt = await this.chain.client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`Transaction ${hash} failed`)
    return receipt.gasUsed * receipt.effectiveGasPrice
  }
}
