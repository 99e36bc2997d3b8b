import { smaller } from '../money/compare.js'
import type { LedgerEntry, LedgerPosting } from './ledger.js'

interface Amounted {
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
}

/** A deposit arrived: the depository holds it, we owe it (or it is parked, architecture.md 6 Ledger). */
export const depositPosting = (
  deposit: Amounted & { id: string; inclusion: number; parked: boolean },
): LedgerPosting => ({
  cause: `deposit:${deposit.id}`,
  event: `included:${deposit.inclusion}`,
  entries: [
    { ...money(deposit), account: 'depository', amount: deposit.amount },
    { ...money(deposit), account: deposit.parked ? 'parked' : 'owed', amount: -deposit.amount },
  ],
})

/** Part of the fees of a fill that is an integrator's. */
export interface IntegratorShare {
  readonly integratorId: string
  readonly amount: bigint
}

/** What a wallet earns by a fill: `amount` in the balance currency, of which a sponsor pays `fromSponsor`. */
export interface FillEarning {
  readonly holder: string
  readonly amount: bigint
  readonly fromSponsor: bigint
}

/** The part of a fill in the currency of balances, smallest unit: what wallets earn by it, and what its sponsor pays. */
export interface FillBalances {
  readonly chainId: number
  readonly currency: string
  readonly earnings: readonly FillEarning[]
  /** `rateCost` is the part of `amount` that no fee is for (wire.md D.8). */
  readonly sponsor?: { readonly holder: string; readonly amount: bigint; readonly rateCost: bigint }
}

/**
 * A fill was included: what was owed becomes fees and conversion on the origin, and leaves the wallet on the destination. Of the fees
 * the integrator's part is owed to it; never more than the fees, where little of them is left or nothing is known of them. What wallets
 * earn is owed in another currency: `earned` of the fees was exchanged for it.
 */
export const fillPosting = (fill: {
  readonly payoutId: string
  readonly inclusion: number
  readonly deposit: Amounted
  /** Of a fast fill: the wallet that owes the deposit, which is not in. */
  readonly exposed?: string
  /** Part of the deposit that goes back in an excess payout of its own. */
  readonly excess: bigint
  readonly fees: bigint
  readonly integratorFee?: IntegratorShare
  /** Part of `fees` that wallets earn. */
  readonly earned?: bigint
  readonly balances?: FillBalances
  readonly paid: Amounted
  /** Native currency that went along. */
  readonly topup?: Amounted
}): LedgerPosting => {
  const consumed = fill.deposit.amount - fill.excess
  const { integratorId: holder = '', amount = 0n } = fill.integratorFee ?? {}
  const earned = smaller(fill.earned ?? 0n, fill.fees)
  const share = smaller(amount, fill.fees - earned)
  return {
    cause: `payout:${fill.payoutId}`,
    event: `included:${fill.inclusion}`,
    entries: [
      { ...money(fill.deposit), ...consumedFrom(fill.exposed), amount: consumed },
      { ...money(fill.deposit), account: 'conversion', amount: fill.fees - consumed - earned },
      { ...money(fill.deposit), account: 'fees', amount: share + earned - fill.fees },
      { ...money(fill.deposit), account: 'integrator', amount: -share, holder },
      ...[fill.paid, ...(fill.topup === undefined ? [] : [fill.topup])].flatMap((paid) => [
        { ...money(paid), account: 'conversion' as const, amount: paid.amount },
        { ...money(paid), account: 'wallet' as const, amount: -paid.amount },
      ]),
      ...(fill.balances === undefined ? [] : balanceEntries(fill.balances)),
    ],
  }
}

/** A deposit that is in is owed; one that is to come is the wallet's debt. */
const consumedFrom = (exposed: string | undefined): Pick<LedgerEntry, 'account' | 'holder'> =>
  exposed === undefined ? { account: 'owed' } : { account: 'exposure', holder: exposed }

