import { amountObject, FEE_COMPONENTS, type FeeComponent, type QuotedSponsorship } from '@causeway/core/plugin'
import { sumOf } from './feeShares.js'
import type { SponsoredQuote } from './sponsoredQuote.js'
import type { SponsorRequest } from './sponsorRequest.js'

/** The platform's component has the name of the service in quotes (wire.md 1.5, K.1 13). */
const nameOf = (component: FeeComponent, serviceName: string): string =>
  component === 'platform' ? serviceName : component

/** The phase `quoted` of `feeSponsorship` (wire.md 1.5): every component, with zeros where there is nothing (K.1 12). */
export const quotedSponsorship = (
  { selected, bps, capText }: SponsorRequest,
  { totals, sponsored, capHit, currency, price }: SponsoredQuote,
  serviceName: string,
): QuotedSponsorship => {
  const shown = (amount: bigint) => amountObject({ currency, amount }, price)
  const componentJson = (component: FeeComponent) => ({
    selected: selected.has(component),
    total: shown(totals[component]),
    sponsored: shown(sponsored[component]),
    userPays: shown(totals[component] - sponsored[component]),
  })
  return {
    selectedComponents: FEE_COMPONENTS.filter((one) => selected.has(one)).map((one) => nameOf(one, serviceName)),
    ...(capText === null ? {} : { maxSubsidizationAmount: capText }),
    ...(bps === null ? {} : { subsidizationBps: bps }),
    capHit,
    components: Object.fromEntries(FEE_COMPONENTS.map((one) => [nameOf(one, serviceName), componentJson(one)])),
    sponsoredTotal: shown(sumOf(sponsored)),
    userPaysTotal: shown(sumOf(totals) - sumOf(sponsored)),
  }
}
