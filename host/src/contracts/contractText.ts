import type { ContractFunds, ContractReport } from '@causeway/core/chain'

/** An amount of the native currency with at most eight digits behind the point, rounded up. */
export const nativeText = (amount: bigint, { symbol, decimals }: ContractReport['native']): string => {
  const unit = 10n ** BigInt(decimals)
  const grain = decimals > 8 ? 10n ** BigInt(decimals - 8) : 1n
  const rounded = ((amount + grain - 1n) / grain) * grain
  const rest = (rounded % unit).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${rounded / unit}${rest === '' ? '' : `.${rest}`} ${symbol}`
}

const SIGNS = { done: 'ok     ', needed: 'lacking', fault: 'FAULT  ', unknown: 'unknown' } as const

/** One line a step. */
export const stepLines = ({ steps, native }: ContractReport): readonly string[] =>
  steps.map(({ state, title, detail, cost }) => {
    const price = cost > 0n ? ` (at most ${nativeText(cost, native)})` : ''
    return `${SIGNS[state]}  ${title}: ${detail}${price}`
  })

/** What the steps cost, by the account that pays. */
export const costLines = ({ funds, native, price }: ContractReport): readonly string[] =>
  funds.length === 0
    ? []
    : [
        ...funds.map(
          ({ payer, address, needed, held }) =>
            `The ${payer} account ${address} pays at most ${nativeText(needed, native)} and holds ${nativeText(held, native)}.`,
        ),
        `Price: ${price}.`,
      ]

/** Accounts that hold too little, with what is missing. */
export const shortages = ({ funds, native }: ContractReport): readonly string[] =>
  funds.filter(isShort).map(({ payer, address, needed, held }) => {
    return `Send ${nativeText(needed - held, native)} to the ${payer} account ${address}: it holds too little.`
  })

const isShort = ({ needed, held }: ContractFunds): boolean => held < needed