/** What a sponsor pays beyond earnings and the cost of a rate is a fee of ours; earnings that it does not pay were exchanged for. */
const balanceEntries = ({ chainId, currency, earnings, sponsor }: FillBalances): readonly LedgerEntry[] => {
  const amount = earnings.reduce((sum, earning) => sum + earning.amount, 0n)
  const fromSponsor = earnings.reduce((sum, earning) => sum + earning.fromSponsor, 0n)
  const { amount: sponsored = 0n, rateCost = 0n, holder = '' } = sponsor ?? {}
  const entries: readonly LedgerEntry[] = [
    { chainId, currency, account: 'conversion', amount: amount - fromSponsor - rateCost },
    { chainId, currency, account: 'fees', amount: fromSponsor + rateCost - sponsored },
    ...earnings.map(
      (earning): LedgerEntry => ({
        chainId,
        currency,
        account: 'earned',
        amount: -earning.amount,
        holder: earning.holder,
      }),
    ),
  ]
  return sponsor === undefined
    ? entries
    : [...entries, { chainId, currency, account: 'sponsored', amount: sponsored, holder }]
}

/** A refund or an excess was included: the debt is paid from the wallet, what its gas cost is kept as a fee. */
export const refundPosting = (refund: {
  readonly payoutId: string
  readonly inclusion: number
  readonly paid: Amounted
  readonly fees: bigint
}): LedgerPosting => ({
  cause: `payout:${refund.payoutId}`,
  event: `included:${refund.inclusion}`,
  entries: [
    { ...money(refund.paid), account: 'owed', amount: refund.paid.amount + refund.fees },
    { ...money(refund.paid), account: 'fees', amount: -refund.fees },
    { ...money(refund.paid), account: 'wallet', amount: -refund.paid.amount },
  ],
})

/** A withdrawal was included: the depository's holding is in the wallet now. */
export const withdrawPosting = (withdrawal: {
  readonly payoutId: string
  readonly inclusion: number
  readonly paid: Amounted
}): LedgerPosting => ({
  cause: `payout:${withdrawal.payoutId}`,
  event: `included:${withdrawal.inclusion}`,
  entries: [
    { ...money(withdrawal.paid), account: 'wallet', amount: withdrawal.paid.amount },
    { ...money(withdrawal.paid), account: 'depository', amount: -withdrawal.paid.amount },
  ],
})

/**
 * Network fee of one included transaction, failed and cancelled ones too, and what a currency itself took beside a payment. `from` is `sender` for
 * the gas of a key that sends for users, and `capital` where no book holds what the network's fee was taken from, such as the operator's own money on an account that pays its own fees;
 * what the currency took, or below 0 left by rounding, is always the wallet's.
 */
export const gasPosting = (
  gas: Amounted & {
    readonly txId: string
    readonly inclusion: string
    readonly taken?: { readonly currency: string; readonly amount: bigint }
    readonly from?: 'capital' | 'sender'
    /** Nobody was charged for it: it is our loss, not a cost of a payment. */
    readonly to?: 'loss'
  },
): LedgerPosting => ({
  cause: `gas:${gas.chainId}:${gas.txId}`,
  event: `included:${gas.inclusion}`,
  entries: [
    { ...gas, payer: gas.from ?? ('wallet' as const) },
    { ...gas, ...(gas.taken ?? { amount: 0n }), payer: 'wallet' as const },
  ]
    .filter(({ amount }, at) => at === 0 || amount !== 0n)
    .flatMap(({ payer, ...fee }) => [
      { ...money(fee), account: gas.to ?? ('gas' as const), amount: fee.amount },
      { ...money(fee), account: payer, amount: -fee.amount },
    ]),
})

/** Money of a deposit that is parked; `before` counts earlier postings of the kind, so that each has an event of its own. */
interface Parking extends Amounted {
  readonly depositId: string
  readonly before?: number
}

const nth = (event: string, before = 0): string => (before === 0 ? event : `${event}:${before + 1}`)

/** What cannot be sent back by itself stays visible until an operator acts. */
export const parkPosting = (parked: Parking): LedgerPosting => ({
  cause: `deposit:${parked.depositId}`,
  event: nth('parked', parked.before),
  entries: [
    { ...money(parked), account: 'owed', amount: parked.amount },
    { ...money(parked), account: 'parked', amount: -parked.amount },
  ],
})

