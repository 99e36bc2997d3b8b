import type { LocalAccount, LocalEvmChain } from '@causeway/chain-evm/testing'
import { depositoryAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type Address, encodeFunctionData, maxUint256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { until } from '../harness/until.js'

const BATCH = 50

/** Signs token deposits ahead of time, so that sending one is a single call. */
export class Depositor {
  readonly #chain: LocalEvmChain
  readonly #account: ReturnType<typeof privateKeyToAccount>
  readonly #token: Address
  readonly #depository: Address
  #nonce = 0

  private constructor(chain: LocalEvmChain, user: LocalAccount, token: string, depository: string) {
    this.#chain = chain
    this.#account = privateKeyToAccount(user.privateKey)
    // CAST: addresses of the harness are hex text.
    this.#token = token as Address
    this.#depository = depository as Address
  }

  /** The user has tokens; the depository may take all of them afterwards. */
  static async open(chain: LocalEvmChain, user: LocalAccount, token: string, depository: string): Promise<Depositor> {
    const depositor = new Depositor(chain, user, token, depository)
    depositor.#nonce = Number(await chain.rpc<string>('eth_getTransactionCount', [user.address, 'pending']))
    const approve = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'approve',
      args: [depositor.#depository, maxUint256],
    })
    await depositor.sendAll([await depositor.#sign(depositor.#token, approve)])
    return depositor
  }

  get user(): LocalAccount['address'] {
    return this.#account.address
  }

  sign(orderId: Hex, amount: bigint): Promise<Hex> {
    const args = [this.#account.address, this.#token, amount, orderId] as const
    return this.#sign(this.#depository, encodeFunctionData({ abi: depositoryAbi, functionName: 'depositErc20', args }))
  }

  /** A plain transfer, as any wallet makes it. */
  signTransfer(to: string, amount: bigint): Promise<Hex> {
    // CAST: addresses of the harness are hex text.
    const args = [to as Address, amount] as const
    return this.#sign(this.#token, encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args }))
  }

  async send(raw: Hex): Promise<void> {
    await this.#chain.rpc('eth_sendRawTransaction', [raw])
  }

  /** Sends in batches; resolves when the last is in a block. */
  async sendAll(raws: readonly Hex[]): Promise<void> {
    let last: Hex | undefined
    for (let at = 0; at < raws.length; at += BATCH) {
      const sent = await Promise.all(
        raws.slice(at, at + BATCH).map((raw) => this.#chain.rpc<Hex>('eth_sendRawTransaction', [raw])),
      )
      last = sent.at(-1)
    }
    await until('the last deposit to be in a block', () => this.#chain.rpc('eth_getTransactionReceipt', [last]))
  }

  #sign(to: Address, data: Hex): Promise<Hex> {
    return this.#account.signTransaction({
      type: 'eip1559',
      chainId: this.#chain.chainId,
      nonce: this.#nonce++,
      to,
      data,
      gas: 200_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
  }
}
