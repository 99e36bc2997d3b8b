import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { decimalsOf, type EngineAccount, holdingOf, type TokenHolding } from '../rpc/tokenBalances.js'
import { type RpcError, rpcErrorOf } from './engineErrors.js'
import type { Slot, Slots } from './slots.js'
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

export interface ReturnData {
  readonly programId: string
  readonly data: readonly [string, 'base64']
}

export interface Balances {
  readonly lamports: readonly number[]
  readonly tokens: readonly (TokenHolding & { readonly accountIndex: number; readonly decimals: number })[]
}

export interface SimulationResult {
  readonly err: RpcError | null
  readonly logs: readonly string[]
  readonly units: number
  readonly inner: readonly InnerInstructions[]
  readonly returnData: ReturnData | null
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
  /** Programs met so far. They are large and no transaction changes them, so they are not read again. */
  readonly #programs = new Set<string>()
  #shown: Slot | null = null

  constructor(slots: Slots) {
    this.#slots = slots
  }

  account(address: string): EngineAccount | null {
    if (address.startsWith('Sysvar')) this.#showSlot()
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
    this.#showSlot()
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
        inner: innerOf(meta.innerInstructions()),
        returnData: returnDataOf(meta.returnData()),
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
    this.#showSlot()
    this.#remember(wire.keys.filter((key) => !this.#isProgram(key)))
    const pre = this.#balances(wire.keys)
    const result = this.#svm.sendTransaction(wire.engineForm)
    const failed = result instanceof FailedTransactionMetadata
    const meta = failed ? result.meta() : result
    const post = this.#balances(wire.keys)
    // Lamports leave a transaction as its fee and in no other way.
    const fee = total(pre) - total(post)
    if (failed && fee === 0) return { refused: rpcErrorOf(result) }
    const executed: Executed = {
      wire,
      slot: this.#slots.open.number,
      err: failed ? rpcErrorOf(result) : null,
      memo: memoOf(wire),
      logs: meta.logs(),
      inner: innerOf(meta.innerInstructions()),
      units: Number(meta.computeUnitsConsumed()),
      fee,
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
    this.#shown = null
  }

  /** Slots have passed: what became final can no longer be taken back. */
  settle(): void {
    const final = this.#slots.newest('finalized')
    for (const slot of this.#undo.keys()) if (slot <= final) this.#undo.delete(slot)
  }

  /** Tells the engine which slot and time it is, once somebody looks. */
  #showSlot(): void {
    if (this.#shown === this.#slots.open) return
    this.#shown = this.#slots.open
    const { number, time } = this.#slots.open
    this.#svm.warpToSlot(BigInt(number))
    this.#svm.setClock(new Clock(BigInt(number), 0n, 0n, 0n, BigInt(time)))
    this.#write(SLOT_HASHES, { lamports: 1n, owner: SYSVAR_OWNER, executable: false, data: this.#slotHashes() })
  }

  #isProgram(address: string): boolean {
    if (this.#programs.has(address)) return true
    const isProgram = this.account(address)?.executable === true
    if (isProgram) this.#programs.add(address)
    return isProgram
  }

  #slotHashes(): Uint8Array {
    const recent = this.#slots.recent(SLOT_HASHES_COUNT)
    const data = Buffer.alloc(SLOT_HASHES_BYTES)
    data.writeBigUInt64LE(BigInt(recent.length))
    for (const [at, { number, hashBytes }] of recent.entries()) {
      data.writeBigUInt64LE(BigInt(number), 8 + 40 * at)
      data.set(hashBytes, 16 + 40 * at)
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
    const accounts = keys.map((key) => (this.#programs.has(key) ? null : this.account(key)))
    return {
      lamports: keys.map((key) => Number(this.#svm.getBalance(addressOf(key)) ?? 0n)),
      tokens: accounts.flatMap((account, accountIndex) => {
        const holding = holdingOf(account)
        if (holding === null) return []
        return [{ ...holding, accountIndex, decimals: decimalsOf(this.account(holding.mint)) }]
      }),
    }
  }
}

const returnDataOf = (returned: ReturnType<EngineMeta['returnData']>): ReturnData | null =>
  returned.data().length === 0
    ? null
    : {
        programId: base58.encode(Uint8Array.from(returned.programId())),
        data: [Buffer.from(returned.data()).toString('base64'), 'base64'],
      }

type EngineMeta = ReturnType<FailedTransactionMetadata['meta']>
type EngineInner = ReturnType<EngineMeta['innerInstructions']>

const total = ({ lamports }: Balances): number => lamports.reduce((sum, held) => sum + held, 0)

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
