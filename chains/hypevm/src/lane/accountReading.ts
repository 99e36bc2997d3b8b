import { larger, ServiceError } from '@causeway/core'
import type { NonceMapping, NonceMappings } from '@causeway/core/chain'
import {
  type LaneMoment,
  type LaneQuestion,
  type LaneSince,
  paymentMemo,
  type SentTransaction,
  type SequenceChain,
  type ShownTransaction,
} from '@causeway/core/chain-kit'
import { NATIVE, USDC_DECIMALS } from '../address/addresses.js'
import { inPlaces } from '../address/amounts.js'
import { type PaymentId, paymentId, readPaymentId } from '../address/paymentIds.js'
import { isSweep, markedPurpose } from '../deposit/ownMarks.js'
import type { HypeSettings } from '../options.js'
import { readTransfers, type Transfer, txDataOf } from '../read/transfers.js'
import type { ExchangeNode } from '../rpc/exchangeNode.js'
import { askUpdates, askUpdatesAt, type UpdatesPlace } from '../rpc/ledgerUpdates.js'
import { askHead, blockAt } from '../rpc/status.js'
import type { Assets } from '../rpc/tokens.js'
import { isSentBy, landingOf, sequenceOf, untilOf } from './landing.js'

export interface LaneReadingDeps extends Pick<HypeSettings, 'depository' | 'spotUsdc' | 'depositKey' | 'lagMs'> {
  readonly chainId: number
  readonly assets: Assets
  readonly mappings: Pick<NonceMappings, 'find'> | null
}

/** Where an API server stands: transfers are final at once, and payments expire by the same time that heights count. */
export const askMoment = async (node: ExchangeNode, lagMs: number): Promise<LaneMoment> => ({
  height: (await askHead(node, lagMs)).height,
})

/** How a lane of the solver's account is read: payments by their nonces, and the lists of solver and depository. */
export const laneReading = (deps: LaneReadingDeps): Pick<SequenceChain<ExchangeNode>, 'read' | 'list'> => ({
  read: async (node, { attempts }) => {
    // The head first: a payment that lands between two questions must not count as dead.
    const moment = await askMoment(node, deps.lagMs)
    const shown = await readAttempts(node, attempts, deps)
    const transactions = await Promise.all(
      shown.map((transfer) => (transfer === null ? null : shownOf(transfer, deps))),
    )
    return { moment, transactions }
  },
  list: async (node, solver, since) => ({ transactions: await listSent(node, solver, since, deps) }),
})

interface Wanted extends PaymentId {
  readonly from: number
  readonly upTo: number
}

/** Payments by their ids: one list for all of a sender that may have landed in the same time. */
const readAttempts = async (
  node: ExchangeNode,
  attempts: LaneQuestion['attempts'],
  deps: LaneReadingDeps,
): Promise<readonly (Transfer | null)[]> => {
  const wanted = attempts.map(({ txId, locator }) => wantedOf(txId, Object(locator)))
  const ranges = new Map<string, { readonly user: string; from: number; upTo: number }>()
  for (const { sender: user, from, upTo } of wanted.filter((one) => one !== null)) {
    const known = ranges.get(user)
    ranges.set(user, { user, from: Math.min(from, known?.from ?? from), upTo: Math.max(upTo, known?.upTo ?? upTo) })
  }
  const found = await Promise.all([...ranges.values()].map((range) => readSent(node, range, deps)))
  return wanted.map((id) => (id === null ? null : (found.flat().find((transfer) => isSentBy(transfer, id)) ?? null)))
}

const wantedOf = (txId: string, { time }: { readonly time?: unknown }): Wanted | null => {
  const id = readPaymentId(txId)
  if (id === null) return null
  return { ...id, ...(typeof time === 'number' ? { from: time, upTo: time } : landingOf(id.nonce)) }
}

const readSent = async (
  node: ExchangeNode,
  range: { readonly user: string; readonly from: number; readonly upTo: number },
  { assets, spotUsdc }: LaneReadingDeps,
): Promise<readonly Transfer[]> => readTransfers(await askUpdates(node, range), assets, spotUsdc)

type Shown = ShownTransaction & Pick<SentTransaction, 'txData'>

