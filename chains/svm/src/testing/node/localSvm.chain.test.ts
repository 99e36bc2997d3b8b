import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { adoptLocalSvm, startLocalSvm } from './localSvm.js'

it('a chain in a process of its own outlives whoever started it, is taken on, and ends', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-svm-')), 'node.log')
  const { genesisHash, rpcUrl, pid, accounts } = await startLocalSvm({ slotMs: 0, detached: true, logPath })
  const adopted = await adoptLocalSvm({ rpcUrl, pid: pid ?? 0 })
  expect(adopted.genesisHash).toBe(genesisHash)
  await adopted.fund(accounts[0]?.address ?? '', 7n)
  await adopted.close()
  await expect(adopted.connection.getSlot()).rejects.toThrow()
  rmSync(dirname(logPath), { recursive: true })
})
