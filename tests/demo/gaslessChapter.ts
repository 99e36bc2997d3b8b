import { adoptLocalChain, type LocalEvmChain } from '@causeway/chain-evm/testing'
import { batchExecutorAbi, batchExecutorBytecode } from '@causeway/contracts-abi'
import { type Hex, parseUnits } from 'viem'
import type { ApiClient } from '../transfers/apiClient.js'
import { currencyOf, nativeOf, type ServedChain } from '../transfers/servedChain.js'
import { money, Transfer } from '../transfers/transfer.js'
import { BatchWallet, type GaslessWallet, PermitWallet } from './gaslessWallets.js'
import { ms, screen, short } from './screen.js'

const DOLLARS = '65'

interface GaslessDeps {
  readonly api: ApiClient
  readonly from: ServedChain
  readonly to: ServedChain
}

/** Transfers of accounts that hold dollars and nothing else: they sign, and the service sends. */
export class GaslessChapter {
  readonly #deps: GaslessDeps
  readonly #chain: LocalEvmChain

  private constructor(deps: GaslessDeps, chain: LocalEvmChain) {
    this.#deps = deps
    this.#chain = chain
  }

  static async open(deps: GaslessDeps): Promise<GaslessChapter> {
    return new GaslessChapter(deps, await adoptLocalChain({ rpcUrl: deps.from.endpoint.http, pid: 0 }))
  }

  /** By a permit of the token. @throws Error when it is not filled */
  permit(): Promise<Transfer> {
    return this.#transfer(new PermitWallet(this.#walletDeps()), { usePermit: true })
  }

  /** By a batch that the account itself runs. @throws Error when it is not filled */
  async batch(): Promise<Transfer> {
    const executor = await this.#chain.deploy(batchExecutorAbi, batchExecutorBytecode)
    // CAST: an address of an EVM chain.
    return this.#transfer(new BatchWallet(this.#walletDeps(), executor as Hex), { originGasOverhead: 80_000 })
  }

  #walletDeps() {
    const { api, from } = this.#deps
    return { api, chain: this.#chain, reader: from.reader }
  }

  async #transfer(payer: GaslessWallet, more: Readonly<Record<string, unknown>>): Promise<Transfer> {
    const { api, from, to } = this.#deps
    const [coin, dollar] = [nativeOf(from), currencyOf(from, 'USDC')]
    const amount = parseUnits(DOLLARS, dollar.decimals)
    await this.#chain.fund(payer.address, amount, dollar.address)
    const transfer = await Transfer.open(api, { from, payer, to, symbol: 'USDC', amount, more })
    await transfer.send()
    await transfer.waitFor('success')
    const { depositToFillMs } = transfer.report
    screen.fact('fill', `${ms(depositToFillMs)} after it was signed, ${short(transfer.payoutHash)} on ${to.name}`)
    const left = await Promise.all([coin, dollar].map(({ address }) => from.reader.balance(payer.address, address)))
    if (left.some((balance) => balance !== 0n)) throw new Error(`${payer.address} should hold nothing, not ${left}`)
    const got = money(transfer.amountOut, transfer.currencyOut)
    screen.good(`${money(amount, dollar)} became ${got}; the sender never had any ${coin.symbol}`)
    return transfer
  }
}
