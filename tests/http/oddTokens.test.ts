import { scriptedTokenAbi, scriptedTokenBytecode } from '@causeway/contracts-abi'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, textAt, valueAt } from '../harness/apiCall.js'
import { startTestHost, type TestHost } from '../harness/host/host.js'
import { type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { receiptOf } from '../harness/transfer.js'
import { leakIn } from './httpWorld.js'

let network: LocalNetwork
let database: TestDatabase
let host: TestHost

beforeAll(async () => {
  network = await startLocalNetwork({ swaps: true })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  host = await startTestHost({ network, database })
})
afterAll(async () => {
  await host?.stop()
  await database?.drop()
  await network?.close()
})

const MILLION = 10n ** 24n
const pairAbi = parseAbi([
  'function createPair(address a, address b) returns (address)',
  'function getPair(address a, address b) view returns (address)',
  'function mint(address to) returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
])

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })
const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])

/** What a token answers; null: it reverts, `loop`: it never ends. */
interface Script {
  readonly symbol?: Hex | 'loop' | null
  readonly name?: Hex | null
  readonly decimals?: Hex | null
}

const send = async (to: string, data: Hex): Promise<void> => {
  const { chain } = network.chains[0]
  await receiptOf(chain, await chain.send(userOf(network, 5), { to, data }))
}

/** A token that answers as told, and looks like a million of 10^18 in whatever account. */
const scripted = async (script: Script): Promise<string> => {
  const token = await network.chains[0].chain.deploy(scriptedTokenAbi, scriptedTokenBytecode)
  const answers: Readonly<Record<string, Hex | 'loop' | null>> = {
    'symbol()': text('ODD'),
    'name()': text('Odd token'),
    'decimals()': word(18n),
    'balanceOf(address)': word(MILLION),
    'allowance(address,address)': word(MILLION),
    'transfer(address,uint256)': word(1n),
    'transferFrom(address,address,uint256)': word(1n),
    'approve(address,uint256)': word(1n),
    ...Object.fromEntries(Object.entries(script).map(([name, answer]) => [`${name}()`, answer])),
  }
  for (const [signature, answer] of Object.entries(answers)) {
    if (answer === null) continue
    const selector = toFunctionSelector(signature)
    const data =
      answer === 'loop'
        ? encodeFunctionData({ abi: scriptedTokenAbi, functionName: 'loop', args: [selector] })
        : encodeFunctionData({ abi: scriptedTokenAbi, functionName: 'say', args: [selector, answer] })
    await send(token, data)
  }
  return token
}

/** A pair of Uniswap V2 that takes the token's word for a million of it, and holds as many dollars. */
const openPair = async (token: string): Promise<void> => {
  const [{ chain, usdc, swap }] = network.chains
  const factory = swap?.uniswapV2?.[0]?.factory
  if (factory === undefined) throw new Error('The chain has no pools')
  const args = [getAddress(token), getAddress(usdc)] as const
  await send(factory, encodeFunctionData({ abi: pairAbi, functionName: 'createPair', args }))
  const data = encodeFunctionData({ abi: pairAbi, functionName: 'getPair', args })
  const pair = `0x${(await chain.rpc<string>('eth_call', [{ to: factory, data }, 'latest'])).slice(-40)}` as const
  await send(usdc, encodeFunctionData({ abi: pairAbi, functionName: 'transfer', args: [pair, 10n ** 12n] }))
  await send(pair, encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [pair] }))
}

/** On one chain and to another, with every answer that a quote may give. */
const quotesOf = async (token: string, amount: bigint): Promise<readonly ApiAnswer[]> => {
  const [from, to] = network.chains
  const body = {
    user: userOf(network, 0).address,
    originChainId: from.chain.chainId,
    originCurrency: token,
    amount: amount.toString(),
    tradeType: 'EXACT_INPUT',
  }
  const ends = [
    { destinationChainId: from.chain.chainId, destinationCurrency: NATIVE },
    { destinationChainId: to.chain.chainId, destinationCurrency: to.usdc },
  ]
  return Promise.all(
    ends.flatMap((end) =>
      ['/quote/v2', '/quote', '/price'].map((path) =>
        callApi(host.url, path, { apiKey: host.apiKey, body: { ...body, ...end } }),
      ),
    ),
  )
}

const outcome = ({ status, body }: ApiAnswer): string =>
  status === 200 ? '200' : `${status} ${String(valueAt(body, 'errorCode'))}`

const requireClean = (answers: readonly ApiAnswer[]): void => {
  const { order, solver, allocator } = network.roles
  const secrets = [order, solver, allocator].map(({ privateKey }) => privateKey.slice(2))
  for (const { text: answer, status } of answers) {
    if (status !== 200) expect(leakIn({ network }, answer)).toBeNull()
    for (const secret of secrets) expect(answer).not.toContain(secret)
  }
}

const UNIT = 10n ** 18n

describe('tokens nobody lists, as input of a swap (wire.md C.1 UNSUPPORTED_CURRENCY)', () => {
  it.each([
    ['an honest one', {}, { symbol: 'ODD', decimals: 18 }],
    ['a symbol that never ends', { symbol: 'loop' }, { symbol: 'Odd token', decimals: 18 }],
  ] as const)('%s: quoted, and called what it says', async (_name, script, facts) => {
    const token = await scripted(script)
    await openPair(token)
    const answers = await quotesOf(token, 50n * UNIT)
    requireClean(answers)
    expect(answers.map(outcome)).toEqual(answers.map(() => '200'))
    for (const { body } of answers) {
      expect(valueAt(body, 'details.currencyIn.currency')).toMatchObject({ address: token, ...facts })
      // Fifty of a million, whatever it is called.
      expect(Number(textAt(body, 'details.currencyIn.amountUsd'))).toBeCloseTo(50, 0)
    }
  })

  it.each([['no decimals', { decimals: null }]] as const)('%s: refused as unsupported', async (_name, script) => {
    const token = await scripted(script)
    await openPair(token)
    const answers = await quotesOf(token, 50n * UNIT)
    requireClean(answers)
    expect(answers.map(outcome)).toEqual(answers.map(() => '400 UNSUPPORTED_CURRENCY'))
  })

  it('an account that is no contract: refused as unsupported', async () => {
    const answers = await quotesOf(`0x${'12'.repeat(20)}`, UNIT)
    expect(answers.map(outcome)).toEqual(answers.map(() => '400 UNSUPPORTED_CURRENCY'))
  })
})
