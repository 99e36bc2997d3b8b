import type { HostProcess } from '../../harness/host/hostProcess.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { PaymentWatch } from '../paymentWatch.js'
import { quoteBodies } from '../quoteRequests.js'
import type { Measurement } from '../table.js'
import { TransferSource } from '../transfers.js'

const USER = 5
const CONNECTIONS = 8
const CHUNK = 50
const LIMIT_MB = 180
const GROWTH = 1.5

/** (f) Resident memory of one host with every role: after its start, after transfers, after many quotes. */
export const measureMemory = async (world: BenchWorld): Promise<Measurement[]> => {
  const { scale } = world
  const host = await world.startHost({ databaseUrl: await world.createDatabase() })
  await waitUntilQuoting(world, host.url)
  const atRest = await residentMegabytes(host)
  await transfer(world, host, scale.transfersOfMemory)
  const afterTransfers = await residentMegabytes(host)
  const bodies = quoteBodies(world)
  world.say(`memory: ${scale.quotesOfMemory} quotes`)
  const half = { url: host.url, path: '/quote', connections: CONNECTIONS, requests: scale.quotesOfMemory / 2 }
  await runLoad({ ...half, body: bodies.returning })
  await runLoad({ ...half, body: bodies.fresh })
  const afterQuotes = await residentMegabytes(host)
  await world.stopHost(host)
  return [
    {
      case: 'f',
      what: 'resident memory after the start',
      unit: 'MB',
      value: atRest,
      target: { of: 'value', limit: LIMIT_MB, better: 'less' },
    },
    {
      case: 'f',
      what: `resident memory after ${scale.transfersOfMemory} transfers`,
      unit: 'MB',
      value: afterTransfers,
    },
    {
      case: 'f',
      what: `resident memory after ${scale.quotesOfMemory} quotes`,
      unit: 'MB',
      value: afterQuotes,
      floor: atRest,
      floorIs: 'after the start',
      target: { of: 'ratio', limit: GROWTH, better: 'less' },
    },
  ]
}

const transfer = async (world: BenchWorld, host: HostProcess, count: number): Promise<void> => {
  world.say(`memory: ${count} transfers`)
  const source = await TransferSource.open(world, USER)
  const watch = await PaymentWatch.open(source.destination)
  for (let done = 0; done < count; done += CHUNK) {
    const transfers = await source.prepare(host.url, Math.min(CHUNK, count - done))
    await source.depositor.sendAll(transfers.map(({ deposit }) => deposit))
    await Promise.all(transfers.map(({ recipient }) => watch.paid(recipient)))
  }
  watch.close()
}

const BYTES_IN_MB = 1_000_000

/** As the host itself reports it. */
const residentMegabytes = async ({ url }: HostProcess): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]
  if (bytes === undefined) throw new Error('The host does not report its memory.')
  return Number(bytes) / BYTES_IN_MB
}
