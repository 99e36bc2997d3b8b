import { type LedgerEngine, LedgerPool, StateView, VersionedState } from '@causeway/core/testing'
import { type Admitted, execute, isSupported } from './actions/execute.js'
import { type ExchangeBlock, ExchangeBlocks, type ExchangeTx, type Update } from './exchangeTx.js'
import { fundingOf } from './funding.js'
import { Nonces } from './nonces.js'
import { Refusal, refuse } from './refusal.js'
import { USER_SIGNED } from './signing/actions.js'
import { type SignedAction, signerOf } from './signing/signer.js'
import { accountIn, agentIn, changeAccount, type Entry, ownersOf, type State, type View } from './state.js'
import { type Network, SpotTokens } from './tokens.js'

const SYSTEM = `0x${'0'.repeat(40)}`

/** The exchange: accounts, and the rules of actions. Each action is in a block at once, unless actions are held. */
export class Exchange implements LedgerEngine<ExchangeTx, ExchangeBlock> {
  readonly network: Network
  readonly tokens: SpotTokens
  readonly blocks = new ExchangeBlocks()
  readonly #state = new VersionedState<Entry>(ownersOf)
  readonly #pool = new LedgerPool<Admitted>()
  readonly #nonces = new Nonces()

  constructor(network: Network) {
    this.network = network
    this.tokens = new SpotTokens(network)
  }

  /** State after a block; the newest by default. */
  state(height = this.blocks.head.height): State {
    return this.#state.at(height)
  }

  /** Takes a signed action. @throws Refusal with the text of the exchange */
  submit(signed: SignedAction): void {
    const { action, nonce } = signed
    if (!isSupported(action)) refuse(`Unsupported action ${action.type}`)
    const signer = signerOf(signed, this.network)
    const admitted = { user: this.#actorOf(signed, signer), signer, action, nonce }
    if (this.#pool.all.some((waiting) => waiting.signer === signer && waiting.nonce === nonce))
      refuse(`Invalid nonce: duplicate nonce ${nonce}`)
    this.#nonces.of(signer).check(nonce, this.blocks.nowMs)
    if (signed.expiresAfter !== undefined && signed.expiresAfter < this.blocks.nowMs) refuse('Action already expired')
    if (this.#pool.isHolding) execute(new StateView(this.state()), admitted, this.tokens)
    this.#pool.add(admitted)
    if (this.#pool.isHolding) return
    this.close()
    const { error = null } = this.blocks.head.transactions.at(-1) ?? {}
    if (error !== null) refuse(error)
  }

  close(): void {
    const view = new StateView(this.state())
    const timeMs = this.blocks.nextMs
    const transactions = this.#pool.take().map((admitted, position) => this.#include(view, admitted, position, timeMs))
    this.#add(view, transactions, timeMs)
  }

  /** Adds an amount in units of the service, with the ledger update of a bridge or a genesis. */
  fund(address: string, amount: bigint, currency?: string): void {
    const view = new StateView(this.state())
    const update = fundingOf(view, { address: address.toLowerCase(), amount, currency }, this.tokens)
    this.#changed(view, [update])
  }

  /** Applies a change without an action, in a block. */
  apply(change: (view: View, tokens: SpotTokens) => void): void {
    const view = new StateView(this.state())
    change(view, this.tokens)
    this.#changed(view, [])
  }

  hold(): void {
    this.#pool.hold()
  }

  release(drop: boolean): void {
    this.#pool.release(drop)
  }

  /** The account that acts. An API wallet acts for its master in L1 actions alone. @throws Refusal for an unknown one */
  #actorOf({ action, vaultAddress }: SignedAction, signer: string): string {
    const isL1 = USER_SIGNED[action.type] === undefined
    const user = (isL1 ? agentIn(this.state(), signer)?.master : undefined) ?? signer
    if (accountIn(this.state(), user) === undefined) refuse(`Must deposit before performing actions. User: ${user}`)
    if (vaultAddress === undefined) return user
    const vault = accountIn(this.state(), vaultAddress.toLowerCase())
    return vault?.master === user ? vault.address : refuse(`Vault not registered: ${vaultAddress.toLowerCase()}`)
  }

  /** Executes an action. One that fails stays in its block with its error, and its nonce is used. */
  #include(view: View, admitted: Admitted, position: number, time: number): ExchangeTx {
    const { user, signer, action, nonce } = admitted
    this.#nonces.of(signer).use(nonce)
    const tx = { hash: this.blocks.hashAt(position), user, action, time }
    const own = new StateView(view)
    try {
      const updates = execute(own, admitted, this.tokens)
      view.take(own.changes())
      return { ...tx, error: null, updates }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      changeAccount(view, user, { hasSent: true })
      return { ...tx, error: error.message, updates: [] }
    }
  }

  #changed(view: View, updates: readonly Update[]): void {
    const time = this.blocks.nextMs
    const tx = { hash: this.blocks.hashAt(0), user: SYSTEM, action: { type: 'system' }, time, error: null, updates }
    this.#add(view, updates.length === 0 ? [] : [tx], time)
  }

  #add(view: View, transactions: readonly ExchangeTx[], timeMs: number): void {
    this.#state.write(this.blocks.head.height + 1, view.changes())
    this.blocks.add({ transactions, timeMs })
  }
}
