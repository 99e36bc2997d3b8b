import { type Currency, formatAmount } from '@causeway/core'
import { correctionPosting, findUnexplainedPayments, postLedger } from '@causeway/core/money-path'
import {
  ActionRefusedError,
  auditActor,
  type Chain,
  type Command,
  recordAudit,
  withTransaction,
} from '@causeway/core/plugin'
import type { Pool, PoolClient } from 'pg'
import type { OperatorDeps } from '../operatorDeps.js'
import { readText } from '../readOptions.js'
import { counted } from '../text/layout.js'
import { type Comparison, compareBalances } from './compareBalances.js'
import { toHeight } from './inventoryReport.js'
import { readBooks } from './readBooks.js'
import { readChainBalances } from './readChainBalances.js'
import { findChain, findCurrency, readAmount } from './topupCommand.js'

/** The wallet of one currency beside the books, now. Throws ActionRefusedError when the chain cannot be asked. */
const compareWallet = async (deps: OperatorDeps, chain: Chain, currency: Currency): Promise<Comparison> => {
  const [balances] = await readChainBalances(deps, new Map(), [chain])
  if (balances === undefined || balances.seen === null)
    throw new ActionRefusedError(`${chain.config.slug} cannot be asked: ${balances?.why ?? 'no answer'}`)
  const books = await readBooks(deps.pool, [toHeight(balances)], deps.clock.now())
  const found = compareBalances(balances, books).find(
    (item) => item.holder === 'wallet' && item.currency === currency.address,
  )
  if (found === undefined) throw new ActionRefusedError(`${chain.config.slug} does not show that balance.`)
  return found
}

/** Whether a correction of just this amount may be booked. @throws ActionRefusedError */
const requireDifference = ({ difference, explanation }: Comparison, amount: bigint, currency: Currency): void => {
  const shown = `${formatAmount(difference, currency.decimals)} ${currency.symbol}`
  if (difference === 0n) throw new ActionRefusedError('Wallet and books agree: nothing is to be booked.')
  if (explanation !== null)
    throw new ActionRefusedError(`The difference, ${shown}, is of ${explanation}. Wait until they are done.`)
  if (difference !== amount)
    throw new ActionRefusedError(`The difference is ${shown} now. Give just that, once you know what it is.`)
}

/**
 * What the keys of the chain paid and the ledger does not have is closed before anything is booked as lost: booked twice otherwise.
 * @throws ActionRefusedError with what to do first
 */
const requireExplained = async (db: Pool | PoolClient, { config: { id, slug } }: Chain): Promise<void> => {
  const { quarantined, transactions, deposits } = await findUnexplainedPayments(db, id)
  if (quarantined === 0 && transactions === 0 && deposits === 0) return
  const found = [
    ...(quarantined === 0 ? [] : ['its lane is quarantined']),
    ...(transactions === 0 ? [] : [`${counted(transactions, 'payment')} of its keys belong to no payout`]),
    ...(deposits === 0 ? [] : [`${counted(deposits, 'deposit')} wait to be closed by them`]),
  ]
  throw new ActionRefusedError(
    `On ${slug} ${found.join(', ')}, so the difference is not known to be lost. Close the paid deposits first: ` +
      `causeway parked close --all-paid. Then see causeway lanes inspect ${slug}, and release what no deposit explains.`,
  )
}

/** Books it with its audit entry; the books may not have changed since they were compared. @throws ActionRefusedError */
const bookCorrection = async (
  deps: OperatorDeps,
  chain: Chain,
  { chainId, currency, booked, onChain, difference }: Comparison,
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<void> => {
  const now = deps.clock.now()
  await withTransaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ amount: string }>(
      'select amount::text as amount from wallet_books where chain_id = $1 and currency = $2 for update',
      [chainId, currency],
    )
    if (BigInt(rows[0]?.amount ?? '0') !== booked)
      throw new ActionRefusedError('Something was booked in this moment. Nothing was done; try again.')
    await requireExplained(client, chain)
    const event = `correction:${now}`
    await postLedger(client, [correctionPosting({ chainId, currency, amount: difference, event })], now)
    await recordAudit(client, {
      at: now,
      actor,
      action: 'inventory correct',
      subject: `wallet ${chainId} ${chain.config.solver}`,
      details: {
        reason,
        currency,
        onChain: onChain.toString(),
        booked: booked.toString(),
        amount: difference.toString(),
      },
    })
  })
}

/** `causeway inventory correct <chain> <currency> <amount>`: what is left after a restore, or after a theft. */
export const correctCommand = (deps: OperatorDeps): Command => ({
  name: 'inventory correct',
  console: 'money',
  confirmWith: 'amount',
  description: 'Book what a wallet differs from the books by, where no transaction is left to book it by',
  arguments: [
    { name: 'chain', description: 'Slug or id of the chain', required: true },
    { name: 'currency', description: 'Address or symbol', required: true },
    {
      name: 'amount',
      description: 'The difference that inventory shows, without its sign, in whole units',
      required: true,
    },
  ],
  options: [
    { flags: '--missing', description: 'The wallet holds that much less than the books say' },
    { flags: '--reason <text>', description: 'What it is; kept in the audit' },
    { flags: '--yes', description: 'Do not ask' },
  ],
  run: async ({
    arguments: [chainText = '', currencyText = '', amountText = ''],
    options,
    actor = auditActor(),
    print,
  }) => {
    const reason = readText(options.reason, '--reason')
    const chain = findChain(deps, chainText)
    const currency = findCurrency(deps, chain, currencyText)
    const given = readAmount(amountText, currency)
    const amount = options.missing === true ? -given : given
    await requireExplained(deps.pool, chain)
    const comparison = await compareWallet(deps, chain, currency)
    requireDifference(comparison, amount, currency)
    const text = `${formatAmount(given, currency.decimals)} ${currency.symbol} ${amount < 0n ? 'missing from' : 'too much in'} the wallet on ${chain.config.slug}`
    if (options.yes !== true && !(await deps.confirm(`Book ${text}?`)))
      throw new ActionRefusedError('Nothing was done.')
    await bookCorrection(deps, chain, comparison, { reason, actor })
    print(`Booked: ${text}, as ${amount < 0n ? 'a loss' : 'capital'}.`)
  },
})
