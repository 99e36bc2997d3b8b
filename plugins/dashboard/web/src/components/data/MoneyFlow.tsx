import { Amount } from '../values/Amount.js'

export interface FlowPart {
  readonly name: string
  /** In smallest units of the whole's currency, not negative. */
  readonly amount: string
}

export interface MoneyFlowProps {
  readonly whole: { readonly name: string; readonly amount: string }
  readonly parts: readonly FlowPart[]
  readonly decimals: number
  readonly symbol: string
  /** What is said where the parts are not the whole. */
  readonly rest: string
  /** Shows every digit of each amount. */
  readonly exact?: boolean
}

/** Thousandths of the whole; a picture needs no more. */
const shareOf = (amount: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((amount * 1000n) / whole))

/** Where money went, as a bar and a list that add up: what is left over stands there as such. */
export const MoneyFlow = ({ whole, parts, decimals, symbol, rest, exact = false }: MoneyFlowProps) => {
  const total = BigInt(whole.amount)
  const left = total - parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const shown = [...parts, ...(left === 0n ? [] : [{ name: rest, amount: left.toString() }])]
  const colour = (at: number) => (at < parts.length ? String((at % 4) + 1) : '0')
  return (
    <figure className="flow">
      <div className="flow-bar" aria-hidden>
        {shown.map(({ name, amount }, at) => (
          <i key={name} data-part={colour(at)} style={{ flexGrow: shareOf(BigInt(amount), total) }} />
        ))}
      </div>
      <ul className="flow-list">
        {shown.map(({ name, amount }, at) => (
          <li key={name}>
            <i data-part={colour(at)} aria-hidden />
            <span>{name}</span>
            <Amount {...{ amount, decimals, symbol }} whole={exact} />
          </li>
        ))}
        <li className="flow-sum">
          <span aria-hidden>=</span>
          <span>{whole.name}</span>
          <Amount amount={whole.amount} {...{ decimals, symbol }} whole={exact} />
        </li>
      </ul>
    </figure>
  )
}
