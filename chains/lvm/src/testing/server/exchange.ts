import type { LedgerView } from '@causeway/core/testing'
import type { Block, LedgerTx } from '../engine/ledgerTx.js'
import type { LighterLedger } from '../engine/lighterLedger.js'
import type { State } from '../engine/state/entries.js'
import type { Params } from './params.js'

/** The exchange as one node shows it. */
export class Exchange {
  constructor(
    readonly ledger: LighterLedger,
    readonly view: LedgerView<LedgerTx, Block>,
  ) {}

  /** State of the newest block that the node shows. */
  get state(): State {
    return this.ledger.state.at(this.view.head.height)
  }
}

/** A call of the API. */
export interface Call {
  readonly params: Params
  /** Token of the header `Authorization` or of the parameter `auth`; empty without one. */
  readonly token: string
}

/** Calls of the API by the last segment of their path. */
export type Routes = Readonly<Record<string, (call: Call) => object>>
