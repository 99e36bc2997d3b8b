import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@causeway/core/testing'
import type { TryAdapterOptions } from '@causeway/host'
import { CHAIN_PLANS, type ChainPlan } from '../chainPlans.js'
import { RunningParts, startParts, timedPrint } from '../runningParts.js'
import { chainTestingOf } from '../sandboxChains.js'
import { SandboxError } from '../sandboxError.js'
import { type SandboxPaths, sandboxPaths } from '../state/sandboxPaths.js'
import type { RecordedChain } from '../state/sandboxState.js'
import { type AdapterFolder, readAdapterFolder } from './adapterFolder.js'
import { inTime } from './inTime.js'
import { moveTransfer } from './moveTransfer.js'
import { placeAdapter } from './placeAdapter.js'
import { logSize, troubleLines } from './troubleLines.js'

const TRIED_ID = 71_100
const NEIGHBOUR = 'harbor'
const START_MS = 240_000
const USDC = { symbol: 'USDC', name: 'Sandbox dollar', decimals: 6, groupId: 'usdc' }

/**
 * Runs an adapter package and its local chain in a sandbox of its own, moves a transfer to the chain and one back, and ends
 * everything it started, also on a signal.
 * @throws SandboxError that names the step that failed, and what to check
 */
export const tryAdapter = async ({ folder, stepMs, program, variables }: TryAdapterOptions): Promise<void> => {
  const adapter = readAdapterFolder(folder)
  const paths = sandboxPaths(mkdtempSync(join(tmpdir(), 'causeway-try-')))
  const running = new RunningParts(paths, variables, timedPrint())
  endOnSignals(running)
  let logFrom = 0
  try {
    const chains = await start(adapter, running, program)
    // Warnings of a start that succeeded are of the sandbox, not of the adapter.
    logFrom = await logSize(paths.hostLog)
    await moveBothWays(running, { chains, stepMs, program })
    running.print(`${adapter.name} works on a live host`)
    await running.stop()
    rmSync(paths.home, { recursive: true, force: true })
  } catch (error) {
    // A signal ends this process once everything is stopped.
    if (running.stopping) return await new Promise(() => undefined)
    throw await ended(running, error, logFrom)
  }
}

/** Stops everything; the error says where the logs are, if anything wrote one. */
const ended = async (running: RunningParts, error: unknown, logFrom: number): Promise<SandboxError> => {
  const { paths } = running
  const trouble = await troubleLines(paths.hostLog, logFrom)
  await running.stop()
  const logs = keepLogs(paths) ? [`Logs: ${paths.home}`] : []
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  return new SandboxError([message, ...trouble, ...logs].join('\n'), { cause })
}

const endOnSignals = (running: RunningParts): void => {
  const end = () => {
    if (running.stopping) process.exit(1)
    running.print('Stopping the host, the chains and PostgreSQL; a second signal leaves them running')
    const removed = running.stop().then(() => rmSync(running.paths.home, { recursive: true, force: true }))
    removed.then(
      () => process.exit(1),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}

/** Removes everything of a sandbox but its logs and its configuration; false when it has no log. */
const keepLogs = ({ home, postgres, keys }: SandboxPaths): boolean => {
  const hasLog = readdirSync(home).some((name) => name.endsWith('.log'))
  const removed = hasLog ? [postgres, keys, join(home, 'node_modules')] : [home]
  for (const path of removed) rmSync(path, { recursive: true, force: true })
  return hasLog
}

interface TriedChains {
  readonly neighbour: RecordedChain
  readonly tried: RecordedChain
}

const start = async (adapter: AdapterFolder, running: RunningParts, program: string): Promise<TriedChains> => {
  const { paths, print } = running
  const plans = await plansOf(adapter, paths.home)
  print(`${adapter.name} ${adapter.version}, built in ${adapter.folder}; the sandbox runs in ${paths.home}`)
  const starting = startParts(running, { before: null, port: await freePort(), plans, program, innerChains: true })
  await inTime(
    starting,
    START_MS,
    `The sandbox did not start within ${START_MS / 1000} s. Check: \`startLocalChain\` and \`sandbox.deploy\` of chainTesting must resolve.`,
  )
  const [neighbour, tried] = running.state?.chains ?? []
  if (neighbour === undefined || tried === undefined) throw new SandboxError('The sandbox was stopped.')
  return { neighbour, tried }
}

const moveBothWays = async (
  running: RunningParts,
  {
    chains: { neighbour, tried },
    ...how
  }: { readonly chains: TriedChains; readonly stepMs: number; readonly program: string },
): Promise<void> => {
  if (running.state === null) throw new SandboxError('The sandbox was stopped.')
  const move = { running, state: running.state, tried, ...how }
  await moveTransfer({ ...move, origin: neighbour, destination: tried })
  await moveTransfer({ ...move, origin: tried, destination: neighbour })
  running.print(`Value moved from ${neighbour.name} to ${tried.name} and back`)
}

/** An EVM chain of the sandbox, and the chain of the package. */
const plansOf = async (adapter: AdapterFolder, home: string): Promise<readonly ChainPlan[]> => {
  const { name } = adapter
  const source = { package: name, testing: placeAdapter(adapter, home) }
  const { sandbox } = await chainTestingOf(source)
  const slug = name.replace(/^@[^/]*\//, '').replace(/^(causeway-)?(chain-)?/, '')
  const tried: ChainPlan = {
    ...source,
    id: TRIED_ID,
    slug: slug === NEIGHBOUR ? `tried-${slug}` : slug,
    tokens: sandbox.hasTokens ? [USDC] : [],
    solverHolds: { native: 10_000n, token: 1_000_000n },
    userHolds: { native: 1_000n, token: 10_000n },
  }
  return [...CHAIN_PLANS.filter((plan) => plan.slug === NEIGHBOUR), tried]
}
