import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import {
  ask,
  deposit,
  fillsOf,
  folder,
  host,
  network,
  ownDisk,
  pool,
  proxy,
  quoteMany,
  refusedPlainly,
  unknownPayments,
  useSickDatabase,
  worksAgain,
} from './sickDatabase.test.support.js'

useSickDatabase()

const heightOf = async (): Promise<number> => Number(await network.chains[1].chain.rpc<string>('eth_blockNumber'))

/** As many blocks as a fill usually takes several times over. */
const blocksPass = async (): Promise<void> => {
  const first = await heightOf()
  await until('blocks', async () => ((await heightOf()) >= first + 12 ? true : null))
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
