import { randomBytes } from 'node:crypto'
import type { Amount } from './amounts/amount.js'
import { applyTransaction, type Outcome } from './applyTransaction.js'
import type { ClosedLedger, LedgerTx } from './closedLedger.js'
import { type LedgerRules, leastFee, type Place } from './ledgerRules.js'
import { OpenLedger } from './openLedger.js'
import { isIncluded } from './refusal.js'
import { newAccount } from './state/accounts.js'
import { sha512Half } from './state/entryIndex.js'
import { affectedAccounts, affectedNodes, threadChanges } from './state/metadata.js'
import { StateHistory } from './state/stateHistory.js'
import { View } from './state/view.js'
import type { NamedTx, Tx } from './transaction.js'

/** Has all XRP at the beginning. */
export const GENESIS_ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const ALL_DROPS = 100_000_000_000_000_000n
/** 2000-01-01 in seconds since 1970: when the ledger's time begins. */
export const EPOCH = 946_684_800
const FIRST_LEDGERS = 5
const DELIVERING = new Set(['Payment', 'CheckCash', 'AccountDelete'])

/** What a server asks at the moment; changed by whoever controls it. */
export interface Settings {
  load: number
  openLedgerFee: bigint
  medianFee: bigint
  queueAll: boolean
  holding: boolean
}

export type LedgerEvent =
  | { readonly kind: 'closed'; readonly ledger: ClosedLedger }
  | { readonly kind: 'proposed'; readonly pending: NamedTx; readonly code: string }

/** A network of one server that agrees with itself: it takes transactions and closes ledgers. */
export class XrpLedger {
  readonly rules: LedgerRules
  readonly settings: Settings = {
    ...{ load: 1, openLedgerFee: 0n, medianFee: 5000n, queueAll: false, holding: false },
  }
  readonly state = new StateHistory()
  readonly ledgers: ClosedLedger[] = []
  readonly #transactions = new Map<string, LedgerTx>()
  readonly #histories = new Map<string, LedgerTx[]>()
  readonly #listeners = new Set<(event: LedgerEvent) => void>()
  #open: OpenLedger

  constructor(networkId: number) {
    this.rules = { networkId, baseFee: 10n, reserveBase: 1_000_000n, reserveIncrement: 200_000n }
    this.#addGenesis()
    this.#open = this.#begin()
    for (let made = 1; made < FIRST_LEDGERS; made++) this.close()
  }

  get tip(): ClosedLedger {
    return this.closed(this.ledgers.length)
  }

  get open(): OpenLedger {
    return this.#open
  }

  /** Of the ledger that is being made. */
  get place(): Place {
    return this.#open.place
  }

  /** Drops that a transaction must pay to come into the open ledger at once. */
  costOf(tx: Pick<Tx, 'TransactionType'>): bigint {
    const [least, { openLedgerFee }] = [leastFee(tx, this.place), this.settings]
    if (least > openLedgerFee) return least
    return openLedgerFee
  }

  /** @throws Error when there is none of that number */
  closed(number: number): ClosedLedger {
    const found = this.ledgers[number - 1]
    if (found === undefined) throw new Error(`No ledger ${number} has closed`)
    return found
  }

  transaction(hash: string): LedgerTx | undefined {
    return this.#transactions.get(hash)
  }

  /** Of an account, oldest first. */
  history(account: string): readonly LedgerTx[] {
    return this.#histories.get(account) ?? []
  }