/** The fee of a new account is native for native money, else a part of the currency that was paid. */
const shownOf = async (transfer: Transfer, { assets }: LaneReadingDeps): Promise<Shown> => {
  const { from: sender, nonce, time, hash, to, currency, amount, fee, isFeeInKind } = transfer
  const isNative = currency === NATIVE || !isFeeInKind
  const decimals = (await assets.find(currency))?.decimals ?? USDC_DECIMALS
  return {
    tx: { id: nonce === null ? hash : paymentId({ sender, nonce }), locator: { time, hash } },
    ...{ to, arrived: { currency, amount }, block: blockAt(time, hash), revert: null },
    fee: isNative ? fee : 0n,
    ...(isNative || fee === 0n ? {} : { currencyFee: inPlaces(fee, USDC_DECIMALS, decimals) }),
    // The record names the payment by its id, and so here by the hash of the exchange.
    txData: { ...txDataOf(transfer), data: hash },
  }
}

/** So long before now a payment of a new lane may have landed. */
const RECENT_MS = 7_200_000n

/**
 * Transfers that the solver and the depository sent above a height, and sweeps, which the depository received. Without a height those of
 * the newest time, and the first that the solver ever sent.
 */
const listSent = async (
  node: ExchangeNode,
  solver: string,
  since: LaneSince | null,
  deps: LaneReadingDeps,
): Promise<readonly SentTransaction[]> => {
  const { height } = await askMoment(node, deps.lagMs)
  const from = since !== null && 'height' in since ? since.height + 1n : larger(height - RECENT_MS, 0n)
  const range = { from: Number(from), upTo: Number(height) }
  const [own, held, first] = await Promise.all([
    readSent(node, { user: solver, ...range }, deps),
    readSent(node, { user: deps.depository, ...range }, deps),
    since === null ? readFirst(node, solver, Number(from), deps) : [],
  ])
  const isSent = ({ from: sender }: Transfer) => sender === solver || sender === deps.depository
  const listed = new Map([...first, ...own, ...held].map((transfer) => [keyOf(transfer), transfer]))
  const mapped = await withMappings([...listed.values()], deps)
  const sent = mapped.filter(
    ({ transfer, mapping }) => isSent(transfer) || (mapping !== null && isSweep(mapping, deps.depositKey)),
  )
  return Promise.all(sent.map((one) => sentOf(one, deps)))
}

const MOST_OLD_PAGES = 20

const keyOf = ({ hash, from, nonce }: Transfer): string => `${hash} ${from} ${nonce}`

/** The first transfer that the account ever sent, as far as it is easily found: the key was used before. */
const readFirst = async (
  node: ExchangeNode,
  user: string,
  before: number,
  { assets, spotUsdc }: LaneReadingDeps,
): Promise<readonly Transfer[]> => {
  let place: UpdatesPlace | null = { from: 0, seen: [] }
  for (let pages = 0; place !== null && pages < MOST_OLD_PAGES; pages += 1) {
    const range = { user, from: place.from, upTo: before - 1 }
    const page: Awaited<ReturnType<typeof askUpdatesAt>> = await askUpdatesAt(node, range, place)
    const sent = (await readTransfers(page.updates, assets, spotUsdc)).find(({ from }) => from === user)
    if (sent !== undefined) return [sent]
    place = page.next
  }
  return []
}

interface Listed {
  readonly transfer: Transfer
  readonly mapping: NonceMapping | null
}

const withMappings = async (
  transfers: readonly Transfer[],
  { mappings, chainId }: LaneReadingDeps,
): Promise<readonly Listed[]> => {
  if (mappings === null)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Payments on Hyperliquid need the nonce mappings of the database.')
  const keys = transfers.map(({ from: wallet, nonce }) => ({ wallet, nonce: nonce ?? 0 }))
  const found = await mappings.find(chainId, keys)
  return transfers.map((transfer, at) => ({ transfer, mapping: transfer.nonce === null ? null : (found[at] ?? null) }))
}

const sentOf = async ({ transfer, mapping }: Listed, deps: LaneReadingDeps): Promise<SentTransaction> => {
  const { nonce, time, currency, amount } = transfer
  const sequence = sequenceOf(nonce ?? time, time)
  return {
    ...(await shownOf(transfer, deps)),
    ...{ sequence, until: untilOf(sequence), memo: memoOf(mapping, deps) },
    money: { currency, amount },
  }
}

/** The order and purpose that a mapping of this service names. */
const memoOf = (mapping: NonceMapping | null, { depositKey }: LaneReadingDeps): string | null => {
  if (mapping === null) return null
  const purpose = isSweep(mapping, depositKey) ? 'sweep' : markedPurpose(mapping)
  return purpose === null ? null : paymentMemo({ orderId: mapping.id, purpose })
}
