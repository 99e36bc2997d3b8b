import { currencyOf, NATIVE, PERPS_PLACES, SPOT, USDC_DECIMALS } from '../address/addresses.js'
import { inPlaces, readAmount } from '../address/amounts.js'
import type { LedgerUpdate } from '../rpc/ledgerUpdates.js'
import type { Asset, Assets } from '../rpc/tokens.js'

/** A transfer between two accounts. */
export interface Transfer {
  readonly hash: string
  /** Unix milliseconds of its block. */
  readonly time: number
  readonly from: string
  readonly to: string
  /** As it arrived: the exchange and token of the recipient. */
  readonly currency: string
  /** In the service's smallest unit, and so is `fee`, which is USDC. */
  readonly amount: bigint
  readonly fee: bigint
  /** Whether the fee was taken of the currency that was sent. */
  readonly isFeeInKind: boolean
  /** Nonce of a `sendAsset`; null: the ledger does not show one, so no order can be named. */
  readonly nonce: number | null
}

/** Reads the transfers of a list of updates, in its order. @throws ServiceError */
export const readTransfers = async (
  updates: readonly LedgerUpdate[],
  assets: Assets,
  spotUsdc: string,
): Promise<readonly Transfer[]> => {
  const read = await Promise.all(updates.map((update) => readTransfer(update, assets, spotUsdc)))
  return read.filter((transfer) => transfer !== null)
}

const readTransfer = async (
  { time, hash, delta }: LedgerUpdate,
  assets: Assets,
  spotUsdc: string,
): Promise<Transfer | null> => {
  if (delta === null) return null
  const [from, to] = [delta.user.toLowerCase(), delta.destination.toLowerCase()]
  const shared = {
    hash,
    time,
    from,
    to,
    fee: inPlaces(readAmount(delta.fee, PERPS_PLACES), PERPS_PLACES, USDC_DECIMALS),
  }
  if (delta.type === 'internalTransfer') {
    const amount = inPlaces(readAmount(delta.usdc, PERPS_PLACES), PERPS_PLACES, USDC_DECIMALS)
    return { ...shared, currency: NATIVE, amount, isFeeInKind: true, nonce: null }
  }
  const isSend = delta.type === 'send'
  const dex = isSend ? delta.destinationDex : SPOT
  const asset = await assets.named(delta.token, dex, ({ id }) => currencyOf(id, dex, spotUsdc))
  if (asset === null) return null
  return {
    ...{ ...shared, currency: asset.currency, amount: amountIn(delta.amount, asset) },
    isFeeInKind: delta.feeToken === asset.symbol,
    // The exchange shows nonces of older spot transfers, which never name an order (chains.md hypevm 3).
    nonce: isSend ? delta.nonce : null,
  }
}

/** An amount of the ledger in the service's units: what is smaller than a unit is not credited. */
export const amountIn = (text: string, { places, decimals }: Pick<Asset, 'places' | 'decimals'>): bigint =>
  inPlaces(readAmount(text, places), places, decimals)

/** For the record: sender, recipient, nonce and amount (wire.md 3.1 TX `data`). */
export const txDataOf = ({ from, to, nonce, amount }: Pick<Transfer, 'from' | 'to' | 'nonce' | 'amount'>) => ({
  ...{ from, to, data: nonce === null ? '' : nonce.toString(), value: amount.toString() },
})
