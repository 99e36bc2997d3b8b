import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { adoptLocalChain, type LocalAccount, startLocalChain } from './localChain.js'

test('a detached chain mines by time and at once, can be adopted, and ends', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-evm-test-')), 'node.log')
  const started = await startLocalChain({ chainId: 31_106, blockTimeSeconds: 1, detached: true, logPath })
  const chain = await adoptLocalChain({ rpcUrl: started.rpcUrl, pid: started.pid })
  expect(chain.chainId).toBe(31_106)
  const [from, to] = chain.accounts as readonly [LocalAccount, LocalAccount]
  const token = await chain.deployToken({ name: 'T', symbol: 'T', decimals: 6 })
  await chain.fund(to.address, 5n, token)
  const before = BigInt(await chain.rpc<string>('eth_getBalance', [to.address, 'latest']))
  const hash = await chain.send(from, { to: to.address, value: 3n })
  await expect.poll(() => chain.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull()
  expect(BigInt(await chain.rpc<string>('eth_getBalance', [to.address, 'latest']))).toBe(before + 3n)
  const height = Number(await chain.rpc<string>('eth_blockNumber'))
  await expect.poll(async () => Number(await chain.rpc<string>('eth_blockNumber'))).toBeGreaterThan(height)
  await chain.close()
  expect(() => process.kill(started.pid, 0)).toThrow()
})

test('a pending transaction can be dropped', async () => {
  const chain = await startLocalChain({ chainId: 31_107 })
  const [from, to] = chain.accounts as readonly [LocalAccount, LocalAccount]
  await chain.setAutomine(false)
  const hash = await chain.send(from, { to: to.address, value: 1n })
  expect(await chain.rpc('eth_getTransactionByHash', [hash])).not.toBeNull()
  await chain.dropTransaction(hash)
  expect(await chain.rpc('eth_getTransactionByHash', [hash])).toBeNull()
  await chain.close()
})

test('what a chain keeps of its older blocks lies beside its log and goes with it', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-evm-test-')), 'node.log')
  const chain = await startLocalChain({ chainId: 31_108, logPath })
  await chain.mine(550)
  expect(existsSync(`${logPath}.states`)).toBe(true)
  await chain.close()
  expect(readdirSync(dirname(logPath))).toEqual(['node.log'])
})
