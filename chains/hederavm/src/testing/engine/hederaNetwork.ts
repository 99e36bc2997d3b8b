import { larger } from '@causeway/core'
import { type LedgerEngine, LedgerPool, StateView, VersionedState } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import { atConsensus, reachConsensus, TIME_PER_TRANSACTION } from './consensus.js'
import { execute, hasPayerSigned, type Moment, resultOf } from './execute.js'
import { accountIdIn, fundingBodies, TREASURY } from './funding.js'
import type { LedgerTx, RecordBlock } from './ledgerTx.js'
import { NetworkBlocks } from './networkBlocks.js'
import { readTransaction, type Submitted, trustedTransaction } from './readTransaction.js'
import { need } from './refusal.js'
import { priceOf, tinybarsOf } from './rules/fees.js'
import { checkMemo, checkWindow } from './rules/precheck.js'
import { accountIn, type Entry, ownersOf, putNewAccount, type View } from './state/entries.js'
import { TRANSACTORS } from './transactions/transactors.js'
import { accountIdOf, bigintOf, type Code, int64, timestampOf } from './values.js'

const ALL_TINYBARS = 5_000_000_000_000_000_000n
const FIRST_ID = 1001
const SYSTEM_ACCOUNTS = ['0.0.98', '0.0.800', '0.0.801']
const SECOND = 1_000_000_000n
/** Nodes know receipts and records for 3 minutes. */
const RETENTION = 180n * SECOND

/** The network without its nodes: transactions reach consensus as they are submitted, and mirror nodes see them in the next block. */
export class HederaNetwork implements LedgerEngine<LedgerTx, RecordBlock> {
  readonly blocks = new NetworkBlocks()
  readonly state = new VersionedState<Entry>(ownersOf)
  readonly settings = {
    rate: { hbar: 30_000, cents: 360_000 },
    /** Transactions that nodes take between two blocks; above it they are busy. */
    throttle: Number.POSITIVE_INFINITY,
  }
  readonly #byId = new Map<string, LedgerTx[]>()
  readonly #held = new LedgerPool<Submitted>()
  #open: View
  #transactions: LedgerTx[] = []
  #accepted = 0
  #nextId = FIRST_ID
  #lastTime = 0n

