import { scriptedTokenAbi, scriptedTokenBytecode } from '@causeway/contracts-abi'
import { systemClock } from '@causeway/core'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { encodeAbiParameters, encodeFunctionData, type Hex, numberToHex, stringToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evmProtocol } from '../rpc/evmProtocol.js'
import { type LocalAccount, type LocalEvmChain, startLocalChain } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { TokenReader } from './tokenFacts.js'

const CHAIN_ID = 31_304

let chain: LocalEvmChain
const calls: string[] = []

beforeAll(async () => {
  chain = await startLocalChain({ chainId: CHAIN_ID })
})
afterAll(() => chain?.close())
beforeEach(() => {
  calls.length = 0
})

const readerOver = (http = chain.rpcUrl) =>
  new TokenReader({
    rpc: new JsonRpcClient({
      protocol: evmProtocol(CHAIN_ID),
      endpoints: [{ http }],
      timeoutMs: 5000,
      logger: pino({ level: 'silent' }),
      onRpcCall: (method) => calls.push(method),
    }),
    clock: systemClock,
  })

const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const rawText = (bytes: Hex): Hex => encodeAbiParameters([{ type: 'bytes' }], [bytes])
const bytes32 = (value: string): Hex => stringToHex(value, { size: 32 })
const number = (value: bigint): Hex => numberToHex(value, { size: 32 })

type Answer = Hex | { readonly long: bigint } | 'loop' | null

interface Script {
  readonly symbol?: Answer
  readonly name?: Answer
  readonly decimals?: Answer
}

const scripted = async (script: Script): Promise<string> => {
  const token = await chain.deploy(scriptedTokenAbi, scriptedTokenBytecode)
  const whole = { symbol: text('SYM'), name: text('Some token'), decimals: number(18n), ...script }
  for (const [name, answer] of Object.entries(whole)) {
    if (answer === null) continue
    const data = dataFor(toFunctionSelector(`${name}()`), answer)
    await sendMined(chain, chain.accounts[0] as LocalAccount, { to: token, data })
  }
  return token
}

const dataFor = (selector: Hex, answer: Exclude<Answer, null>): Hex => {
  const abi = scriptedTokenAbi
  if (answer === 'loop') return encodeFunctionData({ abi, functionName: 'loop', args: [selector] })
  return typeof answer === 'object'
    ? encodeFunctionData({ abi, functionName: 'sayLong', args: [selector, answer.long] })
    : encodeFunctionData({ abi, functionName: 'say', args: [selector, answer] })
}

const honest = { symbol: 'SYM', name: 'Some token', decimals: 18 }

test('a token is read in one batch, and once', async () => {
  const token = await chain.deployToken({ name: 'Test Dollar', symbol: 'TUSD', decimals: 6 })
  const reader = readerOver()
  const [facts] = await Promise.all([reader.read(token), reader.read(token)])
  expect(facts).toEqual({ symbol: 'TUSD', name: 'Test Dollar', decimals: 6 })
  expect(calls.filter((method) => method === 'eth_call')).toHaveLength(3)
  await reader.read(token)
  expect(calls.filter((method) => method === 'eth_call')).toHaveLength(3)
})

describe('what a token says is cut and cleaned', () => {
  test.each<[string, Script, object]>([
    [
      'fixed bytes, as old tokens have them',
      { symbol: bytes32('MKR'), name: bytes32('Maker') },
      { symbol: 'MKR', name: 'Maker' },
    ],
    ['fixed bytes without an end', { symbol: bytes32('x'.repeat(32)) }, { symbol: 'x'.repeat(32) }],
    ['no symbol', { symbol: null }, { symbol: 'Some token' }],
    ['no name', { name: null }, { name: 'SYM' }],
    ['an empty symbol', { symbol: text('') }, { symbol: 'Some token' }],
    ['an answer of no bytes at all', { name: '0x00' }, { name: 'SYM' }],
    ['control characters and line ends', { symbol: text('A\u0000B\u001b[31m\nC') }, { symbol: 'A B [31m C' }],
    [
      'marks that turn the direction, and invisible ones',
      { symbol: text('\u202eCDSU\u2066\u200b!') },
      { symbol: 'CDSU !' },
    ],
    ['bytes that are no UTF-8', { symbol: rawText('0xff41fe42') }, { symbol: 'A B' }],
    ['only bytes that are no UTF-8', { symbol: rawText('0xfffefd') }, { symbol: 'Some token' }],
    ['a symbol of thousands of letters', { symbol: { long: 4000n } }, { symbol: 'x'.repeat(32) }],
    ['a megabyte', { symbol: { long: 2n ** 20n } }, { symbol: 'Some token' }],
    ['a function without end', { symbol: 'loop' }, { symbol: 'Some token' }],
    [
      'a length beyond the answer',
      { symbol: `${number(32n)}${number(2n ** 255n).slice(2)}` as Hex },
      { symbol: 'Some token' },
    ],
    [
      'an offset beyond the answer',
      { symbol: `${number(2n ** 40n)}${number(3n).slice(2)}` as Hex },
      { symbol: 'Some token' },
    ],
    ['letters of other scripts', { name: text('日本円 ₮') }, { name: '日本円 ₮' }],
    ['no decimal places', { decimals: number(0n) }, { decimals: 0 }],
    ['36 decimal places', { decimals: number(36n) }, { decimals: 36 }],
  ])('%s', async (_, script, changes) => {
    expect(await readerOver().read(await scripted(script))).toEqual({ ...honest, ...changes })
  })
})

describe('no token', () => {
  test.each<[string, Script]>([
    ['decimals above 36', { decimals: number(37n) }],
    ['decimals beyond every number', { decimals: number(2n ** 256n - 1n) }],
    ['reverting decimals', { decimals: null }],
    ['decimals of too few bytes', { decimals: '0x12' }],
    ['neither symbol nor name', { symbol: null, name: text(' ') }],
  ])('%s', async (_, script) => {
    expect(await readerOver().read(await scripted(script))).toBeNull()
  })

  test('an account without code', async () => {
    expect(await readerOver().read(`0x${'77'.repeat(20)}`)).toBeNull()
  })
})

test('a chain that does not answer is an error, and is asked again', async () => {
  const reader = readerOver('http://127.0.0.1:1')
  const read = () => reader.read(`0x${'77'.repeat(20)}`)
  await expect(read()).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  await expect(read()).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})
