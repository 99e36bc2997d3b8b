import { inBitcoin } from '../mempool/policy.js'

const MARK = /"btc:(-?\d+\.\d{8})"/g

/** An amount that Core writes as a JSON number with 8 decimals. */
export class BitcoinAmount {
  constructor(readonly satoshis: bigint) {}

  toJSON(): string {
    return `btc:${inBitcoin(this.satoshis)}`
  }
}

/** Marks satoshis as an amount. */
export const btc = (satoshis: bigint): BitcoinAmount => new BitcoinAmount(satoshis)

/** How amounts are written: `decimals` as Core does (`0.00000010`), `shortest` as proxies do that pass them on (`1e-7`). */
export type AmountStyle = 'decimals' | 'shortest'

/** JSON in which amounts are numbers. */
export const coreJson = (value: unknown, style: AmountStyle = 'decimals'): string =>
  JSON.stringify(value).replace(MARK, (_, decimals: string) =>
    style === 'decimals' ? decimals : String(Number(decimals)),
  )

/** An amount of a request: a number or a text of bitcoins. Undefined when it is neither. */
export const satoshisOf = (value: unknown): bigint | undefined => {
  const text = typeof value === 'number' ? value.toFixed(8) : value
  const parts = typeof text === 'string' ? /^(\d+)(?:\.(\d{1,8}))?$/.exec(text) : null
  return parts === null ? undefined : BigInt(`${parts[1]}${(parts[2] ?? '').padEnd(8, '0')}`)
}
