import type { LocalAccount, LocalEvmChain } from '@causeway/chain-evm/testing'
import type { ChainReader, QuoteSteps, SignedDeposit, TestWallet } from '@causeway/core/testing'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { delegationTo, signedBatch, type UserCall } from '../gasless/executing.js'
import { until } from '../harness/until.js'
import type { ApiClient, Quote } from '../transfers/apiClient.js'

interface WalletDeps {
  readonly api: ApiClient
  readonly chain: LocalEvmChain
  readonly reader: ChainReader
}

/** What is signed, as a step says it. */
interface SignedData {
  readonly sign: {
    readonly domain: Readonly<Record<string, never>>
    readonly types: Readonly<Record<string, never>>
    readonly primaryType: string
    readonly value: Readonly<Record<string, never>>
  }
  readonly post: { readonly endpoint: string; readonly body: { readonly requestId: Hex } }
}

/** An account without any gas: it signs, and the service sends its deposit. */
export abstract class GaslessWallet implements TestWallet {
  readonly chain: ChainReader
  protected readonly deps: WalletDeps
  protected readonly account: LocalAccount

  constructor(deps: WalletDeps) {
    this.deps = deps
    this.chain = deps.reader
    const privateKey = generatePrivateKey()
    this.account = { address: privateKeyToAccount(privateKey).address, privateKey }
  }

  get address(): Address {
    return this.account.address
  }

  async prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote's answer.
    const { requestId, post } = await this.sign(steps as Quote['steps'])
    return {
      send: async () => {
        await post()
        return until('the deposit that the service sent', async () => {
          const { inTxHashes } = await this.deps.api.status(requestId)
          return inTxHashes[0] ?? null
        })
      },
      feesPaid: async () => 0n,
    }
  }

  /** Signs what the steps say; posting it is left to the caller. */
  protected abstract sign(steps: Quote['steps']): Promise<{ readonly requestId: Hex; post(): Promise<void> }>
}

/** Signs a permit of the token (wire.md F.2): one signature, nothing before it. */
export class PermitWallet extends GaslessWallet {
  protected async sign([step, ...more]: Quote['steps']) {
    const [item] = step?.items ?? []
    if (step?.kind !== 'signature' || item === undefined || more.length > 0)
      throw new Error('The quote asks for more than one signature')
    // CAST: the data of a step of kind `signature`.
    const { sign, post } = item.data as SignedData
    const { domain, types, primaryType, value: message } = sign
    const signer = privateKeyToAccount(this.account.privateKey)
    const signature = await signer.signTypedData({ domain, types, primaryType, message })
    const path = `${post.endpoint}?signature=${signature}`
    return {
      requestId: post.body.requestId,
      post: async () => {
        await this.deps.api.json(path, { body: post.body })
      },
    }
  }
}

interface BatchSteps {
  readonly requestId: Hex
  readonly items: readonly [{ readonly data: UserCall }]
}

/** Signs the transactions of a quote as one batch, and that its account runs batches from now on (EIP-7702; wire.md F.1). */
export class BatchWallet extends GaslessWallet {
  readonly #executor: Address

  constructor(deps: WalletDeps, executor: Address) {
    super(deps)
    this.#executor = executor
  }

  protected async sign(steps: Quote['steps']) {
    const { chain, api } = this.deps
    // CAST: the steps of a quote that is paid by transactions.
    const transactions = steps as unknown as readonly BatchSteps[]
    const [{ requestId }] = transactions as readonly [BatchSteps]
    const calls = transactions.map(({ items: [{ data }] }) => ({ to: data.to, data: data.data }))
    const place = { chain }
    const body = {
      executionKind: 'rawCalls',
      data: {
        chainId: chain.chainId,
        to: this.address,
        data: await signedBatch(place, this.account, calls),
        value: '0',
        authorizationList: [await delegationTo(place, this.account, this.#executor)],
      },
      requestId,
    }
    return {
      requestId,
      post: async () => {
        await api.json('/execute', { body })
      },
    }
  }
}
