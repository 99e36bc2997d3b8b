import type { Command } from '@causeway/core/plugin'
import { labelled } from '../text/layout.js'
import { type ChainStatus, type ChainsStatusDeps, type EndpointStatus, readChains } from './chainsReport.js'

const endpointText = ({ name, state, head, behind, reason }: EndpointStatus): string => {
  const shown = head === null ? 'head not compared' : `block ${head}${behind === '0' ? '' : `, ${behind} behind`}`
  return `${name}: ${state}, ${shown}${reason === null ? '' : `: ${reason}`}`
}

const chainText = (chain: ChainStatus): string[] => {
  const { head, watcher, quorum, halt, alerts } = chain
  return [
    `${chain.slug} (chain ${chain.chainId})${chain.enabled ? '' : ', switched off'}`,
    ...labelled(
      'head',
      head === null ? `NOT REACHABLE: ${chain.why}` : `block ${head.height}, ${head.ageSeconds} s old`,
    ),
    ...chain.endpoints.flatMap((endpoint) => labelled('endpoint', endpointText(endpoint))),
    ...labelled(
      quorum.holds ? 'quorum' : 'QUORUM LOST',
      `${quorum.trusted ?? 'unknown'} providers can be trusted, ${quorum.needed} needed`,
    ),
    ...labelled(
      'watcher',
      watcher === null
        ? 'has read nothing yet'
        : `read to block ${watcher.height}, ${watcher.lagBlocks ?? 'unknown'} behind, ${watcher.ageSeconds} s ago`,
    ),
    ...(halt === null
      ? []
      : labelled('HALTED', `since ${halt.haltedAt}: ${halt.replaced} settled blocks were replaced; causeway halts`)),
    ...alerts.flatMap(({ kind, subject, details }) => labelled('ALERT', `${kind} ${subject}: ${details}`)),
  ]
}

/** `causeway chains status`. */
export const chainsStatusCommand = (deps: ChainsStatusDeps): Command => ({
  name: 'chains status',
  description:
    'Show every chain: its head by each endpoint, who of them is believed, how far deposits are read, alerts',
  options: [{ flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' }],
  console: 'read',
  run: async ({ options, print }) => {
    const report = await readChains(deps)
    if (options.json === true) return print(JSON.stringify(report, null, 2))
    for (const line of report.chains.flatMap(chainText)) print(line)
  },
})
