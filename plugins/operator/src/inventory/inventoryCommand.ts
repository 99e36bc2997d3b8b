import { ChainRegistry, type Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readInventory } from './inventoryReport.js'
import { inventoryText } from './inventoryText.js'
import { findChain } from './topupCommand.js'

/** `causeway inventory`. */
export const inventoryCommand = (deps: OperatorDeps): Command => ({
  name: 'inventory',
  console: 'read',
  freshMs: 10_000,
  description: 'What the solver owns, what of it is promised, and whether the books agree with the chains',
  options: [
    { flags: '--chain <chain>', description: 'Only this one, by slug or id' },
    { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' },
  ],
  run: async ({ options, print }) => {
    const chain = typeof options.chain === 'string' ? findChain(deps, options.chain) : null
    const report = await readInventory(chain === null ? deps : { ...deps, chains: new ChainRegistry([chain]) })
    if (options.json === true) return print(JSON.stringify(report, null, 2))
    for (const line of inventoryText(report)) print(line)
  },
})
