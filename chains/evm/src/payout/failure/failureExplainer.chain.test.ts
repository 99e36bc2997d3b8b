import type { FailureTree, Payout } from '@causeway/core/chain'
import { concat, encodeAbiParameters, encodeErrorResult, type Hex, pad, toHex } from 'viem'
import { parseAbi } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EvmAdapter } from '../../adapter.js'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { type FaultProxy, startFaultProxy } from '../../testing/node/faultProxy.js'
import type { LocalAccount } from '../../testing/node/localChain.js'
import { startTestDeployment, type TestDeployment } from '../../testing/testDeployment.js'
import { encodeTransfer } from '../contracts/staticCall.js'

let deployment: TestDeployment
let tracing: EvmAdapter
let untraced: EvmAdapter
let proxy: FaultProxy
let solver: LocalAccount

beforeAll(async () => {
  deployment = await startTestDeployment(31_177)
  proxy = await startFaultProxy(deployment.chain.rpcUrl)
  proxy.add('debug_traceCall', { error: { code: -32601, message: 'the method does not exist' } })
  solver = deployment.chain.accounts[1] as LocalAccount
  tracing = deployment.adapter()
  untraced = deployment.adapter({ rpc: [{ http: proxy.url }] })
  await Promise.all([tracing, untraced].map((adapter) => adapter.start(new AbortController().signal)))
})
afterAll(async () => {
  await Promise.all([tracing, untraced].map((adapter) => adapter.stop()))
  await proxy.close()
  await deployment.chain.close()
})

const errors = parseAbi([
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error InvalidNonce()',
  'error Error(string)',
  'error Panic(uint256)',
])

let places = 0
/** A contract at a fresh address that runs this code whatever it is asked. */
const place = async (code: Hex): Promise<string> => {
  places += 1
  const address = pad(toHex(0xfa11_0000 + places), { size: 20 })
  await deployment.chain.rpc('anvil_setCode', [address, code])
  return address
}

/** Code that reverts with these bytes: they are copied from behind it. */
const reverting = (data: Hex): Hex => {
  const size = pad(toHex((data.length - 2) / 2), { size: 2 })
  return concat(['0x61', size, '0x600c5f3961', size, '0x5ffd', data])
}
/** Reverts with so many zeros. */
const answering = (bytes: number): Hex => concat(['0x63', pad(toHex(bytes), { size: 4 }), '0x5ffd'])
/** Calls itself until gas or stack ends, and hands on what that answers. */
const RECURSING: Hex = '0x5f5f5f5f5f305af1503d5f5f3e3d5ffd'
/** Calls the contract, takes its failure for nothing, and does so once more with another one whose answer it hands on. */
const catching = (caught: string, fatal: string): Hex =>
  concat([
    ...(['0x5f5f5f5f5f73', caught as Hex, '0x5af150'] as const),
    ...(['0x5f5f5f5f5f73', fatal as Hex, '0x5af1503d5f5f3e3d5ffd'] as const),
  ])

const payout = (to: string, data: Hex = '0x'): Payout => ({
  purpose: 'fill',
  orderId: `0x${'cd'.repeat(32)}`,
  from: solver.address,
  to: { address: `0x${'13'.repeat(20)}` },
  money: { currency: ZERO_ADDRESS, amount: 1n },
  calls: [{ to, data, value: 0n }],
})

const explain = async (adapter: EvmAdapter, ...call: Parameters<typeof payout>): Promise<FailureTree> => {
  const tree = await adapter.explainFailure(payout(...call), { ok: false })
  if (tree === null) throw new Error('It does not fail')
  return tree
}

