import type { LedgerView } from '@causeway/core/testing'
import type { State } from '../engine/state.js'
import type { TronLedger } from '../engine/tronLedger.js'
import type { TronBlock, TronTx } from '../engine/tronTx.js'

/** The ledger as one node shows it: all blocks (`wallet`), or solidified ones alone (`walletsolidity`). */
export class TronView {
  constructor(
    readonly ledger: TronLedger,
    readonly view: LedgerView<TronTx, TronBlock>,
    readonly isSolid: boolean,
  ) {}

  get height(): number {
    const { head } = this.view
    const { settings, blocks } = this.ledger
    return this.isSolid ? Math.max(head.height - settings.solidityLag, blocks.first) : head.height
  }

  get head(): TronBlock {
    return this.view.header(this.height) ?? this.view.head
  }

  get state(): State {
    return this.ledger.state.at(this.height)
  }

  block(height: number): TronBlock | null {
    return height <= this.height ? this.view.block(height) : null
  }

  blockWith(hash: string): TronBlock | null {
    const found = this.view.blockWith(hash)
    return found !== null && found.height <= this.height ? found : null
  }

  find(id: string): { readonly tx: TronTx; readonly block: TronBlock } | null {
    const found = this.view.find(id.toLowerCase())
    return found !== null && found.block.height <= this.height ? found : null
  }
}
