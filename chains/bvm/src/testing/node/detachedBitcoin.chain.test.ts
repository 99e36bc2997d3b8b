import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { adoptLedger, startLedger } from '@causeway/core/testing'
import { expect, test } from 'vitest'
import { accountNumber } from '../accounts.js'
import { LOCAL_BITCOIN } from './detachedBitcoin.js'

test('a chain in a process of its own outlives whoever started it, is taken on, and ends', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-bvm-')), 'node.log')
  const { chainId, endpoint, pid } = await startLedger(LOCAL_BITCOIN, {
    chainId: 7,
    blockMs: 0,
    detached: true,
    logPath,
  })
  const url = endpoint.http
  const adopted = await adoptLedger(LOCAL_BITCOIN, { chainId, endpoint, pid })
  const address = accountNumber(0).addresses.p2tr
  await adopted.pay([70_000n, 80_000n].map((value) => ({ address, value })))
  const coins = async () => (await (await fetch(`${url}/address/${address}/utxo`)).json()) as readonly object[]
  expect(await coins()).toHaveLength(2)
  const before = await adopted.height()
  await adopted.reorg?.(1)
  expect(await adopted.height()).toBe(before + 1)
  expect(await coins()).toHaveLength(0)
  await adopted.fund(address, 90_000n)
  expect(await coins()).toHaveLength(1)
  await adopted.setFeeRate(5000n)
  expect(await (await fetch(`${url}/fee-estimates`)).json()).toEqual({ 1: 5 })
  await adopted.close()
  await expect(fetch(url)).rejects.toThrow()
  await expect(adoptLedger(LOCAL_BITCOIN, { chainId, endpoint, pid })).rejects.toThrow()
  rmSync(dirname(logPath), { recursive: true })
})
