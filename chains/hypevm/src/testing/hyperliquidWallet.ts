import { formatAmount } from '@causeway/core'
import {
  type ChainAccess,
  type PostSignature,
  prepareDeposit,
  type QuoteSteps,
  type SignedDeposit,
  type TestWallet,
  until,
} from '@causeway/core/testing'
import type { Hex, PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readAmount } from './engine/amounts.js'
import { USER_SIGNED } from './engine/signing/actions.js'
import { networkOf, spotUsdcOf } from './engine/tokens.js'
import { HyperliquidReader } from './hyperliquidReader.js'
import { askExchange } from './node/askExchange.js'

/** A deposit as a quote's step has it (chains.md hypevm 3). */
export interface DepositStep {
  readonly action: { readonly type: string; readonly parameters: Readonly<Record<string, unknown>> }
  readonly nonce: number
  readonly eip712Types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly eip712PrimaryType: string
}

/** Body of `/exchange`. */
export interface ExchangeBody {
  readonly action: Readonly<Record<string, unknown>>
  readonly nonce: number
  readonly signature: { readonly r: string; readonly s: string; readonly v: number }
}

/** A transfer of a plain wallet: of perps USDC unless it names a DEX or a token. */
export interface AssetTransfer {
  readonly destination: string
  /** In 10^-8. */
  readonly amount: bigint
  readonly token?: string
  readonly sourceDex?: string
  readonly destinationDex?: string
  readonly fromSubAccount?: string
  readonly nonce?: number
}

/** A chain that wallets are connected to: not that of the exchange. */
const WALLET_CHAIN = 421_614

interface ExchangeAnswer {
  readonly status: string
  readonly response: unknown
}

/** Account of a key of 32 bytes of hex. @throws Error for another key */
export const accountOfKey = (key: string): PrivateKeyAccount => {
  if (!/^0x[0-9a-f]{64}$/i.test(key)) throw new Error('The key is not 32 bytes of hex')
  // CAST: checked above.
  return privateKeyToAccount(key as Hex)
}

/** A step that is only signed (wire.md A.4). */
interface SignatureStep {
  readonly sign: {
    readonly domain: object
    readonly types: Readonly<Record<string, { name: string; type: string }[]>>
    readonly primaryType: string
    readonly value: Record<string, unknown>
  }
  readonly post: { readonly endpoint: string; readonly body: unknown }
}

const isSignature = (data: unknown): data is SignatureStep => typeof Reflect.get(Object(data), 'sign') === 'object'

const isDeposit = (data: unknown): data is DepositStep => typeof Reflect.get(Object(data), 'action') === 'object'

/** A user's EVM key on Hyperliquid. It signs and posts deposits as the public client SDK does. */
export class HyperliquidWallet implements TestWallet {
  readonly chain: HyperliquidReader
  readonly address: string
  readonly #account: PrivateKeyAccount
  #lastNonce = 0

  constructor(access: ChainAccess, walletKey: string) {
    this.#account = accountOfKey(walletKey)
    this.address = this.#account.address.toLowerCase()
    this.chain = new HyperliquidReader(access)
  }

  /** Signs and posts the steps before the deposit: nonce mappings. */
  async prepare(steps: QuoteSteps, post?: PostSignature): Promise<SignedDeposit> {
    const all = steps.flatMap(({ items }) => items.map(({ data }) => data))
    if (post !== undefined)
      for (const step of all.filter(isSignature)) await post(step.post, await this.#signStep(step))
    const deposits = steps.map(({ items }) => ({ items: items.filter(({ data }) => isDeposit(data)) }))
    // CAST: others were left out.
    return prepareDeposit(deposits, (data) => data as DepositStep, {
      sign: (step) => this.sign(step),
      send: (body) => this.send(body),
      feeOf: (hash) => this.#feeOf(hash),
    })
  }

  /** USDC that the sender of a transfer paid to open an account. @throws Error if the transfer failed */
  async #feeOf(hash: string): Promise<bigint> {
    if (!(await this.chain.succeeded(hash))) throw new Error(`Action ${hash} failed`)
    const update = (await this.chain.updates(this.address)).find((one) => one.hash === hash)
    const isCharged = update?.delta.feeToken === 'USDC' && update.delta.sourceDex === ''
    return isCharged ? readAmount(String(update?.delta.fee), 8, 8) : 0n
  }

