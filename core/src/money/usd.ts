/** US dollars in units of 10^-18, so that no price or value is ever a floating point number. */
export type Usd = bigint

export const USD_DECIMALS = 18
