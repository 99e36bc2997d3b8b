import { type Currency, readDestination } from '@causeway/core'
import type { Destination, Payout } from '@causeway/core/chain'
import {
  ActionRefusedError,
  type Chain,
  ChainRegistry,
  type Command,
  parseWholeUnits,
  whyOwnerless,
} from '@causeway/core/plugin'
import { readInventory } from '../inventory/inventoryReport.js'
import { findChain, findCurrency, readAmount } from '../inventory/topupCommand.js'
import { readCount, readText } from '../readOptions.js'
import { placeOrder } from './placeOrder.js'
import { requireOperator, type WalletDeps } from './walletDeps.js'

type Options = Readonly<Record<string, unknown>>

const CHAIN = { name: 'chain', description: 'Slug or id of the chain', required: true }
const CURRENCY = { name: 'currency', description: 'Address or symbol', required: true }
const AMOUNT = { name: 'amount', description: 'In whole units, for example 1.5', required: true }
const TO = {
  flags: '--to <address>',
  description: 'Recipient, one of wallet.allowed; a tag or memo as ?tag=7 or ?memo=text',
}
const SHARED = [
  { flags: '--reason <text>', description: 'Kept in the audit' },
  { flags: '--minutes <number>', description: 'How long it may wait for its signature, at most 1440', default: '60' },
  { flags: '--yes', description: 'Do not ask' },
]

/** What every order needs besides chain, currency and amount. */
const readShared = (options: Options) => ({
  reason: readText(options.reason, '--reason'),
  minutes: readCount(options.minutes ?? '60', '--minutes', 1440),
  yes: options.yes === true,
})

/** The recipient, who must be able to receive. @throws ActionRefusedError */
const readRecipient = async (
  deps: WalletDeps,
  chain: Chain,
  text: string,
  currency: Currency,
): Promise<Destination> => {
  const check = readDestination(chain.adapter, text)
  if (!check.ok) throw new ActionRefusedError(`${text} is no address of ${chain.config.slug}: ${check.why}`)
  const why = whyOwnerless(chain.adapter, check.destination.address)
  if (why !== null) throw new ActionRefusedError(`${text} ${why}; name the address of an owner.`)
  const status = await deps.withChain(chain, () => chain.adapter.recipientStatus(check.destination, currency.address))
  if (status.canReceive) return check.destination
  throw new ActionRefusedError(`${text} cannot receive it: ${status.why ?? 'the chain says so'}`)
}

const done = (id: string, says: string): string =>
  `Ordered: ${says}. Order ${id}; the solver signs it, causeway wallet list shows what becomes of it.`

/** What to do about the books where the recipient is a payout wallet of before, whose lane books no opening again. */
const tellIfFormer = async (
  { pool }: WalletDeps,
  { config }: Chain,
  to: Destination,
  print: (text: string) => void,
): Promise<void> => {
  const { rowCount } = await pool.query(
    'select from lanes where chain_id = $1 and lower(signer) = lower($2) and lower(signer) <> lower($3)',
    [config.id, to.address, config.solver],
  )
  if (rowCount === 0) return
  print(`${to.address} was a payout wallet of ${config.slug} before. When it is again, book what arrived there:`)
  print(`  causeway inventory topup ${config.slug} <currency> <amount> --tx <id>`)
}

/** `causeway wallet send <chain> <currency> <amount> --to <address>`. */
export const sendCommand = (deps: WalletDeps): Command => ({
  name: 'wallet send',
  description: 'Order money out of a payout wallet to an allowed recipient, signed by your operator key',
  arguments: [CHAIN, CURRENCY, AMOUNT],
  options: [TO, ...SHARED],
  run: async ({ arguments: [chainText = '', currencyText = '', amountText = ''], options, print }) => {
    const operator = requireOperator(deps)
    const chain = findChain(deps, chainText)
    const currency = findCurrency(deps, chain, currencyText)
    const amount = readAmount(amountText, currency)
    const shared = readShared(options)
    const to = await readRecipient(deps, chain, readText(options.to, '--to'), currency)
    const free = await freeOf(deps, chain, currency)
    if (amount > free)
      throw new ActionRefusedError(
        `Only ${free} units of ${currency.symbol} are free of promises on ${chain.config.slug}; causeway wallet list says what they are for.`,
      )
    const wanted = { command: 'wallet send', action: 'send', chain, currency, amount, to, toName: null } as const
    const { id, says } = await placeOrder(deps, operator, { ...wanted, ...shared })
    print(done(id, says))
    await tellIfFormer(deps, chain, to, print)
  },
})

