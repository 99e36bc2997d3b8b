import { readLedgerBalances } from '@causeway/core/money-path'
import { type Comparison, compareBalances } from '../inventory/compareBalances.js'
import { toHeight } from '../inventory/inventoryReport.js'
import { readBookedCurrencies, readBooks } from '../inventory/readBooks.js'
import { readChainBalances } from '../inventory/readChainBalances.js'
import type { OperatorDeps } from '../operatorDeps.js'
import { type ShownMoney, shown } from '../text/moneyText.js'
import { type Finding, runBookChecks } from './runBookChecks.js'

/** The answer of `causeway ledger check --json`. */
export interface LedgerReport {
  readonly schemaVersion: 1
  readonly at: string
  /** Nothing is wrong and everything could be checked. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** Differences between chains and books that work under way explains. */
  readonly explained: readonly BalanceDifference[]
  /** Chains whose balances could not be compared. */
  readonly unchecked: readonly { readonly chainId: number; readonly why: string }[]
  /** Balance of every account, of integrators one by one. */
  readonly totals: readonly (ShownMoney & { readonly account: string; readonly integratorId?: string })[]
}

export interface BalanceDifference {
  readonly holder: Comparison['holder']
  readonly onChain: ShownMoney
  readonly booked: string
  readonly difference: string
  readonly why: string
}

/** Checks books and chains; `chains: false` leaves the chains out. */
export const checkLedger = async (deps: OperatorDeps, options: { readonly chains: boolean }): Promise<LedgerReport> => {
  const books = await runBookChecks(deps.pool)
  const compared = options.chains ? await compareWithChains(deps) : { findings: [], explained: [], unchecked: [] }
  const findings = [...books, ...compared.findings]
  return {
    schemaVersion: 1,
    at: new Date(deps.clock.now()).toISOString(),
    ok: findings.length === 0 && compared.unchecked.length === 0,
    ...compared,
    findings,
    totals: (await readLedgerBalances(deps.pool)).map((total) => ({
      account: total.account,
      ...(total.holder === undefined ? {} : { integratorId: total.holder }),
      ...shown(deps.currencies, { ...total, amount: total.balance }),
    })),
  }
}

const RULE: Readonly<Record<Comparison['holder'], { readonly rule: string; readonly remedy: string }>> = {
  wallet: {
    rule: 'the wallet holds what the books say',
    remedy:
      'Find the transaction in an explorer. Money you moved by hand is booked with causeway inventory topup, what was left in the wallet of a former key with causeway inventory correct; else a key may be in other hands.',
  },
  senders: {
    rule: 'the keys that send for users hold what the books say',
    remedy:
      'Gas that you put there is booked with causeway inventory topup --sender; else a key may be in other hands.',
  },
  depository: {
    rule: 'the depository holds what the books say',
    remedy:
      'More than booked: somebody sent money past its functions. Less: a withdrawal this database does not know; look at the allocator key.',
  },
}

const compareWithChains = async (
  deps: OperatorDeps,
): Promise<Pick<LedgerReport, 'findings' | 'explained' | 'unchecked'>> => {
  const balances = await readChainBalances(deps, await readBookedCurrencies(deps.pool))
  const books = await readBooks(deps.pool, balances.map(toHeight), deps.clock.now())
  const different = balances
    .flatMap((item) => compareBalances(item, books))
    .filter(({ difference }) => difference !== 0n)
  const wrong = different.filter(({ explanation }) => explanation === null)
  return {
    findings: (['wallet', 'depository', 'senders'] as const).flatMap((holder) => toFinding(deps, holder, wrong)),
    explained: different.flatMap((item) =>
      item.explanation === null
        ? []
        : [
            {
              holder: item.holder,
              onChain: shown(deps.currencies, { ...item, amount: item.onChain }),
              booked: item.booked.toString(),
              difference: item.difference.toString(),
              why: item.explanation,
            },
          ],
    ),
    unchecked: balances.flatMap(({ chain, why }) => (why === null ? [] : [{ chainId: chain.config.id, why }])),
  }
}

const toFinding = (deps: OperatorDeps, holder: Comparison['holder'], wrong: readonly Comparison[]): Finding[] => {
  const own = wrong.filter((item) => item.holder === holder)
  if (own.length === 0) return []
  const cases = own.map(({ chainId, currency, onChain, booked, difference }) => ({
    ids: [
      `chain ${chainId}`,
      `${shown(deps.currencies, { chainId, currency, amount: 0n }).symbol ?? 'currency'} ${currency}`,
    ],
    says: `${onChain} on the chain, ${booked} booked: ${difference} too ${difference > 0n ? 'much' : 'little'} on the chain`,
  }))
  return [{ check: `${holder}-balance`, ...RULE[holder], count: own.length, cases }]
}
