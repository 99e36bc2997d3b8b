import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alice, startTestedChain, type TestedChain } from '../testedChain.test.support.js'
import { adoptLocalSvm } from './localSvm.js'
import { spawnDetached } from './nodeProcess.js'

const DETACHED = { port: 0, slotMs: 0, confirmedLag: 0, finalizedLag: 4 }

let tested: TestedChain
let chain: TestedChain['chain']

beforeAll(async () => {
  tested = await startTestedChain()
  chain = tested.chain
})
afterAll(() => chain?.close())

const account: TestedChain['account'] = (at) => tested.account(at)

it('a chain in a process of its own outlives whoever started it, is taken on, and ends', async () => {
  const main = fileURLToPath(new URL('../../../dist/testing/node/localSvmProcess.js', import.meta.url))
  const log = join(mkdtempSync(join(tmpdir(), 'causeway-svm-')), 'node.log')
  expect(existsSync(main), 'build first').toBe(true)
  const { pid, port } = await spawnDetached({ ...DETACHED, genesisHash: chain.genesisHash }, log, main)
  const adopted = await adoptLocalSvm({ rpcUrl: `http://127.0.0.1:${port}`, pid })
  expect(adopted.genesisHash).toBe(chain.genesisHash)
  await adopted.fund(account(alice).address, 7n)
  await adopted.close()
  await expect(adopted.connection.getSlot()).rejects.toThrow()
  rmSync(dirname(log), { recursive: true })
})
