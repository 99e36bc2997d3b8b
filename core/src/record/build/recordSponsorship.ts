import type { Json } from '../../chain/json.js'
import type { AmountJson, CurrencyJson } from '../../http/openapi/sharedSchemas.js'
import { larger } from '../../money/compare.js'
import { FEE_COMPONENTS, type FeeComponent, type QuotedSponsorship } from '../../quote/feeSponsorship.js'
import type { RecordFacts, RecordPayout } from '../recordFacts.js'
import { quotedAt } from './quotedFacts.js'
import type { RecordParts } from './recordRoute.js'

type ByComponent<T> = Readonly<Record<FeeComponent, T>>

/** A component with amounts in full. */
export interface SponsoredComponentJson {
  readonly selected: boolean
  readonly total: AmountJson
  readonly sponsored: AmountJson
  readonly userPays: AmountJson
}

/** A phase of `feeSponsorship` (wire.md 1.5); the platform's component is called so here, whatever it is called where it is shown. */
export interface SponsorshipPhase {
  readonly selected: readonly FeeComponent[]
  /** Millionths of a dollar; null: no cap was set. */
  readonly cap: string | null
  /** Null: none was set. */
  readonly bps: number | null
  readonly capHit: boolean
  readonly components: ByComponent<SponsoredComponentJson>
  readonly sponsoredTotal: AmountJson
  readonly userPaysTotal: AmountJson
}

/** What left the sponsor's balance, in the currency of balances. */
export interface SponsorPayment {
  readonly amount: string
  readonly address: string
  readonly chainId: number
}

/** Both phases; `actual` is null until the fill is on its chain (wire.md K.1 12). */
export interface RecordSponsorship {
  readonly quoted: SponsorshipPhase
  readonly actual: (SponsorshipPhase & { readonly sponsorPayment: SponsorPayment }) | null
  readonly currency: CurrencyJson
}

const byComponent = <T>(make: (component: FeeComponent) => T): ByComponent<T> =>
  // CAST: every component is made.
  Object.fromEntries(FEE_COMPONENTS.map((component) => [component, make(component)])) as ByComponent<T>

const OWN_NAMES: readonly string[] = FEE_COMPONENTS.filter((component) => component !== 'platform')

/** A quote calls the platform's fee by the name that the service had then (wire.md K.1 13). */
const componentNamed = (name: string): FeeComponent => (OWN_NAMES.includes(name) ? (name as FeeComponent) : 'platform')

const quotedPhase = (quoted: QuotedSponsorship): SponsorshipPhase => {
  const named = Object.entries(quoted.components).map(([name, component]) => [componentNamed(name), component] as const)
  return {
    selected: quoted.selectedComponents.map(componentNamed),
    cap: quoted.maxSubsidizationAmount ?? null,
    bps: quoted.subsidizationBps ?? null,
    capHit: quoted.capHit,
    // CAST: a quote has all five (wire.md K.1 12).
    components: Object.fromEntries(named) as ByComponent<SponsoredComponentJson>,
    sponsoredTotal: quoted.sponsoredTotal,
    userPaysTotal: quoted.userPaysTotal,
  }
}

const isQuoted = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && 'components' in value && 'sponsoredTotal' in value

/** What a fill says of its sponsor, and of what the deposit left beyond fees for it. */
const paidBySponsor = ({ data }: RecordPayout) => {
  // CAST: payouts keep both in this shape (`PayoutData`).
  const { sponsorship, earnings } = (data ?? {}) as {
    readonly sponsorship?: Readonly<Record<'amount' | 'fees' | 'currency', string>> & { readonly chainId: number }
    readonly earnings?: { readonly list: readonly { readonly kind: string; readonly fromDeposit: string }[] }
  }
  const gains = earnings?.list.filter(({ kind }) => kind === 'rate') ?? []
  return { sponsorship, gained: gains.reduce((sum, { fromDeposit }) => sum + BigInt(fromDeposit), 0n) }
}

/** What the sponsor really paid of the fees, in the deposited currency; null before the fill. */
export const sponsoredFees = (filled: RecordPayout | null): bigint | null =>
  filled === null ? null : BigInt(paidBySponsor(filled).sponsorship?.fees ?? '0')

