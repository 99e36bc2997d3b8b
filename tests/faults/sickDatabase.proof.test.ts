import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

let network: LocalNetwork
let folder: string
/** Whether the data stands on a disk of its own, which can be filled; that takes root. */
let ownDisk: boolean
let server: EmbeddedPostgres
let proxy: TcpProxy
let pool: Pool
let host: HostProcess
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

const transfer = () => ({
  user: userOf(network, 0),
  from: network.chains[0].chain.chainId,
  to: network.chains[1].chain.chainId,
  ...{ originCurrency: NATIVE, destinationCurrency: NATIVE, amount: AMOUNT, recipient: freshAddress() },
})

const quoteMany = async (count: number): Promise<QuoteAnswer[]> => {
  const quotes: QuoteAnswer[] = []
  while (quotes.length < count) quotes.push(await quoteOverHttp(host.url, transfer()))
  return quotes
}

interface Asked {
  readonly status: number
  readonly text: string
}

/** A quote over the connection that is kept; status 0 where that was cut. */
const ask = (): Promise<Asked> => {
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
const refusedPlainly = async (): Promise<void> => {
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

const deposit = async (quotes: readonly QuoteAnswer[]): Promise<void> => {
  for (const { protocol } of quotes) {
    await depositNative(network.chains[0], userOf(network, 0), protocol.v2.orderId, AMOUNT)
  }
}

const heightOf = async (): Promise<number> => Number(await network.chains[1].chain.rpc<string>('eth_blockNumber'))

/** As many blocks as a fill usually takes several times over. */
const blocksPass = async (): Promise<void> => {
  const first = await heightOf()
  await until('blocks', async () => ((await heightOf()) >= first + 12 ? true : null))
}

const fillsOf = async (quotes: readonly QuoteAnswer[]): Promise<readonly number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return quotes.map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

/** Payments on the chain that the database does not know: the books know more than the chain shows, never less. */
const unknownPayments = async (quotes: readonly QuoteAnswer[]): Promise<number> => {
  const fills = (await fillsOf(quotes)).reduce((sum, count) => sum + count, 0)
  const { rows } = await pool.query<{ count: number }>(
    `select count(distinct p.id)::int as count from payout_attempts a join payouts p on p.id = a.payout_id
     join requests r on r.id = p.request_id where p.purpose = 'fill' and r.order_id = any($1)`,
    [quotes.map(({ protocol }) => Buffer.from(protocol.v2.orderId.slice(2), 'hex'))],
  )
  return Math.max(0, fills - (rows[0]?.count ?? 0))
}

/** All that was paid in is paid out once, by the same process, without anybody's help. */
const worksAgain = async (quotes: readonly QuoteAnswer[]): Promise<void> => {
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

const reload = async (setting: string): Promise<void> => {
  await pool.query(setting)
  await pool.query('select pg_reload_conf()')
}

/** Takes every byte of the disk that the data stands on. */
const fillDisk = (): void => {
  const { bsize, bavail } = statfsSync(join(folder, 'disk'))
  for (let size = Number(bsize) * Number(bavail), at = 0; size > 0 && at < 4; at += 1) {
    writeFileSync(join(folder, 'disk', `ballast${at}`), Buffer.alloc(size))
    size = Number(statfsSync(join(folder, 'disk')).bavail) * Number(bsize)
  }
}
const freeDisk = (): void => {
  for (let at = 0; at < 4; at += 1) rmSync(join(folder, 'disk', `ballast${at}`), { force: true })
}

const limitHandles = (soft: number): void => {
  execFileSync('prlimit', ['--pid', String(host.pid), `--nofile=${soft}:`])
}

describe('a database that cannot work, while deposits arrive', { timeout: 240_000 }, () => {
  it('vanishes, and no packet says so: 503 in time, nothing is paid meanwhile, all is paid once when it is back (F43)', async () => {
    const quotes = await quoteMany(3)
    proxy.vanish()
    await refusedPlainly()
    await deposit(quotes)
    await blocksPass()
    expect(await fillsOf(quotes)).toEqual([0, 0, 0])
    proxy.appear()
    await worksAgain(quotes)
  })

  it('vanishes in the middle of payments: none is lost, none is paid twice (F43)', async () => {
    const quotes = await quoteMany(8)
    const depositing = deposit(quotes)
    await until('payments', async () => ((await fillsOf(quotes)).some((count) => count > 0) ? true : null))
    proxy.vanish()
    await depositing
    await refusedPlainly()
    expect(await unknownPayments(quotes)).toBe(0)
    proxy.appear()
    await worksAgain(quotes)
  })

  it('takes no writes: 503, nothing is paid that is not stored, and work goes on when it does again', async () => {
    const quotes = await quoteMany(3)
    await reload('alter system set default_transaction_read_only = on')
    await refusedPlainly()
    await deposit(quotes)
    await blocksPass()
    expect(await fillsOf(quotes)).toEqual([0, 0, 0])
    await reload('alter system reset default_transaction_read_only')
    await worksAgain(quotes)
  })

  it('has a full disk: 503, nothing is paid that is not stored, and work goes on when there is room', async ({
    skip,
  }) => {
    if (!ownDisk) skip('a disk that can be filled needs root')
    const quotes = await quoteMany(3)
    fillDisk()
    await refusedPlainly()
    await until('the log to say why', async () => (/53100/.test(host.log()) ? true : null))
    await deposit(quotes)
    await blocksPass()
    expect(await unknownPayments(quotes)).toBe(0)
    freeDisk()
    await worksAgain(quotes)
  })

  it('cannot be reached since the host has no file handles left: 503, and work goes on when there are some', async () => {
    const quotes = await quoteMany(3)
    await ask()
    // None below is ever given back: whatever is closed now cannot be opened again.
    limitHandles(10)
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name <> $1',
      ['causeway test'],
    )
    await refusedPlainly()
    await deposit(quotes)
    await blocksPass()
    expect(await unknownPayments(quotes)).toBe(0)
    limitHandles(4_096)
    await worksAgain(quotes)
  })
})
