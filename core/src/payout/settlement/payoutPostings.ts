import type { AttemptState } from '../../chain/laneAdapter.js'
import { contra, type LedgerPosting } from '../../ledger/ledger.js'
import {
  claimPosting,
  type FillBalances,
  type FillEarning,
  fillPosting,
  gasPosting,
  originPaidPosting,
  refundPosting,
  sendPosting,
  withdrawPosting,
} from '../../ledger/postings.js'
import type { PayoutOrigin } from '../origin/originData.js'
import { sponsoredMoney } from '../origin/originSponsor.js'
import {
  claimOf,
  depositOf,
  type PayoutData,
  type PayoutEarnings,
  type StoredAttempt,
  type StoredPayout,
} from '../payoutRecord.js'
import type { Sighting } from './sighting.js'

/** What a payment books the `inclusion`-th time that it is in a block, by its purpose; null: an allowance moves nothing, and what a sweep or a user's own signature moves is booked with its deposit. */
export const purposePosting = (payout: StoredPayout, inclusion: number): LedgerPosting | null => {
  const paid = { chainId: payout.chainId, currency: payout.currency, amount: payout.amount }
  if (payout.purpose === 'withdraw') return withdrawPosting({ payoutId: payout.id, inclusion, paid })
  if (payout.purpose === 'approve' || payout.purpose === 'sweep') return null
  if (payout.purpose === 'origin') return sponsoredPosting(payout, inclusion)
  if (payout.purpose === 'claim') return claimPosting({ payoutId: payout.id, inclusion, claim: claimOf(payout), paid })
  if (payout.purpose === 'send') return sendPosting({ payoutId: payout.id, inclusion, paid })
  if (payout.purpose !== 'fill') return refundPosting({ payoutId: payout.id, inclusion, paid, fees: payout.fees })
  const { topup, integratorFee, earnings } = payout.data
  return fillPosting({
    payoutId: payout.id,
    inclusion,
    ...consumedBy(payout),
    excess: BigInt(payout.data.excess ?? '0'),
    fees: payout.fees,
    ...(integratorFee === undefined
      ? {}
      : { integratorFee: { ...integratorFee, amount: BigInt(integratorFee.amount) } }),
    ...(earnings === undefined
      ? {}
      : { earned: earnings.list.reduce((sum, item) => sum + BigInt(item.fromDeposit), 0n) }),
    ...balancesOf(payout.data),
    paid,
    ...(topup === undefined
      ? {}
      : { topup: { chainId: payout.chainId, currency: topup.currency, amount: BigInt(topup.amount) } }),
  })
}

/** What is sent for a user moves nothing of ours; where a sponsor bears its cost, that is paid. */
const sponsoredPosting = ({ id, data }: StoredPayout, inclusion: number): LedgerPosting | null =>
  data.origin?.borne.by === 'sponsor'
    ? originPaidPosting(id, sponsoredMoney(data.origin.borne), `included:${inclusion}`)
    : null

/** What a fill consumes: its deposit, or of a fast fill one that is to come. */
const consumedBy = (payout: StoredPayout) => {
  const { fastFill } = payout.data
  if (fastFill === undefined) return { deposit: depositOf(payout) }
  const { holder, amount, ...money } = fastFill
  return { deposit: { ...money, amount: BigInt(amount) }, exposed: holder }
}

/** What a fill does to the balances of wallets; nothing where it does nothing. */
const balancesOf = ({ earnings, sponsorship }: PayoutData): { readonly balances?: FillBalances } => {
  const money = earnings ?? sponsorship
  if (money === undefined) return {}
  const { chainId, currency } = money
  return {
    balances: {
      chainId,
      currency,
      earnings: (earnings?.list ?? []).map(earningOf),
      ...(sponsorship === undefined
        ? {}
        : {
            sponsor: {
              holder: sponsorship.holder,
              amount: BigInt(sponsorship.amount),
              rateCost: BigInt(sponsorship.rateCost),
            },
          }),
    },
  }
}

