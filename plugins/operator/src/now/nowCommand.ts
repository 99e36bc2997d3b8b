import type { Command } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { chainNames } from '../parked/parkedCommands.js'
import { labelled } from '../text/layout.js'
import { span } from '../text/timeText.js'
import { Flow } from './flow.js'
import { type NowReport, readNow, type Stuck } from './readNow.js'

const FRESH_MS = 5_000

const rateText = (bps: number): string => `${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')} %`

const stuckText = (
  { kind, id, chainId, action, lateSeconds, why }: Stuck,
  chainName: (id: number) => string,
): string[] =>
  labelled(
    kind === 'request' ? 'REQUEST' : 'PAYOUT',
    `${id} on ${chainName(chainId)}: ${action} is ${span(lateSeconds * 1000)} late${why === null ? '' : `, ${why}`}`,
  )

const nowText = (
  { obstacles, hour, open, stuck, stuckCount }: NowReport,
  chainName: (id: number) => string,
): string[] => [
  ...obstacles.flatMap(({ text }) => labelled('WAITS', text)),
  'LAST 60 MINUTES',
  ...labelled('begun', `${hour.begun}, worth $${hour.usd}`),
  ...labelled(
    'ended',
    `${hour.succeeded} succeeded, ${hour.refunded} refunded, ${hour.failed} failed${hour.successBps === null ? '' : `: ${rateText(hour.successBps)} succeeded`}`,
  ),
  ...labelled(
    'fills',
    hour.fillMs === null
      ? 'none'
      : `half within ${hour.fillMs.p50} ms of their deposit, 99 % within ${hour.fillMs.p99} ms, ${hour.fillMs.count} in all`,
  ),
  ...labelled('open', `${open} requests`),
  ...(stuckCount === 0 ? ['Nothing is stuck.'] : [`STUCK: ${stuckCount}; causeway explain <id> tells why`]),
  ...stuck.flatMap((item) => stuckText(item, chainName)),
  ...(stuckCount > stuck.length ? [`  and ${stuckCount - stuck.length} more`] : []),
]

/** `causeway now`: what moves, and what is stuck. */
export const nowCommand = (deps: OperatorDeps): Command => {
  const flow = new Flow(deps.pool)
  return {
    name: 'now',
    description:
      'Show what keeps whole chains waiting; the last hour: transfers, how they ended, how long fills took; and what is stuck now, oldest first',
    options: [{ flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' }],
    console: 'read',
    freshMs: FRESH_MS,
    run: async ({ options, print }) => {
      const report = await readNow(deps, flow, deps.clock.now())
      if (options.json === true) return print(JSON.stringify(report, null, 2))
      for (const line of nowText(report, chainNames(deps))) print(line)
    },
  }
}
