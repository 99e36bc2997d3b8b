import { type LedgerEngine, LedgerPool, StateView, VersionedState } from '@causeway/core/testing'
import { Assets } from './assets.js'
import { type Conditions, canPay, checkTransaction, moveTransfer, undoTransfer, useNonce } from './execute.js'
import { type AcceptedTx, type Block, ExchangeBlocks, type FailedStatus, type LedgerTx, STATUS } from './ledgerTx.js'
import { indexOfOwner } from './owner.js'
import { readTransaction } from './readTransaction.js'
import { accountIn, addBalance, type Entry, keyIn, ownersOf, putAccount, putKey, type View } from './state/entries.js'

const USUAL_FEE = 3_000_000n
const OWNER = /^0x[0-9a-f]{40}$/i
const INDEX = /^(0|[1-9]\d{0,14})$/

type Change = (view: View) => void

/** The exchange without its servers: it accepts transactions, and executes them in blocks. */
export class LighterLedger implements LedgerEngine<LedgerTx> {
  readonly blocks = new ExchangeBlocks()
  readonly state = new VersionedState<Entry>(ownersOf)
  readonly assets = new Assets()
  readonly settings = {
    /** Micro-USDC. */
    transferFee: USUAL_FEE,
    /** Statuses that the next transfers end with. */
    failures: [] as FailedStatus[],
  }
  readonly #pool = new LedgerPool<AcceptedTx>()
  /** Statuses of transactions that were undone after their block. */
  readonly #regressed = new Map<string, FailedStatus>()
  /** Changes without a transaction, for the next block. */
  #changes: Change[] = []
  #open: View
  #sequence = 0

  constructor(readonly chainId: number) {
    this.blocks.add({ transactions: [] })
    this.#open = this.#begin()
  }

  /** The state with all accepted transactions. */
  get open(): View {
    return this.#open
  }

  /** Accepts a transaction. @throws Refusal */
  submit(type: number, info: string): AcceptedTx {
    const tx = readTransaction(type, info, this.chainId)
    const owner = checkTransaction(this.#open, tx, this.#conditions)
    this.#sequence += 1
    const { nowMs: acceptedAt, head } = this.blocks
    const accepted = { ...tx, owner, acceptedAt, acceptedAfter: head.height, sequence: this.#sequence }
    this.#execute(this.#open, accepted)
    this.#pool.add(accepted)
    return accepted
  }

  /** A transaction that waits for a block, and its status. */
  waiting(fits: (tx: AcceptedTx) => boolean): { readonly tx: AcceptedTx; readonly status: number } | null {
    const tx = this.#pool.all.find(fits)
    if (tx === undefined) return null
    const isPending = tx.acceptedAfter === this.blocks.head.height
    return { tx, status: isPending ? STATUS.pending : STATUS.queued }
  }

  /** Status of a transaction of a block, seen with a newest block. */
  statusOf({ hash, failure }: LedgerTx, block: Block, head: Block): number {
    const inBlock = head.height > block.height ? STATUS.executed : STATUS.committed
    return this.#regressed.get(hash) ?? failure ?? inBlock
  }

  /** Opens the account of an L1 address, or of an index whose owner shows later. Returns its index. @throws Error */
  openAccount(address: string, keys: Readonly<Record<number, string>> = {}): string {
    const isOwner = OWNER.test(address)
    if (!isOwner && !INDEX.test(address)) throw new Error(`${address} is no account of this exchange`)
    const account = isOwner ? indexOfOwner(address) : address
    this.#change((view) => {
      const known = accountIn(view, account)
      putAccount(view, account, isOwner ? address.toLowerCase() : (known?.owner ?? null))
      for (const [slot, publicKey] of Object.entries(keys)) {
        const nonce = keyIn(view, account, Number(slot))?.nonce ?? 0
        putKey(view, { account, slot: Number(slot), publicKey: publicKey.replace(/^0x/, ''), nonce })
      }
    })
    return account
  }

  fund(address: string, amount: bigint, currency = '0'): void {
    const place = this.assets.placeOf(currency)
    const account = this.openAccount(address)
    this.#change((view) => addBalance(view, account, place, amount))
  }

  /** Undoes a transfer of a block, which has another status from then on. @throws Error */
  regress(hash: string, status: FailedStatus): void {
    const { tx } = this.blocks.find(hash) ?? {}
    if (tx?.transfer === undefined || tx.failure !== undefined) throw new Error(`${hash} is no executed transfer`)
    const { account, transfer } = tx
    this.#change((view) => undoTransfer(view, account, transfer))
    this.#regressed.set(hash, status)
  }

  hold(): void {
    this.#pool.hold()
  }

  release(drop: boolean): void {
    this.#pool.release(drop)
    this.#open = this.#begin()
  }

  close(): Block {
    const view = new StateView<Entry>(this.state.at(this.blocks.head.height))
    for (const change of this.#changes) change(view)
    const transactions = this.#pool.take().map((tx) => this.#execute(view, tx, this.settings.failures))
    this.state.write(this.blocks.head.height + 1, view.changes())
    const block = this.blocks.add({ transactions })
    this.#changes = []
    this.#open = this.#begin()
    return block
  }

  get #conditions(): Conditions {
    return { assets: this.assets, now: this.blocks.nowMs, transferFee: this.settings.transferFee }
  }

  #change(change: Change): void {
    change(this.#open)
    this.#changes.push(change)
  }

  /** Executes an accepted transaction. One that fails uses its nonce up; one that comes out of turn does not. */
  #execute(view: View, tx: AcceptedTx, failures: FailedStatus[] = []): LedgerTx {
    const { account, slot, nonce, transfer } = tx
    if ((keyIn(view, account, slot)?.nonce ?? 0) !== nonce) return { ...tx, failure: STATUS.rejected }
    useNonce(view, tx, tx.owner)
    if (transfer === undefined) return tx
    const failure = failures.shift()
    if (failure !== undefined) return { ...tx, failure }
    if (tx.expiresAt <= this.blocks.nowMs || !canPay(view, account, transfer)) {
      return { ...tx, failure: STATUS.failed }
    }
    moveTransfer(view, account, transfer)
    return tx
  }

  /** The state of the newest block, with what waits for the next one. */
  #begin(): View {
    const view = new StateView<Entry>(this.state.at(this.blocks.head.height))
    for (const change of this.#changes) change(view)
    for (const tx of this.#pool.all) this.#execute(view, tx)
    return view
  }
}
