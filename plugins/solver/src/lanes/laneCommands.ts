import { createInterface } from 'node:readline/promises'
import { ActionRefusedError, auditActor, type Command } from '@causeway/core/plugin'
import { type LaneReport, type LaneReportDeps, readLaneReports } from './laneReport.js'
import { inspectText, lanesText } from './laneText.js'
import { releaseLane } from './releaseLane.js'

const JSON_OPTION = { flags: '--json', description: 'Print JSON (schemaVersion 1); amounts in smallest units' }
const CHAIN = { name: 'chain', description: 'Slug or id', required: true }

const toJson = (lanes: readonly LaneReport[]): string =>
  JSON.stringify(
    { schemaVersion: 1, lanes },
    (_key, value) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  )

/** The lanes of a chain, of one signer where one is named. @throws ActionRefusedError */
const findLanes = async (
  deps: LaneReportDeps,
  chain: string,
  signer: string | undefined,
): Promise<readonly LaneReport[]> => {
  const lanes = await readLaneReports(deps)
  const ofChain = lanes.filter((lane) => lane.chain === chain || String(lane.chainId) === chain)
  const found = ofChain.filter((lane) => signer === undefined || isSame(lane, signer, deps))
  if (found.length > 0) return found
  const known = lanes.map((lane) => `${lane.chain} ${lane.signer}`).join(', ') || 'none'
  throw new ActionRefusedError(`There is no lane ${[chain, signer ?? ''].join(' ').trim()}. Known: ${known}.`)
}

const isSame = (lane: LaneReport, signer: string, { chains }: LaneReportDeps): boolean =>
  chains.find(lane.chainId)?.adapter.sameAddress(lane.signer, signer) ?? lane.signer === signer

const listCommand = (deps: LaneReportDeps): Command => ({
  name: 'lanes',
  console: 'read',
  description: 'Show the signing lanes: state, next nonce, what waits, what left this hour',
  options: [JSON_OPTION],
  run: async ({ options, print }) => {
    const lanes = await readLaneReports(deps)
    if (options.json === true) return print(toJson(lanes))
    for (const line of lanesText(lanes, deps.currencies, deps.clock.now())) print(line)
  },
})

const inspectCommand = (deps: LaneReportDeps): Command => ({
  name: 'lanes inspect',
  console: 'read',
  description: 'Show what keeps a lane shut: each transaction that pays an unknown order',
  arguments: [CHAIN, { name: 'signer', description: 'Address of the key; default: all of the chain', required: false }],
  options: [JSON_OPTION],
  run: async ({ arguments: [chain = '', signer], options, print }) => {
    const lanes = await findLanes(deps, chain, signer)
    if (options.json === true) return print(toJson(lanes))
    for (const lane of lanes) for (const line of inspectText(lane, deps.currencies)) print(line)
  },
})

const releaseCommand = (deps: LaneReportDeps): Command => ({
  name: 'lanes release',
  console: 'money',
  confirmWith: 'chain',
  description: 'Open a quarantined lane after its transactions are accounted for; written to the audit',
  arguments: [CHAIN, { name: 'signer', description: 'Address of the key', required: true }],
  options: [
    { flags: '--tx <hash>', description: 'This transaction only' },
    { flags: '--all', description: 'All that inspect shows, and what could not be read' },
    { flags: '--reason <text>', description: 'Why this is right; kept in the audit' },
    { flags: '--yes', description: 'Do not ask' },
  ],
  run: async ({ arguments: [chain = '', signer = ''], options, actor = auditActor(), print }) => {
    const txId = readTransaction(options)
    const reason = readReason(options)
    const [lane] = await findLanes(deps, chain, signer)
    if (lane === undefined) return
    for (const line of inspectText(lane, deps.currencies)) print(line)
    if (options.yes !== true) await confirm(lane)
    const { transactions, gap } = await releaseLane(deps, { lane, txId, reason, actor })
    print(`Released ${transactions} transaction(s)${gap ? ' and the gap of what could not be read' : ''}.`)
  },
})

const readTransaction = ({ tx, all }: Readonly<Record<string, unknown>>): string | null => {
  if ((typeof tx === 'string') === (all === true)) throw new ActionRefusedError('Give either --tx <hash> or --all.')
  if (typeof tx !== 'string') return null
  return /^0x/i.test(tx) ? tx.toLowerCase() : tx
}

const readReason = ({ reason }: Readonly<Record<string, unknown>>): string => {
  if (typeof reason === 'string' && reason.trim() !== '' && reason.length <= 500) return reason.trim()
  throw new ActionRefusedError('Give --reason with 1 to 500 characters.')
}

/** Asks for the chain's name, so that nobody opens another lane than they think. @throws ActionRefusedError */
const confirm = async (lane: LaneReport): Promise<void> => {
  if (!process.stdin.isTTY) throw new ActionRefusedError('Nobody can answer here: add --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`This key may pay again afterwards. Type ${lane.chain} to release: `)
    if (answer.trim() !== lane.chain) throw new ActionRefusedError('Nothing was released.')
  } finally {
    terminal.close()
  }
}

/** `lanes`, `lanes inspect` and `lanes release`. */
export const laneCommands = (deps: LaneReportDeps): readonly Command[] => [
  listCommand(deps),
  inspectCommand(deps),
  releaseCommand(deps),
]
