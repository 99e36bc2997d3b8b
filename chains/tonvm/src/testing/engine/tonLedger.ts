import { type LedgerEngine, LedgerPool, StateView, VersionedState } from '@causeway/core/testing'
import { type Cell, loadMessage, type Message } from '@ton/core'
import { type AccountEntry, accountAt, rawAddress } from './accounts.js'
import { BlockRun, type Delivery } from './blockRun.js'
import { fundingMessage } from './funding.js'
import { externalHash } from './messageHashes.js'
import { TonBlocks } from './tonBlocks.js'
import type { TonBlock, TonTx } from './tonTx.js'
import type { TonVm } from './vm/tonVm.js'

/** A contract does not accept an external message. */
export class NotAccepted extends Error {
  constructor(
    readonly exitCode: number | null,
    reason: string,
  ) {
    super(reason)
  }
}

const LT_OF_BLOCK = 1_000_000n

/**
 * The network without its nodes. A message of a contract arrives one block after the transaction that sent it, so that a payment may be sent
 * and not arrived.
 */
export class TonLedger implements LedgerEngine<TonTx, TonBlock> {
  readonly blocks = new TonBlocks()
  readonly accounts = new VersionedState<AccountEntry>()
  readonly #external = new LedgerPool<Message>()
  #inbox: Delivery[] = []
  #isStalled = false
  #lt = LT_OF_BLOCK

  constructor(readonly vm: TonVm) {
    this.#make([])
  }

  /**
   * Takes an external message of a wallet.
   * @returns its hash, which does not depend on the serialisation
   * @throws NotAccepted if the contract does not accept it now
   */
  submit(cell: Cell): string {
    const message = loadMessage(cell.beginParse())
    const hash = externalHash(message)
    const trial = this.trial().execution(message)
    if (!trial.accepted) throw new NotAccepted(trial.exitCode, trial.reason)
    this.#external.add(message)
    return hash
  }

  /** A run on the newest state that has no effect. */
  trial(): BlockRun {
    const state = new StateView(this.accounts.at(this.blocks.head.height))
    return new BlockRun(this.vm, state, this.blocks.now, this.#lt)
  }

  /** Delivers internal messages, and everything that they cause, in a block of their own. */
  apply(messages: readonly Message[]): readonly TonTx[] {
    return this.#make(messages.map((message) => ({ message: this.#dated(message), isExpress: true }))).transactions
  }

  fund(address: string, amount: bigint, currency?: string): void {
    const account = (text: string) => accountAt(this.accounts.at(this.blocks.head.height), rawAddress(text))
    const call = { vm: this.vm, account, now: this.blocks.now }
    const message = this.#dated(fundingMessage(call, address, amount, currency))
    this.#inbox.push({ message, isExpress: true })
  }

  hold(): void {
    this.#external.hold()
  }

  release(drop: boolean): void {
    this.#external.release(drop)
  }

  /** Keeps messages of contracts on their way until it ends, as between busy shards. */
  stall(isStalled: boolean): void {
    this.#isStalled = isStalled
  }

  close(): TonBlock {
    const arriving = this.#isStalled ? this.#inbox.filter(({ isExpress }) => isExpress) : this.#inbox
    this.#inbox = this.#inbox.filter((delivery) => !arriving.includes(delivery))
    return this.#make([...arriving, ...this.#external.take().map((message) => ({ message, isExpress: false }))])
  }

  #make(deliveries: readonly Delivery[]): TonBlock {
    return this.blocks.atOneTime((now) => {
      const startLt = (this.#lt / LT_OF_BLOCK + 1n) * LT_OF_BLOCK
      const before = this.accounts.at(this.blocks.isEmpty ? 0 : this.blocks.head.height)
      const run = new BlockRun(this.vm, new StateView(before), now, startLt)
      run.deliver(deliveries)
      this.#inbox.push(...run.sent)
      this.#lt = run.lt
      const block = this.blocks.add({ transactions: run.transactions, startLt, endLt: run.lt })
      this.accounts.write(block.height, run.state.changes())
      return block
    })
  }

  /** A message gets its logical time when it enters the network. */
  #dated(message: Message): Message {
    if (message.info.type !== 'internal') throw new Error('The message is not internal')
    return { ...message, info: { ...message.info, createdLt: this.#lt, createdAt: this.blocks.now } }
  }
}
