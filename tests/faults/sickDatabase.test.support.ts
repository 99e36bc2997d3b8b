import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.01')
/** Within it every call is answered, whatever the database does (host/README.md, "A sick database"). */
const ANSWERED_MS = 30_000
const DISK_MIB = 320

export let network: LocalNetwork
export let folder: string
/** Whether the data stands on a disk of its own, which can be filled; that takes root. */
export let ownDisk: boolean
let server: EmbeddedPostgres
export let proxy: TcpProxy
export let pool: Pool
export let host: HostProcess
/** A connection that the host keeps, also when it cannot take another one. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const mountDisk = (at: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=1777`, 'tmpfs', at], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const transfer = () => ({
  user: userOf(network, 0),
  from: network.chains[0].chain.chainId,
  to: network.chains[1].chain.chainId,
  ...{ originCurrency: NATIVE, destinationCurrency: NATIVE, amount: AMOUNT, recipient: freshAddress() },
})

export const quoteMany = async (count: number): Promise<QuoteAnswer[]> => {
  const quotes: QuoteAnswer[] = []
  while (quotes.length < count) quotes.push(await quoteOverHttp(host.url, transfer()))
  return quotes
}

interface Asked {
  readonly status: number
  readonly text: string
}

/** A quote over the connection that is kept; status 0 where that was cut. */
export const ask = (): Promise<Asked> => {
  const { user, from, to, amount, ...rest } = transfer()
  const body = {
    ...rest,
    user: user.address,
    originChainId: from,
    destinationChainId: to,
    amount: String(amount),
    tradeType: 'EXACT_INPUT',
  }
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' }
    const request = httpRequest(
      `${host.url}/quote`,
      { method: 'POST', agent, headers, timeout: ANSWERED_MS },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    request.on('timeout', () => resolve({ status: -1, text: 'nothing was answered in time' }))
    request.on('error', () => resolve({ status: 0, text: '' }))
    request.end(JSON.stringify(body))
  })
}

/** Asks until a quote is refused; every answer on the way is a quote or 503. */
export const refusedPlainly = async (): Promise<void> => {
  const refusal = await until('a quote to be refused', async () => {
    const asked = await ask()
    expect([0, 200, 503], asked.text).toContain(asked.status)
    return asked.status === 503 ? asked : null
  })
  const { message, errorCode } = JSON.parse(refusal.text) as { message: string; errorCode: string }
  expect(errorCode).toBe('SERVICE_UNAVAILABLE')
  expect(message).toMatch(/try again/i)
  expect(refusal.text).not.toMatch(/postgres|sql|127\.0\.0\.1|ENOSPC|EMFILE|read-only|space left|\bat /i)
}

export const deposit = async (quotes: readonly QuoteAnswer[]): Promise<void> => {
  for (const { protocol } of quotes) {
    await depositNative(network.chains[0], userOf(network, 0), protocol.v2.orderId, AMOUNT)
  }
}

export const fillsOf = async (quotes: readonly QuoteAnswer[]): Promise<readonly number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return quotes.map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

/** Payments on the chain that the database does not know: the books know more than the chain shows, never less. */
export const unknownPayments = async (quotes: readonly QuoteAnswer[]): Promise<number> => {
  const fills = (await fillsOf(quotes)).reduce((sum, count) => sum + count, 0)
  const { rows } = await pool.query<{ count: number }>(
    `select count(distinct p.id)::int as count from payout_attempts a join payouts p on p.id = a.payout_id
     join requests r on r.id = p.request_id where p.purpose = 'fill' and r.order_id = any($1)`,
    [quotes.map(({ protocol }) => Buffer.from(protocol.v2.orderId.slice(2), 'hex'))],
  )
  return Math.max(0, fills - (rows[0]?.count ?? 0))
}

/** All that was paid in is paid out once, by the same process, without anybody's help. */
export const worksAgain = async (quotes: readonly QuoteAnswer[]): Promise<void> => {
  const pid = host.pid
  await until('quotes to be possible', async () => ((await ask()).status === 200 ? true : null))
  await until('every deposit to be filled', async () =>
    (await fillsOf(quotes)).every((count) => count >= 1) ? true : null,
  )
  await waitForQuiet(pool)
  expect(await fillsOf(quotes)).toEqual(quotes.map(() => 1))
  expect(await findDiscrepancies(pool, network)).toEqual([])
  expect(await Promise.race([host.ended, Promise.resolve('runs')])).toBe('runs')
  expect(host.pid).toBe(pid)
}

/** Starts a host over a database that can be made sick before the tests of a file, and stops both afterwards. */
export const useSickDatabase = (): void => {
  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    folder = mkdtempSync(join(tmpdir(), 'causeway-sick-'))
    chmodSync(folder, 0o711)
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    ownDisk = mountDisk(disk)
    server = await startEmbeddedPostgres({ dataDir: join(disk, 'data') })
    const url = new URL(server.url)
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${proxy.port}`
    const databaseUrl = url.toString()
    host = await startHostProcess({
      ...{ network, databaseUrl },
      config: { database: { url: databaseUrl, leaseSeconds: 2, answerSeconds: 2 } },
    })
    pool = createPool({ connectionString: server.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    agent.destroy()
    host?.signal('SIGKILL')
    await host?.ended
    await pool?.end()
    await proxy?.cut()
    await server?.stop()
    if (ownDisk) execFileSync('umount', [join(folder, 'disk')])
    rmSync(folder, { recursive: true, force: true })
    await network?.close()
  })
}
