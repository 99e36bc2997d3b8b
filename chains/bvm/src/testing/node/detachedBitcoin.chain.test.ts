import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adoptLocalBitcoin } from './detachedBitcoin.js'
import { spawnDetached } from './nodeProcess.js'

test('a chain in a process of its own outlives whoever started it, is taken on, and ends', async () => {
  const main = fileURLToPath(new URL('../../../dist/testing/node/localBitcoinProcess.js', import.meta.url))
  const log = join(mkdtempSync(join(tmpdir(), 'causeway-bvm-')), 'node.log')
  expect(existsSync(main), 'build first').toBe(true)
  const { pid, port } = await spawnDetached({ port: 0, blockMs: 0 }, log, main)
  const url = `http://127.0.0.1:${port}`
  const adopted = await adoptLocalBitcoin({ url, pid })
  const [account] = adopted.accounts
  if (account === undefined) throw new Error('no accounts')
  const address = account.addresses.p2tr
  await adopted.fund([70_000n, 80_000n].map((value) => ({ address, value })))
  const coins = async () => (await (await fetch(`${url}/address/${address}/utxo`)).json()) as readonly object[]
  expect(await coins()).toHaveLength(2)
  const height = async () => Number(await (await fetch(`${url}/blocks/tip/height`)).text())
  const before = await height()
  await adopted.reorg(1, { drop: true })
  expect(await height()).toBe(before + 1)
  expect(await coins()).toHaveLength(0)
  expect(await adopted.mine(2)).toHaveLength(2)
  await adopted.setFeeRate(5000n)
  expect(await (await fetch(`${url}/fee-estimates`)).json()).toEqual({ 1: 5 })
  await adopted.close()
  await expect(fetch(url)).rejects.toThrow()
  await expect(adoptLocalBitcoin({ url, pid })).rejects.toThrow()
  rmSync(dirname(log), { recursive: true })
})
