import { prepareDeposit, type QuoteSteps, type SignedDeposit, type TestWallet } from '@causeway/core/testing'
import type { Types } from 'tronweb'
import type { TronReader } from './tronReader.js'
import { addressOfSecret } from './wire/addresses.js'

/** The call of a quote's step (chains.md tvm 3); addresses are hex with the prefix `41`. */
export interface TronStep {
  readonly type?: 'TriggerSmartContract'
  readonly parameter: {
    readonly owner_address: string
    readonly contract_address: string
    /** Calldata. */
    readonly data: string
    /** Sun. */
    readonly call_value?: number | string
  }
  readonly chainId?: number
}

/** As public clients set it, in sun. */
export const FEE_LIMIT = 30_000_000

/** @throws Error for another text than 32 bytes of hex */
const secretOf = (key: string): string => {
  if (!/^0x[0-9a-f]{64}$/i.test(key)) throw new Error('The key is not 32 bytes of hex')
  return key.slice(2)
}

/** A user's key. */
export class TronWallet implements TestWallet {
  readonly address: string
  readonly #secret: string

  constructor(
    readonly chain: TronReader,
    walletKey: string,
  ) {
    this.#secret = secretOf(walletKey)
    this.address = addressOfSecret(Buffer.from(this.#secret, 'hex'))
  }

  prepare(steps: QuoteSteps): Promise<SignedDeposit> {
    // CAST: the steps of a quote for this chain.
    return prepareDeposit(steps, (data) => data as TronStep, {
      sign: (step) => this.#sign(step),
      send: (signed) => this.#send(signed),
      feeOf: async (id) => {
        const { succeeded, fee, result } = await this.chain.inBlock(id)
        if (!succeeded) throw new Error(`Transaction ${id} failed: ${result}`)
        return fee
      },
    })
  }

  /** As public clients do: the node makes the transaction, and the key signs it. */
  async #sign({ parameter }: TronStep): Promise<Types.SignedTransaction> {
    const client = await this.chain.client()
    const call = {
      ...parameter,
      data: parameter.data.replace(/^0x/, ''),
      call_value: Number(parameter.call_value ?? 0),
    }
    const body = { ...call, fee_limit: FEE_LIMIT, visible: false }
    // CAST: the answer of the node, of which `sign` checks what it uses.
    const answer = (await client.fullNode.request('wallet/triggersmartcontract', body, 'post')) as {
      readonly transaction?: Types.Transaction
      readonly result?: { readonly message?: string }
    }
    if (answer.transaction === undefined)
      throw new Error(`The node refuses the call: ${textOf(answer.result?.message)}`)
    return client.trx.sign(answer.transaction, this.#secret)
  }

  async #send(signed: Types.SignedTransaction): Promise<string> {
    const client = await this.chain.client()
    const answer = await client.trx.sendRawTransaction(signed)
    if (answer.result) return answer.txid
    throw new Error(`The node refuses the transaction: ${answer.code} ${textOf(answer.message)}`)
  }
}

const textOf = (hex = ''): string => Buffer.from(hex, 'hex').toString('utf8')