/** `causeway wallet sweep <chain> <currency> --to <address>`. */
export const sweepCommand = (deps: WalletDeps): Command => ({
  name: 'wallet sweep',
  description: 'Order all of a currency that is promised to nobody out of a payout wallet, less gas',
  arguments: [CHAIN, CURRENCY],
  options: [TO, ...SHARED],
  run: async ({ arguments: [chainText = '', currencyText = ''], options, print }) => {
    const operator = requireOperator(deps)
    const chain = findChain(deps, chainText)
    const currency = findCurrency(deps, chain, currencyText)
    const shared = readShared(options)
    const to = await readRecipient(deps, chain, readText(options.to, '--to'), currency)
    const free = await freeOf(deps, chain, currency)
    const gas = currency.address === chain.adapter.native.address ? await gasOf(deps, chain, currency, to) : 0n
    const amount = free - gas
    if (amount <= 0n)
      throw new ActionRefusedError(
        `Nothing of ${currency.symbol} is free on ${chain.config.slug} once promises and gas are taken off.`,
      )
    const wanted = { command: 'wallet sweep', action: 'send', chain, currency, amount, to, toName: null } as const
    const { id, says } = await placeOrder(deps, operator, { ...wanted, ...shared })
    print(done(id, says))
    await tellIfFormer(deps, chain, to, print)
  },
})

/** `causeway wallet approve <chain> <currency> <amount> --contract <name>`. */
export const approveCommand = (deps: WalletDeps): Command => ({
  name: 'wallet approve',
  description: 'Order how much of a token a contract of the configuration may take from a payout wallet',
  arguments: [CHAIN, CURRENCY, { ...AMOUNT, description: `${AMOUNT.description}; 0 takes the allowance back` }],
  options: [
    { flags: '--contract <name>', description: 'fill-router or swap-router, as the chain has them' },
    ...SHARED,
  ],
  run: async ({ arguments: [chainText = '', currencyText = '', amountText = ''], options, print }) => {
    const operator = requireOperator(deps)
    const chain = findChain(deps, chainText)
    const currency = findCurrency(deps, chain, currencyText)
    const { spenders = [] } = chain.adapter
    if (spenders.length === 0 || currency.address === chain.adapter.native.address)
      throw new ActionRefusedError(`${currency.symbol} on ${chain.config.slug} has no allowances to set.`)
    const name = readText(options.contract, '--contract')
    const spender = spenders.find((item) => item.name === name)
    if (spender === undefined)
      throw new ActionRefusedError(
        `${chain.config.slug} has no contract ${name}; it has ${spenders.map((item) => item.name).join(', ')}.`,
      )
    const amount = parseWholeUnits(amountText, currency.decimals)
    if (amount === null) throw new ActionRefusedError(`Give the amount in whole ${currency.symbol}, for example 1.5.`)
    const { id, says } = await placeOrder(deps, operator, {
      command: 'wallet approve',
      action: 'approve',
      chain,
      currency,
      amount,
      to: { address: spender.address },
      toName: spender.name,
      ...readShared(options),
    })
    print(done(id, says))
  },
})

/** What of a currency is promised to nobody, by the chain's own word. @throws ActionRefusedError where it cannot be asked */
const freeOf = async (deps: WalletDeps, chain: Chain, currency: Currency): Promise<bigint> => {
  const { chains } = await readInventory({ ...deps, chains: new ChainRegistry([chain]) })
  const [seen] = chains
  const found = seen?.currencies.find((item) => item.currency.currency === currency.address)
  if (seen?.reachable !== true || found === undefined || found.onChain === null)
    throw new ActionRefusedError(`The wallet on ${chain.config.slug} cannot be read now: ${seen?.why ?? 'try again'}`)
  return BigInt(found.available)
}

/** Chains ask for what a transaction could cost at most, which is above what it is expected to cost. */
const MOST_PER_EXPECTED = 3n

const gasOf = (deps: WalletDeps, chain: Chain, { address }: Currency, to: Destination): Promise<bigint> =>
  deps.withChain(chain, async () => {
    const money = { currency: address, amount: 1n }
    const orderId = `0x${'00'.repeat(32)}` as const
    const payout: Payout = { purpose: 'send', orderId, from: chain.config.solver, to, money, calls: [] }
    return (await chain.adapter.estimatePayoutFee(payout)).network.amount * MOST_PER_EXPECTED
  })
