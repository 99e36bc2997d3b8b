import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type HostNetwork, hostCommand, startHostProcess } from '../../harness/host/hostProcess.js'
import { type CrossNetwork, EVM_ID } from '../../solana/crossNetwork.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const RETRY_MS = 5
const TIME_LIMIT_MS = 60_000
const BYTES_IN_MB = 1_000_000
const LIMIT_MB = 60

/** (h) Start and memory of a host that serves an EVM chain, without and with Solana beside it. */
export const measureTwoVms = async (world: BenchWorld, { host }: CrossNetwork): Promise<Measurement[]> => {
  const networks = { one: onlyEvm(host), two: host }
  const databases = { one: await world.createDatabase(), two: await world.createDatabase() }
  const memory = {
    one: await residentMegabytes(networks.one, databases.one),
    two: await residentMegabytes(networks.two, databases.two),
  }
  const starts = await interleave(
    world.scale.rounds,
    {
      one: async () => ({ milliseconds: await timeToAnswer(networks.one, databases.one) }),
      two: async () => ({ milliseconds: await timeToAnswer(networks.two, databases.two) }),
    },
    (round) => world.say(`two VMs: round ${round + 1}`),
  )
  return [
    {
      case: 'h',
      what: 'spawn to first answer, EVM and Solana',
      unit: 'ms',
      value: starts.two.milliseconds ?? Number.NaN,
      floor: starts.one.milliseconds ?? Number.NaN,
      floorIs: 'EVM alone',
    },
    {
      case: 'h',
      what: 'resident memory, EVM and Solana',
      unit: 'MB',
      value: memory.two,
      floor: memory.one,
      floorIs: 'EVM alone',
    },
    {
      case: 'h',
      what: 'resident memory that Solana adds',
      unit: 'MB',
      value: Math.max(1, memory.two - memory.one),
      target: { of: 'value', limit: LIMIT_MB, better: 'less' },
    },
  ]
}

const onlyEvm = (network: HostNetwork): HostNetwork => {
  const { allocator, payout } = network.keys
  const { [EVM_ID]: key } = payout
  return {
    ...network,
    chains: network.chains.filter(({ id }) => id === EVM_ID),
    keys: { ...(allocator === undefined ? {} : { allocator }), payout: key === undefined ? {} : { [EVM_ID]: key } },
  }
}

/** As the host reports it once it is ready. */
const residentMegabytes = async (network: HostNetwork, databaseUrl: string): Promise<number> => {
  const host = await startHostProcess({ network, databaseUrl, solver: { withdrawals: false }, longLife: true })
  try {
    const text = await (await fetch(`${host.url}/metrics`)).text()
    const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]
    if (bytes === undefined) throw new Error('The host does not report its memory.')
    return Number(bytes) / BYTES_IN_MB
  } finally {
    host.signal('SIGTERM')
    await host.ended
  }
}

const timeToAnswer = async (network: HostNetwork, databaseUrl: string): Promise<number> => {
  const { url, args, env } = await hostCommand({ network, databaseUrl })
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore', env })
  const ended = once(child, 'exit')
  try {
    while (!(await answers(url))) {
      if (performance.now() - startedAt > TIME_LIMIT_MS) throw new Error('The host did not answer in time.')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    return performance.now() - startedAt
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/lives`).then(
    ({ ok }) => ok,
    () => false,
  )