/** What a fill did not need and is not worth its gas stays visible too; a fill becomes final once. */
export const parkExcessPosting = (parked: Parking & { readonly payoutId: string }): LedgerPosting => ({
  ...parkPosting(parked),
  event: `parked:excess:${parked.payoutId}`,
})

/** An operator acted: what was parked is owed to somebody again. */
export const unparkPosting = (parked: Parking): LedgerPosting => ({
  cause: `deposit:${parked.depositId}`,
  event: nth('unparked', parked.before),
  entries: [
    { ...money(parked), account: 'parked', amount: parked.amount },
    { ...money(parked), account: 'owed', amount: -parked.amount },
  ],
})

/** A deposit that is not on its chain any more, by its last inclusion. */
interface Left {
  readonly depositId: string
  readonly inclusion: number
}

/**
 * A deposit left the chain, and with it what it brought by the books. What was signed for it before is our loss; for the rest nothing is
 * owed any more, and nothing is parked.
 */
export const leftPosting = (
  left: Amounted &
    Left & {
      readonly decided: boolean
      readonly brought: bigint
      readonly paid: bigint
      readonly parked: bigint
    },
): LedgerPosting => ({
  cause: `deposit:${left.depositId}`,
  event: left.decided ? lostEvent(left) : `reorged:${left.inclusion}`,
  entries: [
    { ...money(left), account: 'depository', amount: -left.brought },
    { ...money(left), account: 'loss', amount: left.paid + left.brought - left.amount },
    { ...money(left), account: 'parked', amount: left.parked },
    { ...money(left), account: 'owed', amount: left.amount - left.paid - left.parked },
  ],
})

/** What was signed for a deposit that left turned out dead: nothing was lost by it, and nothing is owed. */
export const savedPosting = (
  saved: Amounted & Left & { readonly payoutId: string; readonly generation: number },
): LedgerPosting => ({
  cause: `deposit:${saved.depositId}`,
  event: `${lostEvent(saved)}:${saved.payoutId}:${saved.generation}`,
  entries: [
    { ...money(saved), account: 'owed', amount: saved.amount },
    { ...money(saved), account: 'loss', amount: -saved.amount },
  ],
})

/**
 * The depository got so much more of a deposit than was believed, or less. It is owed, parked, or, where the deposit was used already,
 * our loss. `before` counts earlier ones.
 */
export const amountPosting = (
  correction: Amounted & {
    readonly depositId: string
    readonly account: 'owed' | 'parked' | 'loss'
    readonly before: number
  },
): LedgerPosting => ({
  cause: `deposit:${correction.depositId}`,
  event: `corrected:${correction.before + 1}`,
  entries: [
    { ...money(correction), account: 'depository', amount: correction.amount },
    { ...money(correction), account: correction.account, amount: -correction.amount },
  ],
})

/** Event of the loss of a deposit; events that begin with it and a colon belong to it. */
export const lostEvent = ({ inclusion }: Pick<Left, 'inclusion'>): string => `lost:${inclusion}`

/** Money the operator put into or took out of a wallet, or the gas of a key that sends for users. */
export const capitalPosting = (
  capital: Amounted & { readonly event: string; readonly into?: 'wallet' | 'sender' },
): LedgerPosting => ({
  cause: `capital:${capital.chainId}:${capital.currency}`,
  event: capital.event,
  entries: [
    { ...money(capital), account: capital.into ?? 'wallet', amount: capital.amount },
    { ...money(capital), account: 'capital', amount: -capital.amount },
  ],
})

/** An order of the operator was included: its own money left the wallet. */
export const sendPosting = (sent: {
  readonly payoutId: string
  readonly inclusion: number
  readonly paid: Amounted
}): LedgerPosting => ({
  cause: `payout:${sent.payoutId}`,
  event: `included:${sent.inclusion}`,
  entries: [
    { ...money(sent.paid), account: 'capital', amount: sent.paid.amount },
    { ...money(sent.paid), account: 'wallet', amount: -sent.paid.amount },
  ],
})

