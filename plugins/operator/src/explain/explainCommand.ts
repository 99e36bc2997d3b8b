import { ActionRefusedError, type Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readCount } from '../readOptions.js'
import { explain } from './explain.js'
import { explanationText } from './explanationText.js'

/** `causeway explain <id>`. */
export const explainCommand = (deps: OperatorDeps): Command => ({
  name: 'explain',
  console: 'read',
  description: 'Explain a request, an order, a transaction or an address',
  arguments: [
    {
      name: 'id',
      description: 'Request id, order id, transaction id, address, deposit:<number> or payout:<number>',
      required: true,
    },
  ],
  options: [
    { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' },
    { flags: '--limit <count>', description: 'Most requests told when an address has several', default: '5' },
  ],
  run: async ({ arguments: [id = ''], options, print }) => {
    const explanation = await explain(deps, id, readCount(options.limit, '--limit', 100))
    if (explanation === null) {
      throw new ActionRefusedError(
        `Nothing is known of ${id}. It was looked for as a request id, an order id, the id of an unpaid quote, a transaction in and out on the configured chains, and an address.`,
      )
    }
    if (options.json === true) return print(JSON.stringify(explanation, null, 2))
    const chainName = (chainId: number) => deps.chains.find(chainId)?.config.slug ?? `chain ${chainId}`
    for (const line of explanationText(explanation, chainName)) print(line)
  },
})
