import { prepareDeposit, type QuoteSteps, type SignedDeposit, type TestWallet } from '@causeway/core/testing'
import type { Types } from 'tronweb'
import type { TronReader } from './tronReader.js'
import { addressOfSecret } from './wire/addresses.js'

/** A transfer of TRX, which pays a deposit address. */
export interface TransferStep {
  readonly type: 'TransferContract'
  readonly parameter: { readonly owner_address: string; readonly to_address: string; readonly amount: number }
  readonly chainId?: number
}

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
    return prepareDeposit(steps, (data) => data as TronStep | TransferStep, {
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
  async #sign(step: TronStep | TransferStep): Promise<Types.SignedTransaction> {
    const client = await this.chain.client()
    const answer = await (step.type === 'TransferContract' ? this.#transfer(step) : this.#call(step))
    const transaction = answer.transaction ?? answer
    if (transaction.txID === undefined)
      throw new Error(`The node refuses the step: ${textOf(answer.result?.message)} ${answer.Error ?? ''}`)
    // CAST: the answer of the node, of which `sign` checks what it uses.
    return client.trx.sign(transaction as Types.Transaction, this.#secret)
  }

  #transfer({ parameter }: TransferStep): Promise<MadeTransaction> {
    return this.#ask('wallet/createtransaction', { ...parameter, visible: false })
  }

  #call({ parameter }: TronStep): Promise<MadeTransaction> {
    const call = {
      ...parameter,
      data: parameter.data.replace(/^0x/, ''),
      call_value: Number(parameter.call_value ?? 0),
    }
    return this.#ask('wallet/triggersmartcontract', { ...call, fee_limit: FEE_LIMIT, visible: false })
  }

  async #ask(path: string, body: object): Promise<MadeTransaction> {
    const client = await this.chain.client()
    // CAST: the answer of the node, of which the caller checks what it uses.
    return (await client.fullNode.request(path, body, 'post')) as MadeTransaction
  }

  async #send(signed: Types.SignedTransaction): Promise<string> {
    const client = await this.chain.client()
    const answer = await client.trx.sendRawTransaction(signed)
    if (answer.result) return answer.txid
    throw new Error(`The node refuses the transaction: ${answer.code} ${textOf(answer.message)}`)
  }
}

/** A transaction that a node made, as such or beside a result. */
interface MadeTransaction extends Partial<Types.Transaction> {
  readonly transaction?: Types.Transaction
  readonly result?: { readonly message?: string }
  readonly Error?: string
}

const textOf = (hex = ''): string => Buffer.from(hex, 'hex').toString('utf8')
