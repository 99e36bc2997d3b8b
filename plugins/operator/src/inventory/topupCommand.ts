import { type Currency, formatAmount } from '@causeway/core'
import { ActionRefusedError, auditActor, type Chain, type Command, parseWholeUnits } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readText } from '../readOptions.js'
import { requireMoved } from './requireMoved.js'
import { bookTopup } from './topup.js'

export const findChain = (deps: OperatorDeps, text: string): Chain => {
  const chain = deps.chains.all().find(({ config }) => config.slug === text || String(config.id) === text)
  if (chain === undefined) {
    throw new ActionRefusedError(
      `There is no chain ${text}. Known: ${deps.chains
        .all()
        .map(({ config }) => config.slug)
        .join(', ')}.`,
    )
  }
  return chain
}

/** By address, or by a symbol that only one currency of the chain has. */
export const findCurrency = (deps: OperatorDeps, chain: Chain, text: string): Currency => {
  const held = deps.currencies.ofChain(chain.config.id)
  const address = chain.adapter.normalizeCurrency(text)
  const found = held.filter((item) => item.address === address || item.symbol.toLowerCase() === text.toLowerCase())
  const [currency] = found
  if (currency === undefined || found.length > 1) {
    throw new ActionRefusedError(`${text} is not one currency of ${chain.config.slug}; give its address.`)
  }
  return currency
}

export const readAmount = (text: string, { decimals, symbol }: Currency): bigint => {
  const amount = parseWholeUnits(text, decimals)
  if (amount === null || amount === 0n) {
    throw new ActionRefusedError(
      `Give the amount in whole ${symbol}, for example 1.5, with at most ${decimals} decimals.`,
    )
  }
  return amount
}

/** In the one spelling of its chain, so that a transaction is booked once however its id is written. */
const readTransactionId = ({ adapter, config }: Chain, text: string): string => {
  const check = adapter.checkTransactionId?.(text) ?? { ok: true, canonical: text }
  if (check.ok) return check.canonical
  throw new ActionRefusedError(`--tx must be ${check.form} on ${config.slug}.`)
}

/** Who was paid; null: nobody but the operator. */
const readIntegrator = ({ integrator, out }: Readonly<Record<string, unknown>>): string | null => {
  if (integrator === undefined) return null
  if (out !== true) throw new ActionRefusedError('--integrator is for money taken out of the wallet; give --out too.')
  return readText(integrator, '--integrator')
}

/** @throws ActionRefusedError where nothing is sent for users, or for anything but gas */
const senderOf = ({ config, adapter }: Chain, { address, symbol }: Currency): string => {
  if (config.originSender === undefined) {
    throw new ActionRefusedError(
      `The account that sends for users on ${config.slug} is not known here: state it as originSender of the chain.`,
    )
  }
  if (address !== adapter.native.address)
    throw new ActionRefusedError(`The account that sends for users holds nothing but gas, no ${symbol}.`)
  return config.originSender
}

/** `causeway inventory topup <chain> <currency> <amount> --tx <id>`: books what the chain shows that the transaction moved. */
export const topupCommand = (deps: OperatorDeps): Command => ({
  name: 'inventory topup',
  console: 'money',
  confirmWith: 'amount',
  description: 'Book money you sent to the wallet of the solver, or took out of it',
  arguments: [
    { name: 'chain', description: 'Slug or id of the chain', required: true },
    { name: 'currency', description: 'Address or symbol', required: true },
    { name: 'amount', description: 'In whole units, for example 1.5', required: true },
  ],
  options: [
    { flags: '--tx <id>', description: 'The transaction that moved it; each is booked once' },
    { flags: '--out', description: 'It was taken out of the wallet' },
    { flags: '--sender', description: 'It is gas of the key that sends for users (keys.origin), not of the wallet' },
    {
      flags: '--integrator <id>',
      description: 'With --out: it was paid to this integrator, of what ledger integrators shows for it',
    },
    {
      flags: '--unchecked',
      description:
        'Book it where the chain cannot show what the transaction moved; needs a --reason, and is kept in the audit',
    },
    { flags: '--reason <text>', description: 'Kept in the audit; default: top-up' },
    { flags: '--yes', description: 'Do not ask' },
  ],
  run: async ({
    arguments: [chainText = '', currencyText = '', amountText = ''],
    options,
    actor = auditActor(),
    print,
  }) => {
    const chain = findChain(deps, chainText)
    const currency = findCurrency(deps, chain, currencyText)
    const amount = readAmount(amountText, currency)
    const txId = readTransactionId(chain, readText(options.tx, '--tx'))
    const out = options.out === true
    const integratorId = readIntegrator(options)
    const unchecked = options.unchecked === true
    const reason = unchecked || options.reason !== undefined ? readText(options.reason, '--reason') : 'top-up'
    const wallet = options.sender === true ? senderOf(chain, currency) : chain.config.solver
    const moved = { currency, amount: out ? -amount : amount, txId, unchecked, wallet }
    const checked = await requireMoved(deps, chain, moved)
    const direction = out ? 'taken out of' : 'put into'
    const whom = integratorId === null ? '' : ` for integrator ${integratorId}`
    const text = `${formatAmount(amount, currency.decimals)} ${currency.symbol} ${direction} the wallet on ${chain.config.slug}${whom}${checked ? '' : ', unchecked'}`
    if (options.yes !== true && !(await deps.confirm(`Book ${text}?`)))
      throw new ActionRefusedError('Nothing was done.')
    await bookTopup(
      deps.pool,
      {
        wallet,
        sender: options.sender === true,
        currency,
        amount: moved.amount,
        integratorId,
        txId,
        reason,
        actor,
        checked,
      },
      deps.clock.now(),
    )
    print(`Booked: ${text}, ${txId}.`)
  },
})
