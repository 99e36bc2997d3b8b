import { applyBps, BPS, ServiceError } from '@causeway/core'
import {
  type BalanceCurrency,
  defineQuoteExtension,
  type FeeLine,
  type PricedDeposit,
  type QuoteDraft,
  RULE_KEYWORD,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Body field of this capability (wire.md 1.2, D.7). */
export const AppFeesBody = Type.Object({
  appFees: Type.Optional(
    Type.Array(
      Type.Object({
        recipient: Type.String({
          pattern: '^0x[0-9a-fA-F]{40}$',
          [RULE_KEYWORD]: 'must be an EVM address, on any route',
          description: 'EVM address on any route; its balance gets the fee',
        }),
        fee: Type.String({
          pattern: '^(0|[1-9][0-9]{0,3})$',
          [RULE_KEYWORD]: 'must be the text of a whole number of basis points from 0 to 9999',
          description: 'Basis points of the input',
        }),
      }),
      { maxItems: 20 },
    ),
  ),
})
type AppFees = NonNullable<Static<typeof AppFeesBody>['appFees']>

const NOBODY = /^0x0{40}$/

const refused = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

/** Throws ServiceError `INVALID_REQUEST`. */
const checkFees = (fees: AppFees, { maximumBps }: { readonly maximumBps: number }): void => {
  if (fees.some(({ recipient }) => NOBODY.test(recipient))) {
    throw refused('body.appFees names the zero address, which can claim nothing')
  }
  const together = fees.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  if (together >= BPS) throw refused('body.appFees must be less than 10000 basis points together')
  if (together > maximumBps) throw refused(`body.appFees may be ${maximumBps} basis points together at most`)
}

/**
 * What each takes of an amount. All together are the whole share, rounded down, so that they grow by no more than the amount does; each is
 * within a unit of its own.
 */
export const sharesOf = (fees: AppFees, amount: bigint): readonly bigint[] => {
  let [bps, before] = [0n, 0n]
  return fees.map(({ fee }) => {
    bps += BigInt(fee)
    const upTo = applyBps(amount, bps, 'down')
    const share = upTo - before
    before = upTo
    return share
  })
}

const linesOf = (fees: AppFees, { money: { currency, amount } }: PricedDeposit): readonly FeeLine[] => {
  const shares = sharesOf(fees, amount)
  return fees.map(({ recipient, fee }, at) => ({
    bucket: 'app',
    payer: 'user',
    owedTo: recipient.toLowerCase(),
    bps: fee,
    money: { currency, amount: shares[at] ?? 0n },
  }))
}

/** Those of wallets whose fees together are worth more than it costs the user to deposit them (wire.md D.7). */
const worthwhile = (lines: readonly FeeLine[], price: Usd, minimum: Usd): readonly FeeLine[] => {
  const worth = new Map<string, Usd>()
  for (const { owedTo = '', money } of lines) worth.set(owedTo, (worth.get(owedTo) ?? 0n) + usdValue(money, price))
  return lines.filter(({ owedTo = '' }) => (worth.get(owedTo) ?? 0n) > minimum)
}

export interface AppFeeQuotesDeps {
  readonly maximumBps: number
  /** A wallet's fees of a swap that no solver fills are taken above this. */
  readonly directMinimum: Usd
  /** Null: this deployment keeps no balances. */
  readonly balanceCurrency: BalanceCurrency | null
}

/**
 * Fees of the integrator (wire.md D.7): basis points of what is deposited, which is the input, or what a swap makes of it first. The fill
 * owes them to the recipients' balances. Where no solver fills, the user's own swap deposits them, if it can and they are worth it; else they are not
 * taken, and the record says so.
 */
export const appFees = ({ maximumBps, directMinimum, balanceCurrency }: AppFeeQuotesDeps) => {
  const asked = new WeakMap<QuoteDraft, AppFees>()
  const quoted = new WeakMap<QuoteDraft, readonly bigint[]>()
  const of = (draft: QuoteDraft): AppFees => asked.get(draft) ?? []
  return defineQuoteExtension({
    name: 'app-fees',
    bodySchema: AppFeesBody,
    phase: 'fees',
    conditions: ({ appFees: fees = [] }) => {
      if (fees.length === 0) return null
      if (balanceCurrency === null) throw refused('body.appFees is not supported by this deployment')
      checkFees(fees, { maximumBps })
      return { usesBalances: true }
    },
    apply: (draft, { appFees: fees = [] }) => {
      if (fees.length > 0) asked.set(draft, fees)
    },
    amountFees: (draft, deposit) => linesOf(of(draft), deposit),
    directFees: (draft, input) => worthwhile(linesOf(of(draft), input), input.price, directMinimum),
    priced: (draft, { isDirect, input, deposit }) => {
      quoted.set(draft, sharesOf(of(draft), isDirect ? input.amount : deposit.amount))
    },
    features: (draft) => (of(draft).length === 0 ? [] : ['app_fees']),
    quoted: (draft) => {
      const [fees, shares] = [of(draft), quoted.get(draft) ?? []]
      if (fees.length === 0) return {}
      return {
        appFees: fees.map(({ recipient, fee }, at) => ({
          recipient: recipient.toLowerCase(),
          bps: fee,
          amount: (shares[at] ?? 0n).toString(),
        })),
      }
    },
  })
}
