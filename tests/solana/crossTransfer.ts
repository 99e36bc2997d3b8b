import { spawn } from 'node:child_process'
import type { LocalSvmAccount, SendOptions } from '@causeway/chain-svm/testing'
import type { Hex } from '@causeway/core'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { balanceOnChain } from '../harness/books.js'
import { type HostProcessOptions, hostCommand } from '../harness/hostProcess.js'
import { ServiceCalls, type ShownStatus } from '../harness/serviceCalls.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { type CrossNetwork, currencyOf, EVM_ID, SOL, SVM_ID } from './crossNetwork.js'

type ChainId = typeof EVM_ID | typeof SVM_ID

/** The parts of a quote that these tests read. */
export interface CrossQuote {
  readonly requestId: Hex
  readonly steps: readonly {
    readonly id: string
    readonly kind: string
    readonly items: readonly { readonly data: unknown }[]
  }[]
  readonly fees: Readonly<Record<string, { readonly amount: string; readonly amountUsd: string }>>
  readonly details: {
    readonly currencyIn: { readonly amount: string }
    readonly currencyOut: { readonly amount: string }
  }
  readonly protocol: { readonly v2: { readonly orderId: Hex } }
}

export interface CrossRequest {
  readonly from: ChainId
  readonly symbol: string
  readonly amount: bigint
  /** Which user pays. */
  readonly user: number
  readonly recipient?: string
  readonly more?: Readonly<Record<string, unknown>>
}

interface SvmStep {
  readonly instructions: readonly {
    readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
    readonly programId: string
    readonly data: string
  }[]
  readonly addressLookupTableAddresses: readonly string[]
}

interface EvmStep {
  readonly to: string
  readonly data: Hex
  readonly value: string
}

/** What a service said, and a wallet of either kind. */
export class CrossClient {
  readonly #network: CrossNetwork
  readonly #service: ServiceCalls<CrossQuote>

  constructor(network: CrossNetwork, service: { readonly url: string; readonly apiKey: string }) {
    this.#network = network
    this.#service = new ServiceCalls(service)
  }

  freshRecipient(chainId: ChainId): string {
    return chainId === SVM_ID ? Keypair.generate().publicKey.toBase58() : freshAddress()
  }

  userAddress(chainId: ChainId, at: number): string {
    const users = chainId === SVM_ID ? this.#network.svmUsers : this.#network.evmUsers
    return users[at]?.address ?? ''
  }

  ask(request: CrossRequest): Promise<{ readonly status: number; readonly body: CrossQuote }> {
    return this.#service.ask(this.#bodyOf(request))
  }

  /** Asks until the service can quote. @throws Error with any other refusal */
  quote(request: CrossRequest): Promise<CrossQuote> {
    return this.#service.quote(this.#bodyOf(request))
  }

  #bodyOf({ from, symbol, amount, user, recipient, more }: CrossRequest): object {
    const to = from === EVM_ID ? SVM_ID : EVM_ID
    return {
      user: this.userAddress(from, user),
      recipient: recipient ?? this.freshRecipient(to),
      originChainId: from,
      destinationChainId: to,
      originCurrency: currencyOf(this.#network, from, symbol).address,
      destinationCurrency: currencyOf(this.#network, to, symbol).address,
      amount: amount.toString(),
      tradeType: 'EXACT_INPUT',
      ...more,
    }
  }

  /** Sends every step as a plain wallet of its chain would; returns the id of the last transaction. */
  async pay(
    quote: CrossQuote,
    { from, user }: Pick<CrossRequest, 'from' | 'user'>,
    feePayer?: LocalSvmAccount,
    wait = true,
  ): Promise<string> {
    let last = ''
    for (const { data } of quote.steps.flatMap(({ items }) => items)) {
      last =
        from === SVM_ID
          ? await this.#payOnSolana(data as SvmStep, user, { wait, ...(feePayer === undefined ? {} : { feePayer }) })
          : await this.#payOnEvm(data as EvmStep, user)
    }
    return last
  }

  status(requestId: Hex): Promise<ShownStatus> {
    return this.#service.status(requestId)
  }

  waitFor(requestId: Hex, wanted: readonly string[], milliseconds = 40_000): Promise<ShownStatus> {
    return this.#service.waitFor(requestId, wanted, milliseconds)
  }

  /** What an account really holds. */
  async balance(chainId: ChainId, owner: string, symbol: string): Promise<bigint> {
    const { address } = currencyOf(this.#network, chainId, symbol)
    if (chainId === EVM_ID) return balanceOnChain({ chain: this.#network.evm } as never, owner, address)
    const { connection } = this.#network.svm
    const holder = new PublicKey(owner)
    if (address === SOL) return BigInt(await connection.getBalance(holder, 'confirmed'))
    const mint = new PublicKey(address)
    const program = (await connection.getAccountInfo(mint))?.owner
    const account = getAssociatedTokenAddressSync(mint, holder, true, program)
    if ((await connection.getAccountInfo(account, 'confirmed')) === null) return 0n
    return BigInt((await connection.getTokenAccountBalance(account, 'confirmed')).value.amount)
  }

  async #payOnSolana({ instructions }: SvmStep, user: number, options: SendOptions): Promise<string> {
    const account = this.#network.svmUsers[user]
    if (account === undefined) throw new Error(`No user ${user}`)
    return this.#network.svm.send(
      account,
      instructions.map(
        ({ keys, programId, data }) =>
          new TransactionInstruction({
            keys: keys.map(({ pubkey, ...flags }) => ({ pubkey: new PublicKey(pubkey), ...flags })),
            programId: new PublicKey(programId),
            data: Buffer.from(data, 'hex'),
          }),
      ),
      options,
    )
  }

  async #payOnEvm({ to, data, value }: EvmStep, user: number): Promise<string> {
    const account = this.#network.evmUsers[user]
    if (account === undefined) throw new Error(`No user ${user}`)
    const hash = await this.#network.evm.send(account, { to, data, value: BigInt(value) })
    await receiptOf(this.#network.evm, hash)
    return hash
  }
}

/** Makes an API key for a deployment whose tables are there. */
export const createApiKey = async (options: HostProcessOptions): Promise<string> => {
  const { args, env } = await hostCommand(options)
  const [cli = '', , , config = ''] = args
  const words = [cli, 'api-keys', 'create', '--integrator', 'tests', '--label', 'tests', '--config', config]
  const { output } = await runCommand(words, env)
  const [, apiKey] = output.match(/^key: +(\S+)$/m) ?? []
  if (apiKey === undefined) throw new Error(`No API key was made: ${output}`)
  return apiKey
}

/** Runs a command of the built program; resolves with its exit code and what it said. */
export const runCommand = (
  cli: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...cli], { stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    child.once('close', (code) => resolve({ code, output }))
  })