describe.each(['traced', 'not traced'])('why a call fails, %s (wire.md 2.6 details)', (kind) => {
  const adapter = () => (kind === 'traced' ? tracing : untraced)

  it('errorString: the text is label and message', async () => {
    const at = await place(reverting(encodeErrorResult({ abi: errors, errorName: 'Error', args: ['too late'] })))
    const tree = await explain(adapter(), at, '0xa9059cbb')
    expect(tree.revert).toEqual({
      type: 'errorString',
      label: 'too late',
      message: 'too late',
      selector: '0x08c379a0',
      name: 'Error',
    })
    expect(tree.topLevel).toMatchObject({ type: 'CALL', address: deployment.fillRouter, contract: 'FillRouter' })
    expect(tree.innermost).toMatchObject({
      type: 'CALL',
      selector: '0xa9059cbb',
      function: 'transfer(address,uint256)',
    })
    expect(tree.path.at(0)).toEqual(tree.topLevel)
    expect(tree.path.at(-1)).toEqual(tree.innermost)
  })

  it('panic: by the code of the compiler', async () => {
    const at = await place(reverting(encodeErrorResult({ abi: errors, errorName: 'Panic', args: [17n] })))
    const { revert } = await explain(adapter(), at)
    expect(revert).toMatchObject({ type: 'panic', label: 'PANIC_0x11', selector: '0x4e487b71', args: { code: '17' } })
  })

  it('customError: by its name, with its arguments', async () => {
    const refused = encodeErrorResult({ abi: errors, errorName: 'FailedOp', args: [0n, 'AA25 invalid account nonce'] })
    const { revert } = await explain(adapter(), await place(reverting(refused)))
    expect(revert).toMatchObject({
      type: 'customError',
      label: 'FAILED_OP',
      name: 'FailedOp',
      args: { opIndex: '0', reason: 'AA25 invalid account nonce' },
    })
    expect(revert.message).toContain('the nonce of the account is another one')
  })

  it('customError: what an entry point hands on is decoded in its place', async () => {
    const inner = encodeErrorResult({ abi: errors, errorName: 'InvalidNonce' })
    const args = [0n, 'AA23 reverted', inner] as const
    const data = encodeErrorResult({ abi: errors, errorName: 'FailedOpWithRevert', args })
    const { revert } = await explain(adapter(), await place(reverting(data)))
    expect(revert).toMatchObject({ type: 'customError', label: 'INVALID_NONCE', args: {} })
  })

  it('customError: a signature that the entry point refuses has the label INVALID_SIGNATURE', async () => {
    const refused = encodeErrorResult({ abi: errors, errorName: 'FailedOp', args: [0n, 'AA24 signature error'] })
    const { revert } = await explain(adapter(), await place(reverting(refused)))
    expect(revert).toMatchObject({ type: 'customError', label: 'INVALID_SIGNATURE', name: 'FailedOp' })
  })

  it('unknownCustomError: label UNKNOWN_CUSTOM_ERROR_<selector>, its arguments raw', async () => {
    const data = concat(['0xdeadbeef', encodeAbiParameters([{ type: 'uint256' }], [7n])])
    const { revert } = await explain(adapter(), await place(reverting(data)))
    expect(revert).toMatchObject({
      type: 'unknownCustomError',
      label: 'UNKNOWN_CUSTOM_ERROR_0xdeadbeef',
      selector: '0xdeadbeef',
      rawArgsHex: `0x${'0'.repeat(63)}7`,
    })
  })

  it('empty: a revert without a word', async () => {
    const { revert } = await explain(adapter(), await place('0x5f5ffd'))
    expect(revert).toMatchObject({ type: 'empty', label: 'EMPTY_REVERT' })
  })

  it('texts come without control characters, and cut', async () => {
    const text = `a\u0000b\n${'x'.repeat(900)}`
    const at = await place(reverting(encodeErrorResult({ abi: errors, errorName: 'Error', args: [text] })))
    const { revert } = await explain(adapter(), at)
    expect(revert.message.startsWith('a b x')).toBe(true)
    expect([revert.message.length, revert.label.length]).toEqual([303, 100])
  })

  it('a callee that answers a megabyte, or calls itself until all gas is gone, gives a small answer', async () => {
    for (const code of [answering(1_000_000), RECURSING]) {
      const tree = await explain(adapter(), await place(code))
      expect(tree.path.length).toBeLessThanOrEqual(24)
      expect(JSON.stringify(tree).length).toBeLessThan(20_000)
    }
  })

  it('a call that does not fail has no tree', async () => {
    const call = [deployment.token, encodeTransfer(solver.address, 0n)] as const
    expect(await adapter().explainFailure(payout(...call), { ok: false })).toBeNull()
  })
})

it('a failure that was caught is no part of the path (wire.md 2.6 path)', async () => {
  const caught = await place(reverting(encodeErrorResult({ abi: errors, errorName: 'Error', args: ['caught'] })))
  const fatal = await place(reverting(encodeErrorResult({ abi: errors, errorName: 'Error', args: ['fatal'] })))
  const tree = await explain(tracing, await place(catching(caught, fatal)))
  expect(tree.innermost).toMatchObject({ address: fatal, revertReason: 'fatal', error: expect.any(String) })
  expect(tree.path.map(({ address }) => address)).not.toContain(caught)
})

it('a node that does not trace is asked for a trace once in a while only', async () => {
  const at = await place('0x5f5ffd')
  await explain(untraced, at)
  const asked = proxy.calls.get('debug_traceCall')
  await explain(untraced, at)
  expect([asked, proxy.calls.get('debug_traceCall')]).toEqual([1, 1])
})
