import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { type RpcError, rpcErrorOf } from './engineErrors.js'
import type { Slots } from './slots.js'
import { decimalsOf, type EngineAccount, holdingOf, type TokenHolding } from './tokenBalances.js'
import { decodeTransaction, memoOf, type WireTransaction } from './wireTransaction.js'

/** A transaction as it went into a block. */
export interface Executed {
  readonly wire: WireTransaction
  readonly slot: number
  readonly err: RpcError | null
  readonly memo: string | null
  readonly logs: readonly string[]
  readonly inner: readonly InnerInstructions[]
  readonly units: number
  readonly fee: number
  readonly pre: Balances
  readonly post: Balances
}

export interface InnerInstructions {
  readonly index: number
  readonly instructions: readonly {
    readonly programIdIndex: number
    readonly accounts: readonly number[]
    readonly data: string
    readonly stackHeight: number
  }[]
}

export interface Balances {
  readonly lamports: readonly number[]
  readonly tokens: readonly (TokenHolding & { readonly accountIndex: number; readonly decimals: number })[]
}

export interface SimulationResult {
  readonly err: RpcError | null
  readonly logs: readonly string[]
  readonly units: number
  readonly accounts: ReadonlyMap<string, EngineAccount>
}

type EngineAddress = Parameters<LiteSVM['getBalance']>[0]
type Lamports = Parameters<LiteSVM['airdrop']>[1]

const SYSTEM = '11111111111111111111111111111111'
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111'
const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111'
/** The sysvar keeps its full length; the lookup-table program reads it. */
const SLOT_HASHES_BYTES = 20_488
const SLOT_HASHES_COUNT = 512
const TABLE_HEADER = 56

// CAST: the engine types addresses and lamports as text and bigint of another library.
const addressOf = (text: string): EngineAddress => text as EngineAddress

/** Accounts and programs of a local chain, on the ecosystem's own engine. */
export class Bank {
  readonly #slots: Slots
  readonly #svm = new LiteSVM().withNativeMints().withTransactionHistory(0n).withBlockhashCheck(false)
  readonly #executed = new Map<string, Executed>()
  readonly #byAddress = new Map<string, string[]>()
  /** Accounts as they were before a slot first touched them, by slot. */
  readonly #undo = new Map<number, Map<string, EngineAccount | null>>()

  constructor(slots: Slots) {
    this.#slots = slots
    this.sync()
  }

  account(address: string): EngineAccount | null {
    const found = this.#svm.getAccount(addressOf(address))
    if (!found.exists || (found.lamports === 0n && found.data.length === 0)) return null
    const { lamports, programAddress, data, executable } = found
    return { lamports, owner: programAddress, data: Uint8Array.from(data), executable }
  }

