import { type Hex, larger } from '@causeway/core'
import type {
  ContractReport,
  ContractRequest,
  ContractSession,
  ContractStep,
  SignedStep,
  StepOutcome,
} from '@causeway/core/chain'
import { SetupError } from '@causeway/core/chain'
import { JsonRpcClient, resultOf } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { keccak256 } from 'viem/utils'
import { addressOfSigner, signTransaction } from '../lane/laneTransaction.js'
import { minPriorityFeeOf } from '../options.js'
import { evmProtocol } from '../rpc/evmProtocol.js'
import { hasFailed } from '../rpc/receipts.js'
import type { RpcBlock, RpcReceipt } from '../rpc/wire.js'
import { FACTORY_SENDER, FACTORY_TRANSACTION } from './contractAddresses.js'
import { type CallOfStep, contractWishes, FACTORY_STEP, type Fees } from './contractWishes.js'
import { readContracts } from './readContracts.js'

/** The contracts of one EVM chain: looked at, and the transactions that are lacking signed. */
export class EvmContracts implements ContractSession {
  readonly #request: ContractRequest
  readonly #rpc: JsonRpcClient
  readonly #calls = new Map<string, CallOfStep>()
  #fees: Fees | null = null

  constructor(request: ContractRequest) {
    this.#request = request
    const { id, rpc: endpoints } = request.config
    const logger = pino({ level: 'silent' })
    this.#rpc = new JsonRpcClient({ protocol: evmProtocol(id), endpoints, timeoutMs: request.timeoutMs, logger })
  }

  async inspect(): Promise<ContractReport> {
    const wishes = contractWishes(this.#request)
    this.#fees = await this.#readFees()
    const { steps, calls, funds } = await readContracts(this.#rpc, wishes, this.#fees)
    this.#calls.clear()
    for (const [id, call] of calls) this.#calls.set(id, call)
    const gwei = (wei: bigint) => `${Number((wei * 100n) / 10n ** 9n) / 100} gwei`
    return {
      steps,
      funds,
      options: wishes.options,
      native: { symbol: wishes.symbol, decimals: 18 },
      price: `${gwei(this.#fees.expected)} for one gas now, at most ${gwei(this.#fees.max)}; a rollup adds its data fee`,
    }
  }

  async sign(step: ContractStep, replaces: SignedStep | null): Promise<SignedStep> {
    if (step.id === FACTORY_STEP) {
      const txId = keccak256(FACTORY_TRANSACTION)
      return { txId, raw: FACTORY_TRANSACTION, account: FACTORY_SENDER, nonce: 0, price: '0' }
    }
    const call = this.#calls.get(step.id)
    const signer = step.payer === 'deployer' || step.payer === 'payout' ? this.#request.keys[step.payer] : null
    if (call === undefined || signer === null) throw new SetupError(`"${step.title}" cannot be signed here.`)
    const from = addressOfSigner(signer)
    const { max, tip, legacy } = await this.#readFees()
    // Nodes take the place of a pending transaction only for a tenth more.
    const least = replaces === null ? 0n : (BigInt(replaces.price) * 9n) / 8n + 1n
    const price = max > least ? max : least
    const priority = legacy || replaces !== null ? price : tip
    const nonce = replaces?.nonce ?? (await this.#nonce(from, 'pending'))
    const signed = await signTransaction(
      {
        type: legacy ? 'legacy' : 'eip1559',
        chainId: this.#request.config.id,
        from,
        nonce,
        to: call.to,
        data: call.data,
        value: call.value,
        gas: call.gas,
        maxFeePerGas: price,
        maxPriorityFeePerGas: priority,
      },
      signer,
    )
    return { ...signed, account: from, nonce, price: price.toString() }
  }

  async send({ raw }: SignedStep): Promise<void> {
    // To every endpoint: what one of them drops, another passes on. An error may hide success; the outcome tells.
    const sent = this.#rpc.endpoints.map((endpoint) =>
      endpoint.batch([{ method: 'eth_sendRawTransaction', params: [raw] }]).catch(() => []),
    )
    const outcomes = (await Promise.all(sent)).flat()
    const refused = outcomes.find((outcome) => !outcome.ok && /replay-protected|EIP-?155/i.test(errorText(outcome)))
    if (refused !== undefined && raw === FACTORY_TRANSACTION)
      throw new SetupError(
        `The nodes of this chain refuse transactions without a chain id, and so the deterministic deployment proxy. Send its transaction through a node that takes it (geth: --rpc.allow-unprotected-txs), or ask the chain's operators for the proxy, and run this again.`,
      )
  }

  async outcome({ txId, account, nonce }: SignedStep): Promise<StepOutcome> {
    const known = await this.#receiptState(txId)
    if (known !== null) return known
    const mined = await this.#nonce(account, 'latest')
    if (mined <= nonce) return 'open'
    // Its receipt may have come between the two questions.
    return (await this.#receiptState(txId)) ?? 'gone'
  }

  close(): void {
    this.#rpc.close()
  }

  async #receiptState(txId: string): Promise<'landed' | 'failed' | null> {
    const receipt = await this.#rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [txId])
    if (receipt === null) return null
    // Where the node does not say, the next look at the chain shows what is lacking.
    return hasFailed(receipt) ? 'failed' : 'landed'
  }

  async #nonce(address: string, at: 'latest' | 'pending'): Promise<number> {
    return Number(await this.#rpc.call<Hex>('eth_getTransactionCount', [address, at]))
  }

  async #readFees(): Promise<Fees> {
    const { id, options } = this.#request.config
    const legacy = options.feeMode === 'legacy'
    const least = minPriorityFeeOf(id, options.minPriorityFee)
    const [block, price, tip] = await this.#rpc.batch([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_gasPrice', params: [] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ])
    const gasPrice = BigInt(resultOf<Hex>(price, 'eth_gasPrice'))
    const baseFee = BigInt(resultOf<RpcBlock>(block, 'eth_getBlockByNumber').baseFeePerGas ?? '0x0')
    if (legacy) {
      const price = larger(gasPrice, least)
      return { legacy, max: larger((gasPrice * 11n) / 10n, price), tip: price, expected: price }
    }
    const named = tip?.ok === true ? BigInt(String(tip.result)) : gasPrice > baseFee ? gasPrice - baseFee : 1n
    const given = larger(named, least)
    return { legacy, max: 2n * baseFee + given, tip: given, expected: baseFee + given }
  }
}

const errorText = (outcome: { readonly ok: boolean }): string =>
  String(Reflect.get(Object(Reflect.get(outcome, 'error')), 'message') ?? '')
