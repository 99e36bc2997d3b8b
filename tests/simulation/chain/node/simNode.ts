import type { Random } from '../../kernel/random.js'
import type { LedgerTruth } from '../ledgerTruth.js'
import type { SimBranch } from '../simBranch.js'
import { readRaw, type SimTransfer, simId } from '../simTransaction.js'
import { answerText, callsOf } from './ledgerRpc.js'
import { type LedgerView, viewOf } from './ledgerView.js'
import { lyingView } from './lyingView.js'
import { isLie, type NodeTrouble } from './nodeTrouble.js'

/** How long an untroubled node takes, milliseconds. */
const USUAL_MS = { least: 2, most: 40 } as const

/** What becomes of a request, and when: `lost`: it was done; `refused`: it was not; `silent`: it was not, and nothing ever comes. */
export interface NodeAnswer {
  readonly fate: 'answered' | 'lost' | 'refused' | 'silent'
  readonly delayMs: number
  readonly text: string
}

const NONE: NodeTrouble = { kind: 'none' }

/** One node of a ledger, of a provider of its own, with what is wrong with it. */
export class SimNode {
  readonly name: string
  readonly url: string
  readonly #ledger: LedgerTruth
  readonly #random: Random
  #trouble: NodeTrouble = NONE
  /** What it saw when its trouble began. */
  #begin: { readonly branch: SimBranch; readonly waiting: readonly SimTransfer[] } | null = null
  /** Bytes that it tells nobody of. */
  #kept: string[] = []

  constructor(ledger: LedgerTruth, at: number, random: Random) {
    this.#ledger = ledger
    this.#random = random
    this.name = `${ledger.slug}-provider-${at + 1}`
    this.url = `http://${this.name}.invalid/`
  }

  get trouble(): NodeTrouble {
    return this.#trouble
  }

  set trouble(trouble: NodeTrouble) {
    const ended = this.#trouble
    const { branch } = this.#ledger
    this.#trouble = trouble
    this.#begin = { branch, waiting: [...this.#ledger.pending()] }
    if (ended.kind === 'keeps' && trouble.kind !== 'keeps') this.#letGo(ended.late)
  }

  /** Whether it shows what is not so. */
  get lies(): boolean {
    return isLie(this.#trouble)
  }

  /** Answers a request by the state of now. */
  answer(body: string): NodeAnswer {
    const { kind } = this.#trouble
    const delayMs = this.#delay()
    if (kind === 'silent' || kind === 'refuses') {
      return { fate: kind === 'silent' ? 'silent' : 'refused', delayMs, text: '' }
    }
    const text = answerText(body, this.#view())
    return { fate: this.#isLost(body) ? 'lost' : 'answered', delayMs, text }
  }

  #delay(): number {
    const { least, most } = USUAL_MS
    return this.#random.int(least, this.#trouble.kind === 'slow' ? this.#trouble.mostMs : most)
  }

  #isLost(body: string): boolean {
    if (this.#trouble.kind !== 'loses') return false
    const { what } = this.#trouble
    const submits = callsOf(body).some(({ method }) => method === 'ledger_submit')
    return what === 'all' || (what === 'submits') === submits
  }

  #view(): LedgerView {
    const trouble = this.#trouble
    const ledger = this.#ledger
    if (isLie(trouble)) {
      const head = this.#begin?.branch.head ?? ledger.branch.head
      return lyingView(this.#honestView(), trouble, { head, depository: ledger.depository })
    }
    switch (trouble.kind) {
      case 'errs':
        return { ...this.#honestView(), submit: (raw) => this.#takeAndErr(raw, trouble.message ?? 'INTERNAL') }
      case 'forgets':
        return { ...this.#honestView(), submit: (raw) => simId(readRaw(raw, ledger.slug)) }
      case 'keeps':
        return { ...this.#honestView(), submit: (raw) => this.#keep(raw) }
      default:
        return this.#honestView()
    }
  }

  /** What it has, which may be old. */
  #honestView(): LedgerView {
    const trouble = this.#trouble
    const { branch } = this.#ledger
    const waiting = this.#ledger.pending()
    if (trouble.kind === 'stands' && this.#begin !== null) {
      const { branch: then, waiting: waited } = this.#begin
      return viewOf(this.#ledger, then.upTo(trouble.height ?? then.head.height), waited)
    }
    if (trouble.kind === 'lags') return this.#viewAt(branch, Math.max(0, branch.head.height - trouble.blocks))
    const kept = this.#kept.map((raw) => readRaw(raw, this.#ledger.slug))
    const shown = new Set(waiting.map(simId))
    const alone = kept.filter((transfer) => branch.record(simId(transfer)) === null && !shown.has(simId(transfer)))
    return viewOf(this.#ledger, branch, [...waiting, ...alone])
  }

  /** What newer blocks hold waits there. */
  #viewAt(branch: SimBranch, height: number): LedgerView {
    const newer = branch.records.filter(({ block }) => block !== null && block.height > height)
    const waiting = [...newer.map(({ transfer }) => transfer), ...this.#ledger.pending()]
    return viewOf(this.#ledger, branch.upTo(height), waiting)
  }

  #takeAndErr(raw: string, message: string): never {
    this.#ledger.submit(raw)
    throw new Error(message)
  }

  #keep(raw: string): string {
    const transfer = readRaw(raw, this.#ledger.slug)
    if (!this.#kept.includes(raw)) this.#kept.push(raw)
    return simId(transfer)
  }

  /** What it kept is passed on, or forgotten; the ledger may refuse it by now. */
  #letGo(late: boolean): void {
    const kept = this.#kept.splice(0)
    if (!late) return
    for (const raw of kept) {
      try {
        this.#ledger.submit(raw)
      } catch {
        // As it would be with any that come too late.
      }
    }
  }
}
