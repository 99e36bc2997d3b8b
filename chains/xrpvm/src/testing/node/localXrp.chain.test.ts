import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { chainTesting } from '../chainTesting.js'
import { adoptLocalXrp, startLocalXrp } from './localXrp.js'
import { spawnDetached } from './nodeProcess.js'

const ADDRESS = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'

it('a ledger in a process of its own outlives whoever started it, is taken on, and ends', async () => {
  const main = fileURLToPath(new URL('../../../dist/testing/node/localXrpProcess.js', import.meta.url))
  const log = join(mkdtempSync(join(tmpdir(), 'causeway-xrpvm-')), 'node.log')
  expect(existsSync(main), 'build first').toBe(true)
  const { pid, port } = await spawnDetached({ port: 0, blockMs: 0, networkId: 71_009 }, log, main)
  const running = { rpcUrl: `http://127.0.0.1:${port}`, pid }
  const adopted = await adoptLocalXrp(running)
  expect(adopted.networkId).toBe(71_009)
  await adopted.fund(ADDRESS, 7_000_000n)
  const again = await adoptLocalXrp(running)
  expect(await again.genesisHash()).toBe(await adopted.genesisHash())
  expect(await again.height()).toBe(await adopted.height())
  await adopted.close()
  await expect(again.height()).rejects.toThrow()
  rmSync(dirname(log), { recursive: true })
})

it('whoever takes on a ledger of another network is told so, and one who did not start it does not end it', async () => {
  const chain = await startLocalXrp({ networkId: 71_009, blockMs: 0 })
  const endpoint = { http: chain.rpcUrl, ws: chain.wsUrl }
  const adopt = (chainId: number) => chainTesting.adoptLocalChain({ chainId, endpoint, pid: null })
  await expect(adopt(71_010)).rejects.toThrow('is of the network 71009')
  await (await adopt(71_009)).close()
  expect(await chain.height()).toBeGreaterThan(0)
  await chain.close()
})

it('what cannot be applied is told with its result', async () => {
  const chain = await startLocalXrp({ networkId: 71_009, blockMs: 0 })
  const tooLittle = chain.fund(ADDRESS, 1n)
  await expect(tooLittle).rejects.toThrow(
    `The ledger refuses Payment of rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh: tecNO_DST_INSUF_XRP`,
  )
  await chain.close()
})
