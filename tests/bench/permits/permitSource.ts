import type { Hex } from '@causeway/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { NetworkChain } from '../../harness/localNetwork.js'
import { freshAddress } from '../../harness/transfer.js'
import type { BenchWorld } from '../benchWorld.js'

/** A quote whose deposit is signed for, and not handed in yet. */
export interface PreparedPermit {
  readonly recipient: string
  /** Resolves when the service has answered. */
  post(): Promise<void>
}

const QUOTES_AT_ONCE = 8
const AMOUNT = 10_000_000n

interface SignedStep {
  readonly sign: {
    readonly domain: Readonly<Record<string, never>>
    readonly types: Readonly<Record<string, never>>
    readonly primaryType: string
    readonly value: Readonly<Record<string, never>>
  }
  readonly post: { readonly endpoint: string; readonly body: object }
}

/** Transfers of ten dollars that a user of their own only signs for (EIP-3009), each to a recipient of its own. */
export class PermitSource {
  readonly #origin: NetworkChain
  readonly #destination: NetworkChain

  constructor({ network }: BenchWorld) {
    ;[this.#origin, this.#destination] = network.chains
  }

  async prepare(url: string, count: number): Promise<PreparedPermit[]> {
    const prepared: PreparedPermit[] = []
    for (let at = 0; at < count; at += QUOTES_AT_ONCE) {
      const size = Math.min(QUOTES_AT_ONCE, count - at)
      prepared.push(...(await Promise.all(Array.from({ length: size }, () => this.#one(url)))))
    }
    return prepared
  }

  async #one(url: string): Promise<PreparedPermit> {
    const recipient = freshAddress()
    const [origin, destination] = [this.#origin, this.#destination]
    const account = privateKeyToAccount(generatePrivateKey())
    await origin.chain.fund(account.address, AMOUNT, origin.usdc)
    const { steps } = await postJson<{
      readonly steps: readonly { readonly items: readonly { readonly data: SignedStep }[] }[]
    }>(`${url}/quote`, {
      user: account.address,
      recipient,
      originChainId: origin.chain.chainId,
      destinationChainId: destination.chain.chainId,
      originCurrency: origin.usdc,
      destinationCurrency: destination.usdc,
      amount: AMOUNT.toString(),
      tradeType: 'EXACT_INPUT',
      usePermit: true,
    })
    const data = steps[0]?.items[0]?.data
    if (data === undefined) throw new Error('The quote has nothing to sign')
    const { domain, types, primaryType, value: message } = data.sign
    const signature: Hex = await account.signTypedData({ domain, types, primaryType, message })
    const { endpoint, body } = data.post
    return {
      recipient,
      post: async () => {
        await postJson(`${url}${endpoint}?signature=${signature}`, body)
      },
    }
  }
}

const postJson = async <Answer>(url: string, body: object): Promise<Answer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Refused: ${response.status} ${await response.text()}`)
  // CAST: the shape is the schema's.
  return (await response.json()) as Answer
}
