import { createPublicKey, verify } from 'node:crypto'
import {
  BlockStore,
  CallError,
  type LedgerEngine as Engine,
  LedgerPool,
  type Placed,
  type StateEntry,
  StateView,
  type LedgerBlock as StoredBlock,
  VersionedState,
} from '@causeway/core/testing'
import { addressOfKey, NATIVE } from '../address.js'
import {
  bytesOf,
  FEE,
  idOf,
  type LedgerBlock,
  type LedgerRecord,
  type LedgerTransfer,
  type SignedTransfer,
} from '../transaction.js'

/** Head of the encoding that Node wants an ed25519 public key in. */
const KEY_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** A transfer in a block. */
export type Included = Omit<LedgerRecord, 'block'>

/** The balance of an account in a currency. */
interface Holding extends StateEntry {
  readonly amount: bigint
}

/** A transfer before it is signed. */
type Checked = Pick<LedgerTransfer, 'from' | 'to' | 'currency' | 'amount'>

export type LedgerNodeBlock = StoredBlock<Included>

/** A block as nodes show it. */
export const blockOf = ({ height, hash, time }: LedgerNodeBlock): LedgerBlock => ({
  ...{ height, hash, time },
})

/** A transfer of a block as nodes show it. */
export const recordOf = ({ tx, block }: Placed<Included, LedgerNodeBlock>): LedgerRecord => ({
  ...tx,
  block: blockOf(block),
})

/** The ledger itself: balances, and the rules by which a transfer is included. */
export class LedgerEngine implements Engine<Included> {
  readonly network: string
  readonly blocks = new BlockStore<Included>({
    idOf: ({ id }) => id,
    accountsOf: ({ transfer: { from, to } }) => [from, to],
  })
  readonly #state = new VersionedState<Holding>()
  readonly #pool = new LedgerPool<LedgerTransfer>()
  readonly #closed = new Set<string>()

  constructor(network: string) {
    this.network = network
    this.blocks.add({ transactions: [] })
  }

  get head(): LedgerBlock {
    return blockOf(this.blocks.head)
  }

  /** A transfer that waits for a block. */
  pending(id: string): LedgerRecord | null {
    const transfer = this.#pool.all.find((waiting) => idOf(waiting) === id)
    return transfer === undefined ? null : { id, transfer, status: 'pending', reason: null, fee: '0', block: null }
  }

  balance(account: string, currency: string, height = this.head.height): bigint {
    return this.#state.at(height).get(`${account}:${currency}`)?.amount ?? 0n
  }

  /** The newest block has it already. */
  fund(account: string, amount: bigint, currency = NATIVE): void {
    this.#change((view) => add(view, account, currency, amount))
  }

  /** No transfer can pay this account from now on. */
  shut(account: string): void {
    this.#closed.add(account)
  }

  /** Why a transfer would fail; null if it would not. */
  check({ from, to, currency, amount }: Checked, height?: number): string | null {
    const needed = BigInt(amount) + (currency === NATIVE ? FEE : 0n)
    if (this.balance(from, currency, height) < needed || this.balance(from, NATIVE, height) < FEE) return 'INSUFFICIENT'
    return this.#closed.has(to) ? 'CLOSED' : null
  }

  /** Takes signed bytes, and makes a block unless transfers are held. @throws CallError with a code as its message */
  submit(raw: string): string {
    const { transfer, publicKey, signature } = parse(raw)
    const key = Buffer.from(publicKey, 'hex')
    if (addressOfKey(key) !== transfer.from || !isSigned(transfer, key, signature)) refuse('BAD_SIGNATURE')
    const id = idOf(transfer)
    if (this.blocks.find(id) !== undefined || this.pending(id) !== null) return id
    if (transfer.validUntil <= this.head.height) refuse('EXPIRED')
    if (this.balance(transfer.from, NATIVE) < FEE) refuse('NO_FEE')
    this.#pool.add(transfer)
    if (!this.#pool.isHolding) this.close()
    return id
  }

  advance(blocks: number): void {
    for (let count = 0; count < blocks; count += 1) this.close()
  }

  close(): void {
    const height = this.head.height + 1
    const inTime = this.#pool.take().filter(({ validUntil }) => validUntil >= height)
    const transactions: Included[] = []
    for (const transfer of inTime) this.#change((view) => transactions.push(this.#include(transfer, view)), height)
    this.blocks.add({ transactions })
  }

  undo([first]: readonly { readonly height: number }[]): void {
    if (first !== undefined) this.#state.drop(first.height)
  }

  hold(): void {
    this.#pool.hold()
  }

  release(drop: boolean): void {
    this.#pool.release(drop)
  }

  #change(make: (view: StateView<Holding>) => void, height = this.head.height): void {
    const view = new StateView(this.#state.at(height))
    make(view)
    this.#state.write(height, view.changes())
  }

  #include(transfer: LedgerTransfer, view: StateView<Holding>): Included {
    const { from, to, currency, amount } = transfer
    const reason = this.check(transfer, this.head.height + 1)
    add(view, from, NATIVE, -FEE)
    if (reason === null) {
      add(view, from, currency, -BigInt(amount))
      add(view, to, currency, BigInt(amount))
    }
    return { id: idOf(transfer), transfer, status: reason === null ? 'success' : 'failed', reason, fee: `${FEE}` }
  }
}

const add = (view: StateView<Holding>, account: string, currency: string, amount: bigint): void => {
  const index = `${account}:${currency}`
  view.put({ index, amount: (view.get(index)?.amount ?? 0n) + amount })
}

const refuse = (code: string): never => {
  throw new CallError(-32000, code)
}

const parse = (raw: string): SignedTransfer => {
  try {
    // CAST: whatever is missing fails the check of the signature.
    const signed = JSON.parse(Buffer.from(raw.slice(2), 'hex').toString('utf8')) as SignedTransfer
    if (BigInt(signed.transfer.amount) > 0n) return signed
  } catch {
    // Refused below.
  }
  return refuse('MALFORMED')
}

const isSigned = (transfer: LedgerTransfer, key: Buffer, signature: string): boolean => {
  const publicKey = createPublicKey({ key: Buffer.concat([KEY_HEAD, key]), format: 'der', type: 'spki' })
  return verify(null, bytesOf(transfer), publicKey, Buffer.from(signature, 'hex'))
}