/** Amount that a wallet claims of its balance; `fee`, part of `amount`, is kept for the payment's cost. */
export interface ClaimedMoney extends Amounted {
  readonly holder: string
  readonly fee: bigint
}

/** A claim was signed: what it takes is on its way. */
export const claimedPosting = (payoutId: string, { holder, ...claim }: ClaimedMoney): LedgerPosting => ({
  cause: `payout:${payoutId}`,
  event: 'claimed',
  entries: [
    { ...money(claim), account: 'app', amount: claim.amount, holder },
    { ...money(claim), account: 'claimed', amount: -claim.amount, holder },
  ],
})

/** A claim ended unpaid for good: what it took is free again. */
export const unclaimedPosting = (payoutId: string, claim: ClaimedMoney): LedgerPosting => ({
  ...claimedPosting(payoutId, { ...claim, amount: -claim.amount }),
  event: 'unclaimed',
})

/** A claim was included: its money left the wallet, exchanged where it is another currency. */
export const claimPosting = ({
  payoutId,
  inclusion,
  claim,
  paid,
}: {
  readonly payoutId: string
  readonly inclusion: number
  readonly claim: ClaimedMoney
  readonly paid: Amounted
}): LedgerPosting => ({
  cause: `payout:${payoutId}`,
  event: `included:${inclusion}`,
  entries: [
    { ...money(claim), account: 'claimed', amount: claim.amount, holder: claim.holder },
    { ...money(claim), account: 'fees', amount: -claim.fee },
    { ...money(claim), account: 'conversion', amount: claim.fee - claim.amount },
    { ...money(paid), account: 'conversion', amount: paid.amount },
    { ...money(paid), account: 'wallet', amount: -paid.amount },
  ],
})

interface SponsoredMoney extends Amounted {
  readonly holder: string
}

/** A sponsor pays for a transaction that is sent for a user (wire.md 2.6): what it may cost is set aside. */
export const originSponsoredPosting = (payoutId: string, { holder, ...aside }: SponsoredMoney): LedgerPosting => ({
  cause: `payout:${payoutId}`,
  event: 'sponsored:0',
  entries: [
    { ...money(aside), account: 'app', amount: aside.amount, holder },
    { ...money(aside), account: 'sponsored', amount: -aside.amount, holder },
  ],
})

/** It was never sent: what was set aside is free again. */
export const originUnsponsoredPosting = (payoutId: string, aside: SponsoredMoney): LedgerPosting => ({
  ...originSponsoredPosting(payoutId, { ...aside, amount: -aside.amount }),
  event: 'unsponsored:1',
})

/** It took its gas: what was set aside for that is ours. */
export const originPaidPosting = (
  payoutId: string,
  { holder, ...paid }: SponsoredMoney,
  event: string,
): LedgerPosting => ({
  cause: `payout:${payoutId}`,
  event,
  entries: [
    { ...money(paid), account: 'sponsored', amount: paid.amount, holder },
    { ...money(paid), account: 'fees', amount: -paid.amount },
  ],
})

/** What was owed to an integrator was paid to it out of a wallet. */
export const integratorPaidPosting = (
  paid: Amounted & { readonly integratorId: string; readonly event: string },
): LedgerPosting => ({
  cause: `capital:${paid.chainId}:${paid.currency}`,
  event: paid.event,
  entries: [
    { ...money(paid), account: 'wallet', amount: -paid.amount },
    { ...money(paid), account: 'integrator', amount: paid.amount, holder: paid.integratorId },
  ],
})

/**
 * What the chain shows and nothing explains, booked on an operator's word: what is missing as a loss, what is too much as capital.
 * `amount` is the chain's balance less the books.
 */
export const correctionPosting = (correction: Amounted & { readonly event: string }): LedgerPosting => ({
  cause: `capital:${correction.chainId}:${correction.currency}`,
  event: correction.event,
  entries: [
    { ...money(correction), account: 'wallet', amount: correction.amount },
    { ...money(correction), account: correction.amount < 0n ? 'loss' : 'capital', amount: -correction.amount },
  ],
})

const money = ({ chainId, currency }: Amounted) => ({ chainId, currency })
