import type { Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readInventory } from './inventoryReport.js'
import { inventoryText } from './inventoryText.js'

/** `causeway inventory`. */
export const inventoryCommand = (deps: OperatorDeps): Command => ({
  name: 'inventory',
  description: 'What the solver owns, what of it is promised, and whether the books agree with the chains',
  options: [{ flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' }],
  run: async ({ options, print }) => {
    const report = await readInventory(deps)
    if (options.json === true) return print(JSON.stringify(report, null, 2))
    for (const line of inventoryText(report)) print(line)
  },
})
