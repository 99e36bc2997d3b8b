import { type Controls, localLedger, type NodeServer, type OpenLedgerOptions } from '@causeway/core/testing'
import { Cell, loadMessage } from '@ton/core'
import { messageList } from '../engine/tonBlocks.js'
import { TonLedger } from '../engine/tonLedger.js'
import type { TonTx } from '../engine/tonTx.js'
import { TonVm } from '../engine/vm/tonVm.js'
import { RateLimit } from '../server/rateLimit.js'
import { tonNode } from '../server/tonNode.js'

/** Where a transaction is found. */
export interface Located {
  readonly account: string
  /** Decimal text. */
  readonly lt: string
  /** 64 hex digits. */
  readonly hash: string
}

const locatedOf = ({ account, lt, hash }: TonTx): Located => ({ account, lt: String(lt), hash })

const wasAborted = ({ parsed: { description } }: TonTx): boolean =>
  description.type === 'generic' && description.aborted && description.computePhase.type !== 'skipped'

/** Controls of the network; messages and parameters of the configuration are cells in base64. */
const controlsOf = (ledger: TonLedger, limit: RateLimit): Controls => ({
  apply: (messages: readonly string[]) => {
    const done = ledger.apply(messages.map((message) => loadMessage(Cell.fromBase64(message).beginParse())))
    const failed = done.find(wasAborted)
    if (failed !== undefined) throw new Error(`The transaction ${failed.hash} of ${failed.account} failed`)
    return done.map(locatedOf)
  },
  locate: (hash: string) => {
    const found = ledger.blocks.find(hash) ?? ledger.blocks.history(messageList(hash))[0]
    return found === undefined ? null : locatedOf(found.tx)
  },
  stall: (isStalled: boolean) => ledger.stall(isStalled),
  setLimit: (most: number | null) => limit.set(most),
  setConfigParam: (id: number, cell: string) => ledger.vm.setParam(id, Cell.fromBase64(cell)),
})

/** Starts a network in this process. Loads the emulator. */
export const open = async (options: OpenLedgerOptions): Promise<NodeServer> => {
  const ledger = new TonLedger(await TonVm.open())
  const limit = new RateLimit()
  ledger.blocks.onEvent(() => limit.restart())
  return localLedger({ ...options, engine: ledger, dialect: tonNode(limit), controls: controlsOf(ledger, limit) })
}
