import { randomBytes } from 'node:crypto'
import type { Diagnosis } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { encodeApprove } from '../../payout/contracts/staticCall.js'
import type { LocalAccount } from '../../testing/node/localChain.js'
import { sendMined } from '../../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../../testing/testDeployment.js'

let deployment: TestDeployment
let solver: LocalAccount

beforeAll(async () => {
  deployment = await startTestDeployment(31_124)
  solver = deployment.chain.accounts[1] as LocalAccount
})
afterAll(() => deployment.chain.close())

const diagnose = async (wrappedNative = deployment.token): Promise<readonly Diagnosis[]> => {
  const swap = { router: deployment.swapRouter, wrappedNative }
  const currencies = [
    { address: ZERO_ADDRESS, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
    { address: deployment.token, symbol: 'TUSD', name: 'Test Dollar', decimals: 6, groupId: 'usd' },
  ]
  const adapter = deployment.adapter({ rpc: [{ http: deployment.chain.rpcUrl }], options: { swap }, currencies })
  return adapter.diagnose({ timeoutMs: 5_000, allocator: null })
}

const allowances = async () => (await diagnose()).filter(({ check }) => check === 'router allowance')

test('tells which router may not take which token of the solver, and what to do', async () => {
  const missing = await allowances()
  expect(missing.map(({ subject, state }) => [subject, state])).toEqual([
    ['local-31124 TUSD fill router', 'warning'],
    ['local-31124 TUSD swap router', 'warning'],
  ])
  expect(missing[1]?.message).toBe('may not take what the solver holds: payouts of TUSD with swaps are refused')
  expect(missing[1]?.remedy).toContain(`approve(${deployment.swapRouter}, amount)`)
  expect(missing[1]?.remedy).toContain(solver.address)
  await deployment.allowRouters(solver, [deployment.token])
  expect((await allowances()).map(({ state }) => state)).toEqual(['ok', 'ok'])
  await sendMined(deployment.chain, solver, {
    to: deployment.token,
    data: encodeApprove(deployment.fillRouter, 5n),
  })
  expect((await allowances()).map(({ state }) => state)).toEqual(['warning', 'ok'])
})

test('the contracts of swaps must be there', async () => {
  const nowhere = `0x${randomBytes(20).toString('hex')}`
  const faults = (await diagnose(nowhere)).filter(({ state }) => state === 'fault')
  expect(faults.map(({ subject }) => subject)).toEqual(['local-31124 wrapped native currency'])
})
