import { readIntegratorBalances } from '@causeway/core/money-path'
import type { Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { moneyText, shown } from '../text/moneyText.js'

/** `causeway ledger integrators`: what of the fees is owed to whom (wire.md D.1). */
export const integratorsCommand = (deps: OperatorDeps): Command => ({
  name: 'ledger integrators',
  console: 'read',
  description: 'Show what integrators have coming, their parts of the fees of fills less what was paid to them',
  options: [{ flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' }],
  run: async ({ options, print }) => {
    const owed = (await readIntegratorBalances(deps.pool)).map(({ holder = '', chainId, currency, balance }) => ({
      integratorId: holder,
      ...shown(deps.currencies, { chainId, currency, amount: -balance }),
    }))
    if (options.json === true) return print(JSON.stringify({ schemaVersion: 1, owed }, null, 2))
    if (owed.length === 0) print('Nothing is owed to any integrator.')
    for (const item of owed) {
      const slug = deps.chains.find(item.chainId)?.config.slug ?? `chain ${item.chainId}`
      print(`${item.integratorId}  ${moneyText(item)} on ${slug}`)
    }
  },
})
