import type { LedgerView, RestCall } from '@causeway/core/testing'
import type { HederaNetwork } from '../../engine/hederaNetwork.js'
import type { LedgerTx, RecordBlock } from '../../engine/ledgerTx.js'
import { accountOfAlias, type State } from '../../engine/state/entries.js'
import { timeText } from '../../engine/values.js'
import { invalidParameter, type Page, type Paged, pageOf, parseId } from './mirrorPages.js'

/** The network as one mirror node shows it. */
export class MirrorView {
  constructor(
    readonly network: HederaNetwork,
    readonly view: LedgerView<LedgerTx, RecordBlock>,
  ) {}

  /** State of the newest block that the node shows. */
  get state(): State {
    return this.network.state.at(this.view.head.height)
  }

  /** Consensus time up to which the node shows everything. */
  get time(): string {
    return timeText(this.view.head.to)
  }

  readonly limit = (asked: number | undefined, most: number): number => this.view.limit(asked, most)

  /** A page of accounts or tokens, by their numbers. */
  page<T>(call: RestCall, path: string, parts: Omit<Paged<T>, 'parse' | 'textOf'>): Page<T> {
    return pageOf(call, path, this.limit, { ...parts, parse: parseId, textOf: (place) => `0.0.${place}` })
  }

  /** Id of an account that a path names by its number, EVM address or alias. @throws CallError */
  accountId(text: string): string | null {
    const address = /^(?:0x|0\.0\.)?([0-9a-f]{40})$/i.exec(text)?.[1]
    if (address !== undefined) return accountOfAlias(this.state, address.toLowerCase())
    const number = parseId(text)
    if (number === null) throw invalidParameter('idOrAliasOrEvmAddress')
    return `0.0.${number}`
  }
}
