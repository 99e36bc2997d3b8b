import { type Static, Type } from '@sinclair/typebox'
import { AddressText, AmountText, ChainId, SignedAmountText } from '../http/openapi/amountSchema.js'
import { formatAmount } from '../money/amount.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import { BALANCE_CONTEXTS } from './balanceContext.js'
import type { BalanceMovement } from './balanceMovements.js'
import type { BalanceStatement } from './balanceStatement.js'

const ACCOUNTS = ['app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure'] as const

const Account = Type.Union(
  ACCOUNTS.map((account) => Type.Literal(account)),
  {
    description:
      'app: owed and free; earned: by a fill that is not settled; sponsored: set aside for fees of a decided fill; collateral: set aside for a fast fill; claimed: on its way to its owner; exposure: paid out by a fast fill, what the wallet owes',
  },
)

const money = {
  chainId: ChainId(),
  currency: AddressText(),
  symbol: Type.Union([Type.String(), Type.Null()], { description: 'Null where it is not configured any more.' }),
  decimals: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
}

/** A statement as JSON; amounts in the smallest unit. */
export const StatementSchema = Type.Object(
  {
    wallet: AddressText(),
    from: Type.String({ description: 'ISO 8601, in it.' }),
    to: Type.String({ description: 'ISO 8601, not in it.' }),
    accounts: Type.Array(
      Type.Object({ ...money, account: Account, opening: AmountText(), closing: AmountText() }, { title: 'Account' }),
    ),
    movements: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ minimum: 1, description: 'Number of the posting; several currencies may share it.' }),
          at: Type.String({ description: 'ISO 8601.' }),
          cause: Type.String({ examples: ['payout:12'] }),
          event: Type.String({ examples: ['settled'] }),
          requestId: Type.Union([Type.String(), Type.Null()]),
          context: Type.Union(BALANCE_CONTEXTS.map((context) => Type.Literal(context))),
          ...money,
          changes: Type.Array(Type.Object({ account: Account, delta: SignedAmountText() })),
        },
        { title: 'Movement' },
      ),
    ),
  },
  { title: 'BalanceStatement' },
)
export type StatementJson = Static<typeof StatementSchema>

const moneyOf = (currencies: CurrencyRegistry, { chainId, currency }: { chainId: number; currency: string }) => {
  const known = currencies.find(chainId, currency)
  return { chainId, currency, symbol: known?.symbol ?? null, decimals: known?.decimals ?? null }
}

const iso = (at: number): string => new Date(at).toISOString()

const changesOf = ({ changes }: BalanceMovement): { account: (typeof ACCOUNTS)[number]; delta: string }[] =>
  ACCOUNTS.filter((account) => changes[account] !== 0n).map((account) => ({
    account,
    delta: changes[account].toString(),
  }))

/** As `StatementSchema` says. */
export const statementJson = (statement: BalanceStatement, currencies: CurrencyRegistry): StatementJson => ({
  wallet: statement.wallet,
  from: iso(statement.from),
  to: iso(statement.to),
  accounts: statement.accounts.map(({ account, opening, closing, ...of }) => ({
    ...moneyOf(currencies, of),
    account,
    opening: opening.toString(),
    closing: closing.toString(),
  })),
  movements: statement.movements.map((movement) => ({
    id: Number(movement.id),
    at: iso(movement.at),
    cause: movement.cause,
    event: movement.event,
    requestId: movement.requestId,
    context: movement.context,
    ...moneyOf(currencies, movement),
    changes: changesOf(movement),
  })),
})

const HEADER = 'kind,at,account,delta,balance,amount,symbol,chainId,currency,context,cause,event,requestId'

/** A field that a comma, a quote or a line break stands in is quoted; one that a sheet would take for a formula begins with an apostrophe. */
const field = (text: string): string => {
  const safe = /^[=+@\t\r]|^-(?![0-9])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * The statement as CSV (RFC 4180): the opening of each account, each change of one with the balance it leaves, and the closing. `delta` and
 * `balance` are in the smallest unit, `amount` is that of `delta`, of an opening or closing that of `balance`, in whole units.
 */
export const statementCsv = (statement: BalanceStatement, currencies: CurrencyRegistry): string => {
  const { accounts, movements, from, to } = statement
  const balances = new Map(accounts.map((item) => [`${item.account} ${item.chainId} ${item.currency}`, item.opening]))
  const row = (
    kind: string,
    at: number,
    of: { account: string; chainId: number; currency: string },
    { delta, balance, more = [] }: { delta: bigint | null; balance: bigint; more?: readonly string[] },
  ): string => {
    const { symbol, decimals } = moneyOf(currencies, of)
    const amount = decimals === null ? '' : formatAmount(delta ?? balance, decimals)
    const [context = '', cause = '', event = '', requestId = ''] = more
    return [
      ...[kind, iso(at), of.account, delta === null ? '' : delta.toString(), balance.toString(), amount, symbol ?? ''],
      ...[String(of.chainId), of.currency, context, cause, event, requestId],
    ]
      .map(field)
      .join(',')
  }
  const moved = movements.flatMap((movement) =>
    changesOf(movement).map(({ account, delta }) => {
      const of = { account, chainId: movement.chainId, currency: movement.currency }
      const key = `${account} ${of.chainId} ${of.currency}`
      const balance = (balances.get(key) ?? 0n) + BigInt(delta)
      balances.set(key, balance)
      const more = [movement.context, movement.cause, movement.event, movement.requestId ?? '']
      return row('movement', movement.at, of, { delta: BigInt(delta), balance, more })
    }),
  )
  const lines = [
    HEADER,
    ...accounts.map((item) => row('opening', from, item, { delta: null, balance: item.opening })),
    ...moved,
    ...accounts.map((item) => row('closing', to, item, { delta: null, balance: item.closing })),
  ]
  return `${lines.join('\r\n')}\r\n`
}