  ownedBy(program: string): readonly { readonly address: string; readonly account: EngineAccount }[] {
    return this.#svm.getProgramAccounts(addressOf(program)).map((item) => ({
      address: item.address,
      account: {
        lamports: item.lamports,
        owner: item.programAddress,
        data: Uint8Array.from(item.data),
        executable: item.executable,
      },
    }))
  }

  rentFor(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes))
  }

  decode(raw: Buffer): WireTransaction {
    return decodeTransaction(raw, (table) => this.#tableAddresses(table))
  }

  executed(signature: string): Executed | undefined {
    return this.#executed.get(signature)
  }

  /** Signatures of transactions that name an address, oldest first. */
  signaturesOf(address: string): readonly string[] {
    return this.#byAddress.get(address) ?? []
  }

  simulate(wire: WireTransaction, checkSignatures: boolean): SimulationResult {
    this.#svm.withSigverify(checkSignatures)
    try {
      const result = this.#svm.simulateTransaction(wire.engineForm)
      const meta = result.meta()
      const failed = result instanceof FailedTransactionMetadata
      const accounts = failed ? [] : result.postAccounts()
      return {
        err: failed ? rpcErrorOf(result) : null,
        logs: meta.logs(),
        units: Number(meta.computeUnitsConsumed()),
        accounts: new Map(
          accounts.map((item) => [
            String(item.address),
            {
              lamports: item.lamports,
              owner: item.programAddress,
              data: Uint8Array.from(item.data),
              executable: item.executable,
            },
          ]),
        ),
      }
    } finally {
      this.#svm.withSigverify(true)
    }
  }

  /** Runs a transaction in the open slot. One that fails is in the block too and pays its fee; null when it cannot be in a block. */
  execute(wire: WireTransaction): Executed | { readonly refused: RpcError } {
    this.#remember(wire.keys)
    const pre = this.#balances(wire.keys)
    const result = this.#svm.sendTransaction(wire.engineForm)
    const failed = result instanceof FailedTransactionMetadata
    const meta = failed ? result.meta() : result
    const post = this.#balances(wire.keys)
    const paid = (pre.lamports[0] ?? 0) - (post.lamports[0] ?? 0)
    if (failed && paid === 0) return { refused: rpcErrorOf(result) }
    const signatures = wire.decoded.signatures.length
    const executed: Executed = {
      wire,
      slot: this.#slots.open.number,
      err: failed ? rpcErrorOf(result) : null,
      memo: memoOf(wire),
      logs: meta.logs(),
      inner: innerOf(meta.innerInstructions()),
      units: Number(meta.computeUnitsConsumed()),
      fee: failed ? paid : 5000 * signatures + priorityFee(wire),
      pre,
      post,
    }
    this.record(executed)
    return executed
  }

  /** Puts a transaction into the open block's list without running it: what a lying node shows. */
  record(executed: Executed): void {
    const { signature, keys } = executed.wire
    this.#executed.set(signature, executed)
    this.#slots.open.signatures.push(signature)
    for (const key of new Set(keys)) {
      const list = this.#byAddress.get(key)
      if (list === undefined) this.#byAddress.set(key, [signature])
      else list.push(signature)
    }
  }

  /** Adds lamports out of nothing. */
  mint(address: string, lamports: bigint): void {
    const account = this.account(address) ?? { lamports: 0n, owner: SYSTEM, data: new Uint8Array(), executable: false }
    this.set(address, { ...account, lamports: account.lamports + lamports })
  }

  set(address: string, account: EngineAccount | null): void {
    this.#remember([address])
    this.#write(address, account)
  }

  /** Takes back all that slots did, newest first; their transactions are unknown again. */
  forget(slots: readonly { readonly number: number; readonly signatures: readonly string[] }[]): void {
    for (const { number, signatures } of slots) {
      for (const [address, account] of this.#undo.get(number) ?? []) this.#write(address, account)
      this.#undo.delete(number)
      for (const signature of signatures) {
        const keys = this.#executed.get(signature)?.wire.keys ?? []
        this.#executed.delete(signature)
        for (const key of new Set(keys)) {
          const list = this.#byAddress.get(key)
          if (list !== undefined)
            this.#byAddress.set(
              key,
              list.filter((item) => item !== signature),
            )
        }
      }
    }
    this.sync()
  }

  /** Tells the engine which slot and time it is; drops what can no longer be taken back. */
  sync(): void {
    const { number, time } = this.#slots.open
    this.#svm.warpToSlot(BigInt(number))
    this.#svm.setClock(new Clock(BigInt(number), 0n, 0n, 0n, BigInt(time)))
    this.#write(SLOT_HASHES, { lamports: 1n, owner: SYSVAR_OWNER, executable: false, data: this.#slotHashes() })
    const final = this.#slots.newest('finalized')
    for (const slot of this.#undo.keys()) if (slot <= final) this.#undo.delete(slot)
  }

  #slotHashes(): Uint8Array {
    const recent = this.#slots.recent(SLOT_HASHES_COUNT)
    const data = Buffer.alloc(SLOT_HASHES_BYTES)
    data.writeBigUInt64LE(BigInt(recent.length))
    for (const [at, { number, blockhash }] of recent.entries()) {
      data.writeBigUInt64LE(BigInt(number), 8 + 40 * at)
      data.set(base58.decode(blockhash), 16 + 40 * at)
    }
    return data
  }

  #tableAddresses(table: string): readonly string[] | null {
    const account = this.account(table)
    if (account === null || account.data.length < TABLE_HEADER) return null
    const count = Math.floor((account.data.length - TABLE_HEADER) / 32)
    const at = (index: number) => TABLE_HEADER + 32 * index
    return Array.from({ length: count }, (_, index) =>
      new PublicKey(account.data.slice(at(index), at(index + 1))).toBase58(),
    )
  }

  #remember(addresses: readonly string[]): void {
    const { number } = this.#slots.open
    const before = this.#undo.get(number) ?? new Map<string, EngineAccount | null>()
    this.#undo.set(number, before)
    for (const address of addresses) if (!before.has(address)) before.set(address, this.account(address))
  }

  #write(address: string, account: EngineAccount | null): void {
    const { lamports, owner, data, executable } = account ?? {
      lamports: 0n,
      owner: SYSTEM,
      data: new Uint8Array(),
      executable: false,
    }
    this.#svm.setAccount({
      address: addressOf(address),
      lamports: lamports as Lamports,
      programAddress: addressOf(owner),
      data,
      executable,
      space: BigInt(data.length),
    })
  }

  #balances(keys: readonly string[]): Balances {
    const accounts = keys.map((key) => this.account(key))
    return {
      lamports: accounts.map((account) => Number(account?.lamports ?? 0n)),
      tokens: accounts.flatMap((account, accountIndex) => {
        const holding = holdingOf(account)
        if (holding === null) return []
        return [{ ...holding, accountIndex, decimals: decimalsOf(this.account(holding.mint)) }]
      }),
    }
  }
}

