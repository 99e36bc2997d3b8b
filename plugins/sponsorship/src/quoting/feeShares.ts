import { applyBps, larger, smaller } from '@causeway/core'
import { FEE_COMPONENTS, type FeeComponent, type FeeLine } from '@causeway/core/plugin'

/** What a sponsor is asked to pay, of fees in one currency. */
export interface FeeChoice {
  readonly selected: ReadonlySet<FeeComponent>
  /** Share of each selected component. */
  readonly bps: bigint
  /** Most of all together, smallest unit; null: none. */
  readonly cap: bigint | null
}

export type ComponentAmounts = Readonly<Record<FeeComponent, bigint>>

export interface FeeShares {
  /** What the sponsor pays of each component; the rest is the user's. */
  readonly sponsored: ComponentAmounts
  /** The cap left the user something. */
  readonly capHit: boolean
}

/** Native currency that comes along is paid with the network cost, so it is of the execution (wire.md 1.2 subsidizeFees). */
const COMPONENT_OF: Readonly<Record<FeeLine['bucket'], FeeComponent>> = {
  gas: 'execution',
  execution: 'execution',
  swap: 'swap',
  platform: 'platform',
  app: 'app',
  rent: 'rent',
}

const mapped = (amount: (component: FeeComponent) => bigint): ComponentAmounts =>
  // CAST: every component is made.
  Object.fromEntries(FEE_COMPONENTS.map((component) => [component, amount(component)])) as ComponentAmounts

export const sumOf = (amounts: ComponentAmounts): bigint =>
  FEE_COMPONENTS.reduce((sum, component) => sum + amounts[component], 0n)

/** Sums of lines of one currency by component, of one payer or of both. */
export const totalsOf = (lines: readonly FeeLine[], payer?: FeeLine['payer']): ComponentAmounts =>
  mapped((component) =>
    lines
      .filter(({ bucket, payer: own }) => COMPONENT_OF[bucket] === component && own === (payer ?? own))
      .reduce((sum, { money }) => sum + money.amount, 0n),
  )

const NOTHING = mapped(() => 0n)

/**
 * Divides the fees of a deposit (wire.md D.9): of each selected component the share, rounded down, then in the order of
 * `FEE_COMPONENTS` as much as the cap allows. A component that gives the user something is not sponsored. Rent that is not selected
 * leaves all to the user: no account is half paid for.
 */
export const feeShares = (totals: ComponentAmounts, { selected, bps, cap }: FeeChoice): FeeShares => {
  if (totals.rent > 0n && !selected.has('rent')) return { sponsored: NOTHING, capHit: false }
  const wanted = mapped((component) =>
    selected.has(component) ? applyBps(larger(totals[component], 0n), bps, 'down') : 0n,
  )
  if (cap === null || sumOf(wanted) <= cap) return { sponsored: wanted, capHit: false }
  let left = cap
  const sponsored = mapped((component) => {
    const part = smaller(wanted[component], left)
    left -= part
    return part
  })
  return { sponsored, capHit: true }
}

/** The same lines with the sponsor's part of each as a line of its own; a component's part is spread over its lines by their amounts. */
export const divideLines = (lines: readonly FeeLine[], choice: FeeChoice): readonly FeeLine[] => {
  const { sponsored } = feeShares(totalsOf(lines), choice)
  return FEE_COMPONENTS.flatMap((component) =>
    spread(
      lines.filter(({ bucket }) => COMPONENT_OF[bucket] === component),
      sponsored[component],
    ),
  )
}

const spread = (lines: readonly FeeLine[], sponsored: bigint): readonly FeeLine[] => {
  const whole = lines.reduce((sum, { money }) => sum + larger(money.amount, 0n), 0n)
  if (sponsored === 0n || whole === 0n) return lines
  let before = 0n
  return lines.flatMap((line) => {
    const { currency, amount } = line.money
    if (amount <= 0n) return [line]
    // By what went before, so that the parts sum up to the whole and none is more than its line.
    const part = (sponsored * (before + amount)) / whole - (sponsored * before) / whole
    before += amount
    const parts: readonly FeeLine[] = [
      { ...line, money: { currency, amount: amount - part } },
      { ...line, payer: 'sponsor', money: { currency, amount: part } },
    ]
    return parts.filter(({ money }) => money.amount > 0n)
  })
}
