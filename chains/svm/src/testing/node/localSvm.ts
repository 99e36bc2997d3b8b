import { createHash, randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { controlNode, endDetachedNode, type NodeFault, runLedger } from '@causeway/core/testing'
import { base58 } from '@scure/base'
import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { createAssociated, createMintInstructions, mintTokens, type TokenOptions } from './localTokens.js'
import { open } from './openLocalNode.js'

const LAMPORTS = 1_000_000_000n
const ACCOUNTS = 10
const FUNDED = 1_000n * LAMPORTS
const PATIENCE_MS = 10_000

export interface LocalSvmOptions {
  /** How often a slot passes by itself (default 400); 0: on demand only. Every transaction closes its slot at once. */
  readonly slotMs?: number
  /** How many slots behind the newest closed one `confirmed` is (default 0). */
  readonly confirmedLag?: number
  /** The same for `finalized` (default 4). */
  readonly finalizedLag?: number
  readonly port?: number
  readonly genesisHash?: string
  /** The chain lives in a process of its own, which outlives this one; `close` still ends it. Needs the built package. */
  readonly detached?: boolean
  readonly logPath?: string
}

export interface LocalSvmAccount {
  readonly address: string
  /** 32 bytes. */
  readonly privateKey: Hex
  readonly keypair: Keypair
}

export interface SendOptions {
  readonly feePayer?: LocalSvmAccount
  readonly tables?: readonly AddressLookupTableAccount[]
  /** Send it though simulation says that it fails; the signature is returned all the same. */
  readonly mayFail?: boolean
  /** False: returns as soon as the node has taken it. */
  readonly wait?: boolean
}

/** The account of 32 secret bytes. */
export const accountOf = (privateKey: Hex): LocalSvmAccount => {
  const keypair = Keypair.fromSeed(Buffer.from(privateKey.slice(2), 'hex'))
  return { address: keypair.publicKey.toBase58(), privateKey, keypair }
}

const accountNumber = (at: number): LocalSvmAccount =>
  accountOf(`0x${createHash('sha256').update(`causeway local account ${at}`).digest('hex')}`)

/** A local Solana chain on the ecosystem's own engine, to which an unmodified `Connection` talks. */
export class LocalSvmChain {
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly genesisHash: string
  /** Its process; null when it runs in this one. */
  readonly pid: number | null
  /** Funded with 1,000 SOL each; the same on every chain. */
  readonly accounts: readonly LocalSvmAccount[]
  readonly connection: Connection
  readonly #end: () => Promise<void>
  #mintAuthority = accountNumber(ACCOUNTS)

  constructor(parts: { port: number; genesisHash: string; pid: number | null; end: () => Promise<void> }) {
    this.rpcUrl = `http://127.0.0.1:${parts.port}`
    this.wsUrl = `ws://127.0.0.1:${parts.port}`
    this.genesisHash = parts.genesisHash
    this.pid = parts.pid
    this.accounts = Array.from({ length: ACCOUNTS }, (_, at) => accountNumber(at))
    this.connection = new Connection(this.rpcUrl, { commitment: 'confirmed', wsEndpoint: this.wsUrl })
    this.#end = parts.end
  }

  /** Lamports, or tokens of a mint made here. */
  async fund(address: string, amount: bigint, mint?: string): Promise<void> {
    if (mint === undefined) return this.control('mint', address, amount)
    const authority = this.#mintAuthority
    const instructions = await mintTokens(this.connection, {
      mint,
      owner: address,
      amount,
      authority: authority.keypair.publicKey,
    })
    await this.send(authority, instructions)
  }

  /** A new token; `fund` makes some of it. */
  async createToken(options: TokenOptions): Promise<string> {
    const authority = this.#mintAuthority
    if ((await this.connection.getBalance(authority.keypair.publicKey)) === 0) {
      await this.control('mint', authority.address, 100n * LAMPORTS)
    }
    const mint = Keypair.generate()
    const instructions = await createMintInstructions(
      this.connection,
      authority.keypair.publicKey,
      mint.publicKey,
      options,
    )
    await this.#sendSigned(authority, instructions, [mint])
    return mint.publicKey.toBase58()
  }

  /** The account of an owner for a mint, made where there is none. */
  async openTokenAccount(owner: string, mint: string): Promise<string> {
    const { address, instruction } = await createAssociated(
      this.connection,
      this.#mintAuthority.keypair.publicKey,
      owner,
      mint,
    )
    await this.send(this.#mintAuthority, [instruction])
    return address
  }

  freeze(owner: string, mint: string): Promise<void> {
    return this.control('freeze', owner, mint, true)
  }

  thaw(owner: string, mint: string): Promise<void> {
    return this.control('freeze', owner, mint, false)
  }

  /** The owner's token account is gone, with what it held. */
  closeTokenAccount(owner: string, mint: string): Promise<void> {
    return this.control('close', owner, mint)
  }

  /** Signs as a wallet does and sends; waits until it is confirmed. @throws Error when it fails, unless it may */
  send(
    account: LocalSvmAccount,
    instructions: readonly TransactionInstruction[],
    options: SendOptions = {},
  ): Promise<string> {
    return this.#sendSigned(account, instructions, [], options)
  }

  advance(slots = 1): Promise<void> {
    return this.control('advance', slots)
  }

  /** From now on no slot passes by time, and nothing grows final by it; transactions still make blocks. */
  pause(): Promise<void> {
    return this.control('pause', true)
  }

  resume(): Promise<void> {
    return this.control('pause', false)
  }

  /** From now on transactions wait; `release` puts them into one block. */
  hold(): Promise<void> {
    return this.control('hold')
  }

  release(): Promise<void> {
    return this.control('release')
  }

  /** The newest slots that are not final leave the chain, with all they changed. */
  dropSlots(depth: number): Promise<void> {
    return this.control('drop', depth)
  }

  failNext(fault: NodeFault): Promise<void> {
    return this.control('fail', fault)
  }

  clearFaults(): Promise<void> {
    return this.control('clearFaults')
  }

  /** Answers as if it were so many slots behind; 0 ends it. */
  lag(slots: number): Promise<void> {
    return this.control('lag', slots)
  }

  /** Has all but the newest slots cleaned up, with their transactions; 0 brings them back. */
  forget(kept: number): Promise<void> {
    return this.control('forget', kept)
  }

  /** Shows a transfer with a memo that never happened; returns its signature. */
  invent(transfer: { readonly from: string; readonly to: string; readonly lamports: number; readonly memo: string }) {
    return this.control<string>('invent', transfer.from, transfer.to, transfer.lamports, transfer.memo)
  }

  /** Calls of a node's own methods so far, by method. */
  callCounts(): Promise<Readonly<Record<string, number>>> {
    return this.control('counts')
  }

  close(): Promise<void> {
    return this.#end()
  }

  control<T = void>(name: string, ...params: readonly unknown[]): Promise<T> {
    return controlNode(this.rpcUrl, name, ...params)
  }

  async #sendSigned(
    account: LocalSvmAccount,
    instructions: readonly TransactionInstruction[],
    others: readonly Keypair[],
    { feePayer = account, tables = [], mayFail = false, wait = true }: SendOptions = {},
  ): Promise<string> {
    const { blockhash } = await this.connection.getLatestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: feePayer.keypair.publicKey,
      recentBlockhash: blockhash,
      // Equal transactions of one block would be one: the price of nothing makes each its own.
      instructions: [unique(), ...instructions],
    }).compileToV0Message([...tables])
    const transaction = new VersionedTransaction(message)
    const signers = new Map(
      [feePayer.keypair, account.keypair, ...others].map((key) => [key.publicKey.toBase58(), key]),
    )
    const needed = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures)
    transaction.sign(needed.flatMap((key) => signers.get(key.toBase58()) ?? []))
    const signature = await this.connection.sendTransaction(transaction, { skipPreflight: mayFail })
    if (wait) await this.waitFor(signature, mayFail)
    return signature
  }

  /** Waits until a transaction is confirmed. @throws Error when it failed, unless it may */
  async waitFor(signature: string, mayFail = false): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (Date.now() < deadline) {
      const { value } = await this.connection.getSignatureStatuses([signature])
      const [status] = value
      if (status?.err && !mayFail) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`)
      if (status && status.confirmationStatus !== 'processed') return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`${signature} was not confirmed in time`)
  }
}

const unique = (): TransactionInstruction =>
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: randomBytes(2).readUInt16LE() % 1000 })

/** Starts a local chain. */
export const startLocalSvm = async (options: LocalSvmOptions = {}): Promise<LocalSvmChain> => {
  const { slotMs = 400, confirmedLag = 0, finalizedLag = 4, port = 0, detached = false } = options
  const genesisHash = options.genesisHash ?? base58.encode(randomBytes(32))
  const settings = { slotMs, confirmedLag, finalizedLag, port, genesisHash }
  const chain = new LocalSvmChain({
    genesisHash,
    ...(await runLedger(NODE, settings, { detached, logPath: options.logPath })),
  })
  for (const { address } of chain.accounts) await chain.fund(address, FUNDED)
  return chain
}

const NODE = { module: new URL('./openLocalNode.js', import.meta.url).href, open }

/** Takes on a chain that another process started. @throws Error when it does not answer */
export const adoptLocalSvm = async (running: {
  readonly rpcUrl: string
  readonly pid: number
}): Promise<LocalSvmChain> => {
  const port = Number(new URL(running.rpcUrl).port)
  const genesisHash = await new Connection(running.rpcUrl).getGenesisHash()
  return new LocalSvmChain({ port, genesisHash, pid: running.pid, end: () => endDetachedNode(running.pid) })
}