  /** `ledgerId` is what queries of accounts and tokens show. */
  constructor(
    readonly nodes: readonly string[],
    readonly ledgerId: Uint8Array,
  ) {
    const now = this.blocks.nanos
    this.blocks.add({ transactions: [], from: now, to: now })
    this.#lastTime = now
    this.#open = new StateView<Entry>(this.state.at(0))
    putNewAccount(this.#open, { id: TREASURY, balance: ALL_TINYBARS, createdAt: now, key: { keyList: {} } })
    for (const id of [...nodes, ...SYSTEM_ACCOUNTS])
      putNewAccount(this.#open, { id, createdAt: now, key: { keyList: {} } })
    this.close()
  }

  get open(): View {
    return this.#open
  }

  get now(): bigint {
    return this.blocks.nanos
  }

  /** Takes a transaction at a node. Returns `OK`, or the reason why the node refuses it. */
  submit(bytes: Uint8Array, node: string): Code {
    const code = resultOf(() => {
      const submitted = readTransaction(bytes)
      this.#precheck(submitted, node)
      this.#accepted += 1
      if (this.#held.isHolding) this.#held.add(submitted)
      else this.#handle(submitted)
    })
    return code === 'SUCCESS' ? 'OK' : code
  }

  /** Applies a transaction without keys and fees. @throws Error with the result if it fails */
  apply(body: proto.ITransactionBody): LedgerTx {
    const done = this.#handle(trustedTransaction(this.#filled(body))).find(({ nonce }) => nonce === 0)
    if (done?.result === 'SUCCESS') return done
    throw new Error(`The network refuses ${done?.kind}: ${done?.result}`)
  }

  /** Applies transactions as children of a contract's call. @throws Error with the result of one that fails */
  applyWithin(bodies: readonly proto.ITransactionBody[]): LedgerTx {
    const call = trustedTransaction(this.#filled({ contractCall: { gas: int64(100_000) } }))
    const parent = this.#moment()
    const children = bodies.map((body, at) => {
      const child = trustedTransaction({ ...this.#filled(body), transactionID: call.transactionId })
      const own = { ...child, transactionId: { ...call.transactionId, nonce: at + 1 } }
      const outcome = execute(this.#open, own, parent)
      if (outcome.result !== 'SUCCESS') throw new Error(`The network refuses ${child.kind}: ${outcome.result}`)
      return atConsensus({ ...own, node: null }, { now: parent.now + BigInt(at + 1) }, outcome, parent.now)
    })
    const outcome = execute(this.#open, call, parent)
    const done = atConsensus(call, parent, outcome)
    this.#record([done, ...children])
    return done
  }

  fund(address: string, amount: bigint, currency?: string): void {
    const to = accountIdIn(this.#open, address)
    for (const body of fundingBodies(this.#open, to, amount, currency)) this.apply(body)
  }

  /** Transactions with an id that nodes still know, in the order of consensus; null: the id waits for consensus. */
  known(id: string): readonly LedgerTx[] | null {
    const all = (this.#byId.get(id) ?? []).filter(({ consensus }) => consensus + RETENTION >= this.now)
    return all.length === 0 && this.#held.all.some((held) => held.id === id) ? null : all
  }

  hold(): void {
    this.#held.hold()
  }

  release(drop: boolean): void {
    this.#held.release(drop)
    for (const submitted of this.#held.take()) this.#handle(submitted)
  }

  /** Ends a block: mirror nodes see its transactions. */
  close(): RecordBlock {
    this.state.write(this.blocks.head.height + 1, this.#open.changes())
    const transactions = this.#transactions
    if (transactions.length === 0) this.#lastTime = larger(this.now, this.#lastTime + 1n)
    const from = transactions[0]?.consensus ?? this.#lastTime
    const block = this.blocks.add({ transactions, from, to: transactions.at(-1)?.consensus ?? from })
    this.#open = new StateView<Entry>(this.state.at(block.height))
    this.#transactions = []
    this.#accepted = 0
    return block
  }

  /** Rules that a node checks before it takes a transaction. @throws Refusal */
  #precheck(submitted: Submitted, node: string): void {
    const { body, id, payer, kind } = submitted
    need(this.#accepted < this.settings.throttle, 'BUSY')
    need(submitted.node === node, 'INVALID_NODE_ACCOUNT')
    checkWindow(body, this.now, 'node')
    checkMemo(body.memo ?? '')
    TRANSACTORS[kind].check?.(body)
    const isHeldHere = this.#held.all.some((held) => held.id === id && held.node === node)
    need(!isHeldHere && !this.#byId.has(id), 'DUPLICATE_TRANSACTION')
    const account = accountIn(this.#open, payer)
    need(account !== null, 'PAYER_ACCOUNT_NOT_FOUND')
    need(!account.deleted, 'PAYER_ACCOUNT_DELETED')
    need(hasPayerSigned(this.#open, submitted), 'INVALID_SIGNATURE')
    const price = tinybarsOf(priceOf(kind, body, this.#open), this.settings.rate)
    need(bigintOf(body.transactionFee) >= price, 'INSUFFICIENT_TX_FEE')
    need(account.balance >= price, 'INSUFFICIENT_PAYER_BALANCE')
  }

  #handle(submitted: Submitted): readonly LedgerTx[] {
    const isDuplicate = this.#byId.has(submitted.id)
    const done = reachConsensus(this.#open, submitted, this.#moment(), isDuplicate)
    this.#record(done)
    return done
  }

  #record(done: readonly LedgerTx[]): void {
    this.#transactions.push(...done)
    for (const tx of done) this.#byId.set(tx.id, [...(this.#byId.get(tx.id) ?? []), tx])
  }

  /** Consensus times are unique and rise. */
  #moment(): Moment {
    const least = this.#lastTime + TIME_PER_TRANSACTION
    const now = larger(this.now, least)
    this.#lastTime = now + TIME_PER_TRANSACTION
    return { now, rate: this.settings.rate, nextId: () => `0.0.${this.#nextId++}` }
  }

  #filled(body: proto.ITransactionBody): proto.ITransactionBody {
    this.#lastTime += 1n
    const transactionValidStart = timestampOf(this.#lastTime - SECOND)
    return {
      transactionID: { accountID: accountIdOf(TREASURY), transactionValidStart },
      nodeAccountID: accountIdOf(this.nodes[0] ?? TREASURY),
      transactionValidDuration: { seconds: int64(120) },
      ...body,
    }
  }
}
