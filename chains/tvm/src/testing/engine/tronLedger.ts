import { type LedgerEngine, LedgerPool, StateView, VersionedState } from '@causeway/core/testing'
import { GIVER, hexAddress, isNative } from '../wire/addresses.js'
import type { ContractCall, SignedTransaction } from '../wire/transactions.js'
import { checkSignature, checkTimes } from './admission.js'
import { begin, execute, type Order } from './execute.js'
import { DEFAULT_PARAMETERS, isParameter, type Parameters } from './parameters.js'
import { need, Refusal } from './refusal.js'
import type { Moment } from './resources.js'
import { accountIn, codeIn, type Entry, newAccount, ownersOf, type State, type View } from './state.js'
import { TronBlocks } from './tronBlocks.js'
import { retOf, type TronBlock, type TronTx, transactionAfter } from './tronTx.js'
import { TronVm } from './vm/tronVm.js'

const GIVER_SUN = 9_000_000_000_000_000n
const DAY_MS = 24 * 3600 * 1000

/** The network without its nodes. */
export class TronLedger implements LedgerEngine<TronTx, TronBlock> {
  readonly blocks: TronBlocks
  readonly state = new VersionedState<Entry>(ownersOf)
  readonly vm: TronVm
  readonly settings = { solidityLag: 19 }
  parameters: Parameters = DEFAULT_PARAMETERS
  readonly #energyFactors = new Map<string, number>()
  readonly #pool = new LedgerPool<Order>()
  #closing: Promise<unknown> = Promise.resolve()
  #made = 0

  constructor(chainId: number) {
    this.blocks = new TronBlocks(chainId)
    this.vm = new TronVm(chainId)
    const genesis = this.blocks.addAt(this.blocks.now, [])
    const view: View = new StateView<Entry>(this.state.at(0))
    view.put(newAccount(GIVER, genesis.time * 1000, GIVER_SUN))
    this.state.write(genesis.height, view.changes())
  }

  /** Takes a signed transaction. @throws Refusal */
  submit(tx: SignedTransaction): void {
    const isPending = this.#pool.all.some(({ id }) => id === tx.id)
    need(!isPending && this.blocks.find(tx.id) === undefined, 'DUP_TRANSACTION_ERROR', 'Dup transaction.')
    checkSignature(tx)
    checkTimes(tx, this.blocks)
    const moment = this.moment()
    const view = this.#pending(moment)
    const order = { ...tx, isTrusted: false }
    begin(view, order, moment)
    this.#pool.add(order)
  }

  /** Executes a call that needs no signature and pays no fees, in the next block. Returns its transaction id. */
  trust(call: ContractCall): string {
    this.#made += 1
    const { head } = this.blocks
    const [expiration, timestamp] = [head.time * 1000 + DAY_MS, head.time * 1000 + this.#made]
    const tx = transactionAfter(head, call, { expiration, timestamp })
    this.#pool.add({ ...tx, isTrusted: true })
    return tx.id
  }

  fund(address: string, amount: bigint, currency?: string): void {
    const to = hexAddress(address)
    if (currency === undefined || isNative(currency)) {
      const value = { owner_address: GIVER, to_address: to, amount: `${amount}` }
      this.trust({ kind: 'TransferContract', value, permission: 0 })
      return
    }
    const token = hexAddress(currency)
    if (codeIn(this.head, token) === null) throw new Error(`${currency} is not a contract of this network`)
    const data = `40c10f19${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
    const value = { owner_address: GIVER, contract_address: token, data }
    this.trust({ kind: 'TriggerSmartContract', value, permission: 0 })
  }

  /** The state after the newest block. */
  get head(): State {
    return this.state.at(this.blocks.head.height)
  }

  /** What a transaction of the next block meets. */
  moment(): Moment {
    const { head, now } = this.blocks
    return {
      ...{ time: Math.max(now, head.time), height: head.height + 1, parameters: this.parameters },
      energyFactorOf: (contract) => this.energyFactorOf(contract),
    }
  }

  energyFactorOf(contract: string): number {
    return this.#energyFactors.get(contract) ?? 0
  }

  /** Makes the calls of a contract dearer by a factor in units of 1/10000. */
  setEnergyFactor(contract: string, factor: number): void {
    this.#energyFactors.set(hexAddress(contract), factor)
  }

  /** @throws Error for a parameter that this network does not obey */
  setParameter(name: string, value: number): void {
    if (!isParameter(name)) throw new Error(`This network has no parameter ${name}`)
    this.parameters = { ...this.parameters, [name]: value }
  }

  /** Gives an account bandwidth and energy of a day, as staked TRX does, from the newest block on. */
  stake(address: string, staked: { readonly net: number; readonly energy: number }): void {
    const view: View = new StateView<Entry>(this.head)
    const hex = hexAddress(address)
    view.put({ ...(accountIn(view, hex) ?? newAccount(hex, this.blocks.head.time * 1000)), staked })
    this.state.write(this.blocks.head.height, view.changes())
  }

  undo([first]: readonly { readonly height: number }[]): void {
    if (first !== undefined) this.state.drop(first.height)
  }

  hold(): void {
    this.#pool.hold()
  }

  release(drop: boolean): void {
    this.#pool.release(drop)
  }

  /** Adds a block with the pending transactions. Blocks are made one after another. */
  close(): Promise<TronBlock> {
    const closed = this.#closing.then(() => this.#make(this.#pool.take()))
    this.#closing = closed.catch(() => undefined)
    return closed
  }

  async #make(orders: readonly Order[]): Promise<TronBlock> {
    const parent = this.blocks.head
    const moment = this.moment()
    const view: View = new StateView<Entry>(this.state.at(parent.height))
    const transactions: TronTx[] = []
    for (const order of orders) {
      const done = await this.#include(view, order, moment)
      if (done !== null) transactions.push(done)
    }
    // A reorganisation may have replaced the parent meanwhile.
    if (this.blocks.head !== parent) return this.#make(orders)
    const block = this.blocks.addAt(moment.time, transactions)
    this.state.write(block.height, view.changes())
    return block
  }

  /** Null: the block producer leaves the transaction out, as one that became invalid. */
  async #include(view: View, order: Order, moment: Moment): Promise<TronTx | null> {
    const inner: View = new StateView<Entry>(view)
    try {
      if (!order.isTrusted) checkTimes(order, this.blocks)
      const done = await execute(this.vm, inner, order, moment)
      if (order.isTrusted && retOf(done) !== 'SUCCESS') throw new Error(`The network's own call failed: ${retOf(done)}`)
      view.take(inner.changes())
      return done
    } catch (error) {
      if (error instanceof Refusal && !order.isTrusted) return null
      throw error
    }
  }

  /** The newest state with the effects of pending transactions that need no virtual machine. */
  #pending(moment: Moment): View {
    const view: View = new StateView<Entry>(this.head)
    for (const order of this.#pool.all) {
      const inner: View = new StateView<Entry>(view)
      try {
        begin(inner, order, moment)
        view.take(inner.changes())
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
    return view
  }
}
