import { createHash, createPublicKey, verify } from 'node:crypto'
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

interface Entry {
  readonly block: LedgerBlock
  readonly ids: readonly string[]
  /** Balances before it, to go back to. */
  readonly before: ReadonlyMap<string, bigint>
}

/** The ledger itself: balances, blocks, and the rules by which a transfer is included. */
export class LedgerEngine {
  readonly network: string
  readonly #records = new Map<string, LedgerRecord>()
  readonly #closed = new Set<string>()
  #balances = new Map<string, bigint>()
  #entries: Entry[] = []
  #pending: LedgerTransfer[] = []
  #forks = 0
  /** While true, transfers wait. */
  held = false

  constructor(network: string) {
    this.network = network
    this.advance(1)
  }

  get head(): LedgerBlock {
    const entry = this.#entries.at(-1)
    if (entry === undefined) throw new Error('The ledger has no block')
    return entry.block
  }

  block(height: number): LedgerBlock | null {
    return this.#entries[height]?.block ?? null
  }

  record(id: string): LedgerRecord | null {
    return this.#records.get(id) ?? null
  }

  recordsOf(account: string, from: number, to: number): readonly LedgerRecord[] {
    return this.#entries
      .slice(Math.max(0, from), to + 1)
      .flatMap(({ ids }) => ids)
      .flatMap((id) => this.#records.get(id) ?? [])
      .filter(({ transfer }) => transfer.from === account || transfer.to === account)
  }

  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${account}:${currency}`) ?? 0n
  }

  fund(account: string, currency: string, amount: bigint): void {
    this.#add(account, currency, amount)
  }

  /** Nobody can pay this account any more. */
  close(account: string): void {
    this.#closed.add(account)
  }

  /** Why a transfer would fail now; null when it would not. */
  check({ from, to, currency, amount }: Pick<LedgerTransfer, 'from' | 'to' | 'currency' | 'amount'>): string | null {
    const needed = BigInt(amount) + (currency === NATIVE ? FEE : 0n)
    if (this.balance(from, currency) < needed || this.balance(from, NATIVE) < FEE) return 'INSUFFICIENT'
    return this.#closed.has(to) ? 'CLOSED' : null
  }

  /** Takes signed bytes. Throws an Error whose message is a code. */
  submit(raw: string): string {
    const { transfer, publicKey, signature } = parse(raw)
    const key = Buffer.from(publicKey, 'hex')
    if (addressOfKey(key) !== transfer.from || !isSigned(transfer, key, signature)) throw new Error('BAD_SIGNATURE')
    const id = idOf(transfer)
    if (this.#records.has(id)) return id
    if (transfer.validUntil <= this.head.height) throw new Error('EXPIRED')
    if (this.balance(transfer.from, NATIVE) < FEE) throw new Error('NO_FEE')
    this.#records.set(id, { id, transfer, status: 'pending', reason: null, fee: '0', block: null })
    this.#pending.push(transfer)
    if (!this.held) this.advance(1)
    return id
  }

  advance(blocks: number): void {
    for (let count = 0; count < blocks; count += 1) this.#makeBlock()
  }

  /** Takes the newest blocks away with what they did, and puts empty ones in their place. */
  reorg(depth: number): void {
    const dropped = this.#entries.splice(Math.max(1, this.#entries.length - depth))
    for (const { ids } of dropped) for (const id of ids) this.#records.delete(id)
    const [first] = dropped
    if (first !== undefined) this.#balances = new Map(first.before)
    this.#forks += 1
    this.advance(dropped.length)
  }

  #makeBlock(): void {
    const height = this.#entries.length
    const text = `${this.network}:${height}:${this.#forks}`
    const time = Math.floor(Date.now() / 1000)
    const block = { height, hash: createHash('sha256').update(text).digest('hex'), time }
    const before = new Map(this.#balances)
    const transfers = this.held ? [] : this.#pending.splice(0)
    const ids = transfers.flatMap((transfer) => this.#include(transfer, block) ?? [])
    this.#entries.push({ block, ids, before })
  }

  #include(transfer: LedgerTransfer, block: LedgerBlock): string | null {
    const id = idOf(transfer)
    if (transfer.validUntil < block.height) {
      this.#records.delete(id)
      return null
    }
    const reason = this.check(transfer)
    this.#add(transfer.from, NATIVE, -FEE)
    if (reason === null) {
      this.#add(transfer.from, transfer.currency, -BigInt(transfer.amount))
      this.#add(transfer.to, transfer.currency, BigInt(transfer.amount))
    }
    const status = reason === null ? 'success' : 'failed'
    this.#records.set(id, { id, transfer, status, reason, fee: FEE.toString(), block })
    return id
  }

  #add(account: string, currency: string, amount: bigint): void {
    this.#balances.set(`${account}:${currency}`, this.balance(account, currency) + amount)
  }
}

const parse = (raw: string): SignedTransfer => {
  try {
    // CAST: whatever is missing fails the check of the signature.
    const signed = JSON.parse(Buffer.from(raw.slice(2), 'hex').toString('utf8')) as SignedTransfer
    if (BigInt(signed.transfer.amount) <= 0n) throw new Error('nothing')
    return signed
  } catch {
    throw new Error('MALFORMED')
  }
}

const isSigned = (transfer: LedgerTransfer, key: Buffer, signature: string): boolean => {
  const publicKey = createPublicKey({ key: Buffer.concat([KEY_HEAD, key]), format: 'der', type: 'spki' })
  return verify(null, bytesOf(transfer), publicKey, Buffer.from(signature, 'hex'))
}
