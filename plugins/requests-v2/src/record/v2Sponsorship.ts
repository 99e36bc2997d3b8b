import {
  type AmountJson,
  quotedAmount,
  quotedEnds,
  type RecordParts,
  recordSponsorship,
  type SponsorshipPhase,
  sponsoredFees,
  sponsorPayment,
} from '@causeway/core/plugin'
import { currentUsd, type RecordView } from './recordView.js'

/** The platform's component has its old name in version 2 (wire.md K.1 13). */
const nameOf = (component: string): string => (component === 'platform' ? 'relay' : component)

const phaseJson = ({ selected, cap, bps, capHit, components, sponsoredTotal, userPaysTotal }: SponsorshipPhase) => ({
  selectedComponents: selected.map(nameOf),
  ...(cap === null ? {} : { maxSubsidizationAmount: cap }),
  ...(bps === null ? {} : { subsidizationBps: bps }),
  capHit,
  components: Object.fromEntries(Object.entries(components).map(([name, component]) => [nameOf(name), component])),
  sponsoredTotal,
  userPaysTotal,
})

/** `data.feeSponsorship` of version 2; null where nothing was sponsored. */
export const v2Sponsorship = (parts: RecordParts) => {
  const sponsorship = recordSponsorship(parts)
  if (sponsorship === null) return null
  const { quoted, actual } = sponsorship
  return {
    quoted: phaseJson(quoted),
    actual: actual === null ? null : { ...phaseJson(actual), sponsorPayment: actual.sponsorPayment },
  }
}

/** What a sponsor pays of the fees, in the currency they are in: as it was once that is known, else as quoted. */
const sponsoredOf = ({ facts, money, execution }: RecordParts): AmountJson => {
  const { chainId, currency } = facts.terms.origin
  const paid = sponsoredFees(execution.filled)
  if (paid !== null) return money.amount(chainId, currency, paid)
  const { address, chainId: inputChainId } = quotedEnds({ facts, money }).currencyIn.currency
  return quotedAmount(facts, 'fees.subsidized') ?? money.amount(inputChainId, address, 0n)
}

/** `subsidizedRequest` and `subsidizedFee`: the fees that are sponsored, and what the sponsor gives for them; zero where nothing is. */
export const v2Subsidy = (parts: RecordParts, view: RecordView) => {
  const { facts, execution } = parts
  const sponsored = sponsoredOf(parts)
  const { amount, amountUsd, currency } = sponsored
  const origin = { amount, address: currency.address, chainId: currency.chainId }
  return {
    subsidizedRequest: facts.terms.sponsorship !== undefined,
    subsidizedFee: {
      origin,
      sponsor: sponsorPayment(facts, execution.filled) ?? origin,
      amountUsd,
      ...currentUsd(sponsored, view),
    },
  }
}
