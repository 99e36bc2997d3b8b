import { type Diagnosis, type KeyPurpose, spendableAt } from '@causeway/core/chain'
import { parsePrivateKey } from '@causeway/core/host'
import type { Chain } from '@causeway/core/plugin'

/** Payouts that the native balance should pay the network for. */
const PAYOUTS = 50n

/** What the solver holds on a chain, gas first. Chains that do not answer were reported already. */
export const checkWallet = async ({ config, adapter }: Chain): Promise<readonly Diagnosis[]> => {
  const check = 'wallet'
  const { slug, solver, originSender, currencies } = config
  if (solver === '') {
    const message = 'its address is not known here: its key is elsewhere, and no lane wrote it down yet'
    const remedy =
      'Set "solver" in the chain ("causeway keys list" shows addresses); a solver that was started once wrote it down.'
    return [{ check, subject: slug, state: 'unchecked', message, remedy }]
  }
  const { native } = adapter
  const queries = [native.address, ...currencies.map(({ address }) => adapter.normalizeCurrency(address) ?? address)]
  const [balances, fee] = await Promise.all([
    adapter.getBalances([
      ...queries.map((currency) => ({ address: solver, currency })),
      ...(originSender === undefined ? [] : [{ address: originSender, currency: native.address }]),
    ]),
    adapter.estimatePayoutFee({
      purpose: 'fill',
      orderId: `0x${'ff'.repeat(32)}`,
      from: solver,
      to: { address: solver },
      money: { currency: native.address, amount: 1n },
      calls: [],
    }),
  ])
  const gas = spendableAt(balances, 0) ?? 0n
  const sender = originSender === undefined ? null : (spendableAt(balances, queries.length) ?? 0n)
  const empty = currencies.filter((_, at) => spendableAt(balances, at + 1) === 0n).map(({ symbol }) => symbol)
  return [
    gas < fee.network.amount * PAYOUTS
      ? {
          check,
          subject: slug,
          // A chain that is switched off may be emptied.
          state: config.enabled ? 'fault' : 'warning',
          message: `has too little ${native.symbol} for the network fees of ${PAYOUTS} payouts`,
          remedy: `Send ${native.symbol} to ${solver}${config.enabled ? '' : ', unless you are emptying it: the chain is switched off'}.`,
        }
      : { check, subject: slug, state: 'ok', message: `can pay the network fees of ${PAYOUTS} payouts and more` },
    ...(sender === null || sender >= fee.network.amount * PAYOUTS
      ? []
      : [
          {
            check,
            subject: slug,
            state: 'warning' as const,
            message: `the account that sends for users has too little ${native.symbol} for the network fees of ${PAYOUTS} transactions`,
            remedy: `Send ${native.symbol} to ${originSender}, and book it with "causeway inventory topup --sender".`,
          },
        ]),
    ...(empty.length === 0
      ? []
      : [
          {
            check,
            subject: slug,
            state: 'warning' as const,
            message: `holds no ${empty.join(', ')}: nothing can be quoted into it`,
            remedy: `Send some to ${solver}, or take the currency out.`,
          },
        ]),
  ]
}

/** Keys that were found (the loader saw to those a role needs); one key for two purposes is said. */
export const checkKeys = (found: ReadonlyMap<KeyPurpose, string>): readonly Diagnosis[] => {
  const byKey = new Map<string, string[]>()
  for (const [purpose, value] of found) {
    const text = Buffer.from(parsePrivateKey(value)).toString('hex')
    byKey.set(text, [...(byKey.get(text) ?? []), purpose.split('.')[0] ?? purpose])
  }
  const base = { check: 'keys', subject: 'this process' }
  const shared = [...byKey.values()].map((names) => [...new Set(names)]).filter((names) => names.length > 1)
  if (shared.length > 0)
    return shared.map((names) => ({
      ...base,
      state: 'warning',
      message: `one key serves ${names.join(' and ')}`,
      remedy: 'Give each purpose a key of its own: who takes one then has one power only.',
    }))
  if (byKey.size === 0) return [{ ...base, state: 'ok', message: 'holds no key' }]
  const keys = byKey.size === 1 ? 'one key' : `${byKey.size} keys, each`
  return [{ ...base, state: 'ok', message: `holds ${keys} for one purpose` }]
}
