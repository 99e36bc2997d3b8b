import type { Json } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import type { LedgerPage, LedgerSource, PageRequest, TransactionReading } from '@causeway/core/chain-kit'
import { readPaymentId } from '../address/paymentIds.js'
import { isSentBy, landingOf } from '../lane/landing.js'
import type { HypeSettings } from '../options.js'
import { readTransfers, type Transfer } from '../read/transfers.js'
import type { ExchangeNode } from '../rpc/exchangeNode.js'
import type { FindByHash } from '../rpc/explorer.js'
import { askUpdates, askUpdatesAt, type UpdatesPlace } from '../rpc/ledgerUpdates.js'
import { askHead, blockAt } from '../rpc/status.js'
import type { Assets } from '../rpc/tokens.js'
import { isDeposit, type MappedTransfer, readDeposits } from './readDeposits.js'
import type { WaitingTransfers } from './waitingTransfers.js'

export interface DepositSourceDeps
  extends Pick<HypeSettings, 'depository' | 'spotUsdc' | 'depositKey' | 'lagMs' | 'mappingWaitMs'> {
  readonly assets: Assets
  readonly waiting: WaitingTransfers
  /** Null: no explorer is configured. */
  readonly findByHash: FindByHash | null
}

/** Beyond the waiting time: what a process that ended may not have reported. */
const SEED_MARGIN_MS = 600_000
/** How far back a transaction is searched of which the hash alone is known. */
const SEARCH_MS = 3_600_000

/** Reads an account's transfers by the time of the exchange. A transfer is final at once, so there is no `block`. */
export class DepositSource implements LedgerSource<ExchangeNode, MappedTransfer> {
  readonly #deps: DepositSourceDeps
  /** Where the newest range begins that the watcher read, and up to where it read without a gap. */
  #front = -1n
  #covered = -1n
  /** The mark of the last page, as text. */
  #mark = ''

  constructor(deps: DepositSourceDeps) {
    this.#deps = deps
  }

  head(node: ExchangeNode): Promise<BlockRef> {
    return askHead(node, this.#deps.lagMs)
  }

  async page(node: ExchangeNode, { account, after, upTo, mark }: PageRequest): Promise<LedgerPage<MappedTransfer>> {
    const { waiting } = this.#deps
    const isFront = after >= this.#front
    // Another process may have read what lies between, and have left transfers that waited.
    const isGap = after > this.#covered || (mark !== null && JSON.stringify(mark) !== this.#mark)
    const place = mark === null ? { from: Number(after) + 1, seen: [] } : readPlace(mark)
    const older = isGap ? await this.#older(node, account, place.from) : []
    const { updates, next } = await askUpdatesAt(node, { user: account, from: place.from, upTo: Number(upTo) }, place)
    const fresh = (await this.#read(updates)).filter((transfer) => isDeposit(transfer, account))
    const found = [...new Map([...older, ...fresh].map((transfer) => [transfer.hash, transfer])).values()]
    const transactions = isFront
      ? await waiting.settle(found, { after, upTo, isWhole: next === null })
      : await waiting.settled(found, upTo)
    if (isFront) this.#front = after
    if (isFront && upTo > this.#covered) this.#covered = upTo
    const more = next === null ? null : placeJson(next)
    this.#mark = JSON.stringify(more)
    return { transactions, more }
  }

  /** Transfers that may have waited when another process read them. */
  async #older(node: ExchangeNode, account: string, upTo: number): Promise<readonly Transfer[]> {
    const from = Math.max(upTo - this.#deps.mappingWaitMs - SEED_MARGIN_MS, 0)
    const found = await this.#read(await askUpdates(node, { user: account, from, upTo }))
    return found.filter((transfer) => isDeposit(transfer, account))
  }

  async transactions(node: ExchangeNode, txs: readonly TxRef[]) {
    const found = await Promise.all(txs.map((tx) => this.#find(node, tx)))
    const mapped = await this.#deps.waiting.mapped(found.filter((transfer) => transfer !== null))
    const byHash = new Map(mapped.map((transfer) => [transfer.hash, transfer]))
    return found.map((transfer) => (transfer === null ? null : (byHash.get(transfer.hash) ?? null)))
  }

  readingOf(transfer: MappedTransfer): TransactionReading {
    const { time, hash } = transfer
    return { status: 'success', block: blockAt(time, hash), deposits: readDeposits(transfer, this.#deps) }
  }

  /** The amount by which a transfer raised a balance. */
  gainOf(
    { from, to, currency, amount, fee, isFeeInKind }: MappedTransfer,
    account: { readonly address: string; readonly currency: string },
  ): bigint | null {
    if (currency !== account.currency) return 0n
    const gained = to === account.address ? amount : 0n
    return from === account.address ? gained - amount - (isFeeInKind ? fee : 0n) : gained
  }

  async #find(node: ExchangeNode, { id, locator }: TxRef): Promise<Transfer | null> {
    const payment = readPaymentId(id)
    const at = timeIn(locator)
    if (payment !== null) {
      const range = at === null ? landingOf(payment.nonce) : { from: at, upTo: at }
      const sent = await this.#read(await askUpdates(node, { user: payment.sender, ...range }))
      return sent.find((transfer) => isSentBy(transfer, payment)) ?? null
    }
    const { depository } = this.#deps
    const known = at === null ? null : await this.#at(node, id, { user: depository, from: at, upTo: at })
    return known ?? (at === null ? this.#byHash(node, id) : null)
  }

  async #byHash(node: ExchangeNode, hash: string): Promise<Transfer | null> {
    const { depository, findByHash, lagMs } = this.#deps
    const upTo = Number((await askHead(node, lagMs)).height)
    const recent = await this.#at(node, hash, { user: depository, from: Math.max(upTo - SEARCH_MS, 0), upTo })
    if (recent !== null || findByHash === null) return recent
    const shown = await findByHash(hash)
    return shown === null ? null : this.#at(node, hash, { user: shown.user, from: shown.time, upTo: shown.time })
  }

  async #at(node: ExchangeNode, hash: string, range: { user: string; from: number; upTo: number }) {
    const updates = await askUpdates(node, range)
    return (await this.#read(updates.filter((update) => update.hash === hash)))[0] ?? null
  }

  #read(updates: Awaited<ReturnType<typeof askUpdates>>): Promise<readonly Transfer[]> {
    return readTransfers(updates, this.#deps.assets, this.#deps.spotUsdc)
  }
}

const timeIn = (locator: Json | undefined): number | null => {
  const { time }: { time?: unknown } = Object(locator)
  return typeof time === 'number' ? time : null
}

const placeJson = ({ from, seen }: UpdatesPlace): Json => ({ from, seen: [...seen] })

const readPlace = (mark: Json): UpdatesPlace => {
  const { from, seen }: { from?: unknown; seen?: unknown } = Object(mark)
  if (typeof from === 'number' && Array.isArray(seen)) return { from, seen: seen.map(String) }
  throw new Error('The stored place in a list of transfers cannot be read.')
}