  onEvent(listener: (event: LedgerEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes a transaction in. Returns its preliminary result. */
  submit(named: NamedTx, { trusted = false } = {}): string {
    if (this.#transactions.has(named.hash)) return 'tefALREADY'
    const pending = { ...named, trusted, held: this.settings.holding && !trusted }
    const code = this.#open.submit(pending)
    if (isIncluded(code)) this.#tell({ kind: 'proposed', pending, code })
    return code
  }

  /** What a transaction would do in the open ledger. */
  simulate(tx: Tx): Outcome {
    return applyTransaction(this.#open.state, tx, this.#open.place)
  }

  /** What is held comes into the next ledger, or is gone. */
  release({ drop = false } = {}): void {
    this.settings.holding = false
    const { applied, queued, early } = this.#open
    const kept = [...applied, ...early].filter(({ held }) => !(drop && held))
    const queue = queued.filter(({ held }) => !(drop && held))
    for (const pending of [...kept, ...queue]) pending.held = false
    this.#open = this.#begin()
    this.#open.refill(kept, queue)
  }

  /** Closes the open ledger, at a time in seconds since 2000, and begins the next one. */
  close(time = Math.floor(Date.now() / 1000) - EPOCH): ClosedLedger {
    const open = this.#open
    const ledger = this.#seal(open, Math.max(time, this.tip.closeTime))
    this.#open = this.#begin()
    const left = [...open.applied, ...open.early].filter(({ hash }) => !this.#transactions.has(hash))
    this.#open.refill(left, open.queued)
    this.#tell({ kind: 'closed', ledger })
    return ledger
  }

  #seal(open: OpenLedger, closeTime: number): ClosedLedger {
    // What stands in the open ledger has paid what the server asked then.
    const place = { ...open.place, load: 1 }
    const view = new View(this.state.at(this.tip.number))
    const transactions: LedgerTx[] = []
    let burned = 0n
    for (const pending of open.applied.filter(({ held }) => !held)) {
      const outcome = applyTransaction(view, pending.tx, place, pending)
      if (!isIncluded(outcome.code)) continue
      const changes = threadChanges(outcome.changes, pending.hash, place.ledger)
      view.take(changes)
      burned += BigInt(pending.tx.Fee)
      transactions.push(describeTransaction(pending, { ...outcome, changes }, place, transactions.length))
    }
    this.state.write(place.ledger, view.changes())
    for (const one of transactions) this.#record(one)
    return this.#append({ closeTime, transactions, totalCoins: this.tip.totalCoins - burned })
  }

  #append(made: Pick<ClosedLedger, 'closeTime' | 'transactions' | 'totalCoins'>): ClosedLedger {
    const { number, hash: parentHash, closeTime: parentCloseTime } = this.tip
    const named = made.transactions.map(({ hash }) => Buffer.from(hash, 'hex'))
    const hash = sha512Half(Buffer.from(parentHash, 'hex'), Buffer.from(`${made.closeTime}`), ...named)
    const ledger = { ...made, number: number + 1, hash, parentHash, parentCloseTime }
    this.ledgers.push(ledger)
    return ledger
  }

  #record(one: LedgerTx): void {
    this.#transactions.set(one.hash, one)
    for (const account of one.accounts) {
      const history = this.#histories.get(account) ?? []
      history.push(one)
      this.#histories.set(account, history)
    }
  }

  #addGenesis(): void {
    const closeTime = Math.floor(Date.now() / 1000) - EPOCH
    const hash = sha512Half(randomBytes(32))
    const parentHash = '0'.repeat(64)
    const genesis = { number: 1, hash, parentHash, closeTime, parentCloseTime: 0, totalCoins: ALL_DROPS }
    this.ledgers.push({ ...genesis, transactions: [] })
    const root = newAccount(GENESIS_ACCOUNT, ALL_DROPS, 1)
    this.state.write(1, [{ index: root.index, before: undefined, after: root }])
  }

  #begin(): OpenLedger {
    const { number, closeTime } = this.tip
    const { rules, settings } = this
    // The load may change while the ledger is open.
    const place = {
      ...{ rules, ledger: number + 1, parentCloseTime: closeTime },
      get load() {
        return settings.load
      },
    }
    return new OpenLedger({ parent: this.state.at(number), place, fees: settings })
  }

  #tell(event: LedgerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** A transaction with its metadata. */
export const describeTransaction = (
  { tx, hash, blob }: NamedTx,
  { code, changes, delivered }: Outcome,
  place: Place,
  index: number,
): LedgerTx => {
  const AffectedNodes = affectedNodes(changes)
  const tells = delivered !== undefined && DELIVERING.has(tx.TransactionType)
  return {
    ...{ tx, hash, blob, ledger: place.ledger, accounts: affectedAccounts(AffectedNodes) },
    meta: {
      ...{ AffectedNodes, TransactionIndex: index, TransactionResult: code },
      ...(tells ? { delivered_amount: delivered satisfies Amount } : {}),
    },
  }
}