/** The sponsor pays the share of an earning that it pays of its fee. */
const earningOf = ({ holder, ...texts }: PayoutEarnings['list'][number]): FillEarning => {
  const [amount, fromDeposit, worth] = [BigInt(texts.amount), BigInt(texts.fromDeposit), BigInt(texts.worth)]
  return { holder, amount: worth, fromSponsor: amount === 0n ? 0n : (worth * (amount - fromDeposit)) / amount }
}

/** The same as a list. */
export const bookedBy = (payout: StoredPayout, inclusion: number): LedgerPosting[] => {
  const posting = purposePosting(payout, inclusion)
  return posting === null ? [] : [posting]
}

/** The network fee of an attempt in a block, in `native`, and what the currency itself took. */
export const gasOf = (
  { payout, attempt }: Pick<Sighting, 'payout' | 'attempt'>,
  native: string,
  blockHash: string,
  {
    fee,
    feeFrom,
    currencyFee = 0n,
  }: Pick<AttemptState, 'fee' | 'feeFrom'> & { readonly currencyFee?: bigint | undefined },
): LedgerPosting => {
  const { chainId, currency } = payout
  const taken = { currency, amount: currencyFee }
  return gasPosting({
    chainId,
    currency: native,
    amount: fee,
    txId: attempt.txId,
    inclusion: inclusionOf({ payout, attempt }, blockHash),
    taken,
    ...payerOf(payout, feeFrom),
    ...(payout.data.origin?.borne.by === 'loss' ? { to: 'loss' } : {}),
  })
}

/** What the network's fee was taken from; absent: the wallet. */
const payerOf = (
  { data }: Pick<StoredPayout, 'data'>,
  feeFrom: AttemptState['feeFrom'],
): { readonly from?: 'capital' | 'sender' } => {
  if (feeFrom !== undefined) return { from: feeFrom }
  return isBySender(data.origin) ? { from: 'sender' } : {}
}

/** Whether the key that holds nothing but gas sends it. */
const isBySender = (origin: PayoutOrigin | undefined): boolean =>
  origin !== undefined && (origin.kind === 'call' || origin.from === 'sender')

/** A block that it came back into is another inclusion. Of a carried payout it is an inclusion of its own: it books what it took itself. */
export const inclusionOf = (
  { payout, attempt: { reorgs, carried } }: Pick<Sighting, 'payout' | 'attempt'>,
  blockHash: string,
): string => `${blockHash}${reorgs === 0 ? '' : `:${reorgs + 1}`}${carried ? `:payout:${payout.id}` : ''}`

/** The fees of an attempt, as they were recorded with its block. */
export const feesOf = ({ fee, feeFrom, currencyFee }: StoredAttempt) => ({
  fee: fee ?? 0n,
  currencyFee: currencyFee ?? 0n,
  ...(feeFrom === null ? {} : { feeFrom }),
})

/** The fee of a transaction is booked once, with the attempt that has its bytes; parts of it are booked with the payouts that bear them. */
export const feeBorne = ({ attempt, state }: Pick<Sighting, 'attempt' | 'state'>): bigint =>
  attempt.carried && state.bearsPart !== true ? 0n : state.fee

/** The gas of a sighting; where it was booked in another block, which left the chain, that is taken back. */
export const gasPostings = (sighting: Sighting, native: string): LedgerPosting[] => {
  const { attempt, state } = sighting
  const hash = state.block?.hash ?? ''
  const booked = gasOf(sighting, native, hash, { ...state, fee: feeBorne(sighting) })
  const { blockHash } = attempt
  if (blockHash === null || blockHash === hash) return [booked]
  const left = gasOf(sighting, native, blockHash, feesOf(attempt))
  return [contra(left, `reorged:${inclusionOf(sighting, blockHash)}`), booked]
}
