import { ActionRefusedError, type Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { indented, labelled } from '../text/layout.js'
import { moneyText } from '../text/moneyText.js'
import { bookChecks } from './bookChecks.js'
import { checkLedger, type LedgerReport } from './ledgerReport.js'
import type { Finding } from './runBookChecks.js'

const findingText = ({ check, rule, remedy, count, cases }: Finding): string[] => [
  `WRONG ${check}: ${count} ${count === 1 ? 'case' : 'cases'}`,
  ...labelled('rule', rule),
  ...cases.flatMap(({ ids, says }) => indented(`${ids.join(', ')}: ${says}`, 4)),
  ...(count > cases.length ? [`    and ${count - cases.length} more`] : []),
  ...labelled('remedy', remedy),
]

const holderText = ({ integratorId }: LedgerReport['totals'][number]): string =>
  integratorId === undefined ? '' : ` of ${integratorId}`

const reportText = (report: LedgerReport, chainName: (id: number) => string): string[] => [
  ...report.findings.flatMap(findingText),
  ...report.unchecked.flatMap(({ chainId, why }) => indented(`NOT CHECKED ${chainName(chainId)}: ${why}`, 0)),
  ...report.explained.flatMap(({ holder, onChain, difference, why }) =>
    indented(
      `${holder} of ${chainName(onChain.chainId)}: ${moneyText({ ...onChain, amount: difference })} apart, by ${why}`,
      0,
    ),
  ),
  'balances of the books',
  ...report.totals
    .filter(({ amount }) => amount !== '0')
    .flatMap((total) =>
      indented(`${total.account.padEnd(11)} ${moneyText(total)} on ${chainName(total.chainId)}${holderText(total)}`, 2),
    ),
  report.ok ? `All ${bookChecks.length} rules hold.` : 'Something is wrong.',
]

/** `causeway ledger check`. Fails, so that exit code 1 tells a script, when a rule is broken or a chain could not be asked. */
export const ledgerCheckCommand = (deps: OperatorDeps): Command => ({
  name: 'ledger check',
  console: 'read',
  freshMs: 30_000,
  description: 'Check the books against themselves and the chains; exit code 1 when something is wrong',
  options: [
    { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' },
    { flags: '--offline', description: 'Leave the chains out' },
  ],
  run: async ({ options, print }) => {
    const report = await checkLedger(deps, { chains: options.offline !== true })
    const chainName = (chainId: number) => deps.chains.find(chainId)?.config.slug ?? `chain ${chainId}`
    if (options.json === true) print(JSON.stringify(report, null, 2))
    else for (const line of reportText(report, chainName)) print(line)
    if (report.ok) return
    const broken = report.findings.map(({ check }) => check)
    const unasked = report.unchecked.map(({ chainId }) => `chain ${chainId} could not be asked`)
    throw new ActionRefusedError(`The ledger check failed: ${[...broken, ...unasked].join(', ')}.`)
  },
})