/** An amount in proportion to weights; what has none is of the execution, whose cost alone may grow. */
const spread = (amount: bigint, weights: ByComponent<bigint>): ByComponent<bigint> => {
  const whole = FEE_COMPONENTS.reduce((sum, component) => sum + weights[component], 0n)
  if (whole === 0n) return byComponent((component) => (component === 'execution' ? amount : 0n))
  let before = 0n
  return byComponent((component) => {
    const from = (amount * before) / whole
    before += weights[component]
    return (amount * before) / whole - from
  })
}

const weightsOf = (phase: SponsorshipPhase, part: 'sponsored' | 'userPays'): ByComponent<bigint> =>
  byComponent((component) => larger(BigInt(phase.components[component][part].amount), 0n))

/** The fees as they were charged and paid, divided between the components as they were quoted: only their sums are facts. */
const actualPhase = (
  { facts, money }: RecordParts,
  quoted: SponsorshipPhase,
  filled: RecordPayout,
): SponsorshipPhase => {
  const { chainId, currency } = facts.terms.origin
  const shown = (amount: bigint): AmountJson => money.amount(chainId, currency, amount)
  const total = sponsoredFees(filled) ?? 0n
  const rest = larger(filled.fees - paidBySponsor(filled).gained, 0n)
  const sponsored = spread(total, weightsOf(quoted, 'sponsored'))
  const userPays = spread(rest, weightsOf(quoted, 'userPays'))
  return {
    ...quoted,
    components: byComponent((component) => ({
      selected: quoted.components[component].selected,
      total: shown(sponsored[component] + userPays[component]),
      sponsored: shown(sponsored[component]),
      userPays: shown(userPays[component]),
    })),
    sponsoredTotal: shown(total),
    userPaysTotal: shown(rest),
  }
}

/** What left the sponsor's balance by a fill, or is to leave it by the terms before. */
export const sponsorPayment = (
  { terms }: Pick<RecordFacts, 'terms'>,
  filled: RecordPayout | null,
): SponsorPayment | null => {
  const paid = filled === null ? undefined : paidBySponsor(filled).sponsorship
  if (paid !== undefined) return { amount: paid.amount, address: paid.currency, chainId: paid.chainId }
  const { sponsorship } = terms
  if (sponsorship === undefined) return null
  const amount = filled === null ? sponsorship.amount.toString() : '0'
  return { amount, address: sponsorship.currency, chainId: sponsorship.chainId }
}

/** `data.feeSponsorship` of a record; null where nothing was sponsored (wire.md K.3 2). */
export const recordSponsorship = (parts: RecordParts): RecordSponsorship | null => {
  const { facts, execution } = parts
  const stored = quotedAt(facts, 'feeSponsorship.quoted')
  if (!isQuoted(stored) || facts.terms.sponsorship === undefined) return null
  // CAST: checked above; quotes store what they answer.
  const quoted = quotedPhase(stored as unknown as QuotedSponsorship)
  const { filled } = execution
  const payment = filled === null ? null : sponsorPayment(facts, filled)
  return {
    quoted,
    actual:
      filled === null || payment === null ? null : { ...actualPhase(parts, quoted, filled), sponsorPayment: payment },
    currency: quoted.sponsoredTotal.currency,
  }
}

type HoistedAmount = Omit<AmountJson, 'currency'>

const hoisted = ({ currency: _shared, ...amount }: AmountJson): HoistedAmount => amount

const phaseJson = (phase: SponsorshipPhase) => ({
  selectedComponents: phase.selected,
  maxSubsidizationAmount: phase.cap,
  ...(phase.bps === null ? {} : { subsidizationBps: phase.bps }),
  capHit: phase.capHit,
  components: byComponent((component) => {
    const { selected, total, sponsored, userPays } = phase.components[component]
    return { selected, total: hoisted(total), sponsored: hoisted(sponsored), userPays: hoisted(userPays) }
  }),
  sponsoredTotal: hoisted(phase.sponsoredTotal),
  userPaysTotal: hoisted(phase.userPaysTotal),
})

/** The same as version 3 shows it: amounts without their currency, which stands beside them once. */
export type RecordSponsorshipJson = ReturnType<typeof recordSponsorshipJson>
export const recordSponsorshipJson = (sponsorship: RecordSponsorship) => {
  const { quoted, actual, currency } = sponsorship
  return {
    quoted: phaseJson(quoted),
    actual: actual === null ? null : { ...phaseJson(actual), sponsorPayment: actual.sponsorPayment },
    currency,
  }
}