type EngineInner = ReturnType<ReturnType<FailedTransactionMetadata['meta']>['innerInstructions']>

const innerOf = (inner: EngineInner): readonly InnerInstructions[] =>
  inner.flatMap((list, index) =>
    list.length === 0
      ? []
      : [
          {
            index,
            instructions: list.map((item) => {
              const instruction = item.instruction()
              return {
                programIdIndex: instruction.programIdIndex(),
                accounts: [...instruction.accounts()],
                data: base58.encode(Uint8Array.from(instruction.data())),
                stackHeight: item.stackHeight(),
              }
            }),
          },
        ],
  )

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
/** Programs that are part of the runtime count less where no limit is set. */
const BUILT_IN: ReadonlySet<string> = new Set([SYSTEM, COMPUTE_BUDGET])
const BUILT_IN_UNITS = 3_000n
const DEFAULT_UNITS = 200_000n
const MAX_UNITS = 1_400_000n

/** Price times limit of the compute budget instructions, rounded up, in lamports. */
const priorityFee = ({ decoded, keys }: WireTransaction): number => {
  let price = 0n
  let limit: bigint | null = null
  let usual = 0n
  for (const { programIdIndex, data } of decoded.message.compiledInstructions) {
    const program = keys[programIdIndex] ?? ''
    const bytes = Buffer.from(data)
    usual += BUILT_IN.has(program) ? BUILT_IN_UNITS : DEFAULT_UNITS
    if (program === COMPUTE_BUDGET && bytes[0] === 2) limit = BigInt(bytes.readUInt32LE(1))
    if (program === COMPUTE_BUDGET && bytes[0] === 3) price = bytes.readBigUInt64LE(1)
  }
  const asked = limit ?? usual
  const units = asked < MAX_UNITS ? asked : MAX_UNITS
  return Number((price * units + 999_999n) / 1_000_000n)
}
