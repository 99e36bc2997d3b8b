import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { chainTesting } from '../chainTesting.js'
import { startLocalXrp } from './localXrp.js'

const ADDRESS = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'
const CHAIN_ID = 71_009

it('a detached ledger outlives its starter, can be adopted, and ends at close', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-xrpvm-')), 'node.log')
  const started = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 0, detached: true, logPath })
  const { endpoint, pid } = started
  const adopted = await chainTesting.adoptLocalChain({ chainId: CHAIN_ID, endpoint, pid })
  await adopted.fund(ADDRESS, 7_000_000n)
  expect(await started.genesisHash()).toBe(await adopted.genesisHash())
  expect(await started.height()).toBe(await adopted.height())
  expect(await chainTesting.readChain(adopted).balance(ADDRESS, chainTesting.native.address)).toBe(7_000_000n)
  await adopted.close()
  await expect(started.height()).rejects.toThrow()
  rmSync(dirname(logPath), { recursive: true })
})

it('a transaction that fails is reported with its result', async () => {
  const chain = await startLocalXrp({ networkId: CHAIN_ID, blockMs: 0 })
  await expect(chain.fund(ADDRESS, 1n)).rejects.toThrow(
    `The ledger refuses Payment of rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh: tecNO_DST_INSUF_XRP`,
  )
  await chain.close()
})