  #signStep({ sign: { domain, types, primaryType, value } }: SignatureStep): Promise<string> {
    return this.#account.signTypedData({ domain, types, primaryType, message: value })
  }

  /** Signs a step for the chain that the wallet is connected to. */
  async sign(step: DepositStep, walletChain = WALLET_CHAIN): Promise<ExchangeBody> {
    const { action, nonce, eip712Types, eip712PrimaryType } = step
    const signatureChainId = `0x${walletChain.toString(16)}`
    const message = { ...action.parameters, type: action.type, signatureChainId }
    const signature = await this.#account.signTypedData({
      domain: {
        ...{ name: 'HyperliquidSignTransaction', version: '1', chainId: walletChain },
        verifyingContract: `0x${'0'.repeat(40)}`,
      },
      // CAST: a step is JSON, without the literal types of viem.
      types: { ...eip712Types } as Record<string, { name: string; type: string }[]>,
      ...{ primaryType: eip712PrimaryType, message },
    })
    const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
    return { action: message, nonce, signature: { r, s, v: Number.parseInt(signature.slice(130), 16) } }
  }

  /** Posts a signed action. Returns the hash of its ledger update. @throws Error with the refusal */
  async send(body: ExchangeBody): Promise<string> {
    const since = await this.chain.time()
    const { status, response } = await this.post(body)
    if (status !== 'ok') throw new Error(`The exchange refuses the action: ${response}`)
    // An update of `usdSend` names no nonce: the newest one is meant.
    const hasNonce = body.action.type !== 'usdSend'
    return until(`the ledger update of nonce ${body.nonce}`, async () => {
      const updates = await this.chain.updates(String(body.action.fromSubAccount || this.address), since)
      return updates.findLast(({ delta }) =>
        hasNonce ? delta.nonce === body.nonce : delta.type === 'internalTransfer',
      )?.hash
    })
  }

  post(body: object): Promise<ExchangeAnswer> {
    return askExchange(this.chain.access, 'exchange', body)
  }

  /** Sends an asset. Returns its hash. @throws Error with the refusal */
  async sendAsset(transfer: AssetTransfer): Promise<string> {
    return this.send(await this.sign(await this.stepOf(transfer)))
  }

  /** Sends perps USDC, in 10^-8, without a nonce in the ledger update. Returns its hash. @throws Error with the refusal */
  usdSend({ destination, amount }: Pick<AssetTransfer, 'destination' | 'amount'>): Promise<string> {
    return this.#sendAs('usdSend', { destination: destination.toLowerCase(), amount: formatAmount(amount, 8) })
  }

  /** Sends a spot token, in 10^-8. Returns its hash. @throws Error with the refusal */
  spotSend({ destination, amount, token }: Pick<AssetTransfer, 'destination' | 'amount' | 'token'>): Promise<string> {
    const sent = token ?? `USDC:${spotUsdcOf(this.chain.access.chainId)}`
    return this.#sendAs('spotSend', {
      destination: destination.toLowerCase(),
      token: sent,
      amount: formatAmount(amount, 8),
    })
  }

  async #sendAs(type: string, parameters: object): Promise<string> {
    const nonce = await this.nextNonce()
    return this.send(await this.sign(this.#stepOf(type, { ...parameters, time: nonce }, nonce)))
  }

  /** A transfer as a step of a quote has it. */
  async stepOf(transfer: AssetTransfer): Promise<DepositStep> {
    const { destination, amount, token, sourceDex = '', destinationDex = sourceDex, fromSubAccount = '' } = transfer
    const { nonce = await this.nextNonce() } = transfer
    const sent = token ?? `USDC:${spotUsdcOf(this.chain.access.chainId)}`
    const parameters = {
      ...{ destination: destination.toLowerCase(), sourceDex, destinationDex, token: sent },
      ...{ amount: formatAmount(amount, 8), fromSubAccount, nonce },
    }
    return this.#stepOf('sendAsset', parameters, nonce)
  }

  #stepOf(type: string, parameters: object, nonce: number): DepositStep {
    const { primaryType = '', fields = [] } = USER_SIGNED[type] ?? {}
    const hyperliquidChain = networkOf(this.chain.access.chainId)
    const action = { type, parameters: { hyperliquidChain, ...parameters } }
    return { action, nonce, eip712Types: { [primaryType]: fields }, eip712PrimaryType: primaryType }
  }

  /** A nonce that this wallet did not give, at the time of the exchange. */
  async nextNonce(): Promise<number> {
    this.#lastNonce = Math.max(Date.now(), await this.chain.time(), this.#lastNonce + 1)
    return this.#lastNonce
  }
}
