import { createRequire } from 'node:module'
import { scriptedTokenAbi, scriptedTokenBytecode } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { SignedDeposits } from '@causeway/core/chain'
import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  hashDomain,
  keccak256,
  pad,
  type TypedDataDomain,
  toFunctionSelector,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { AMOUNT, type PermitWorld, signForm, startPermitWorld } from './permitWorld.test.support.js'

const CHAIN_ID = 31_141
const NOWHERE = `0x${'ee'.repeat(20)}`

let world: PermitWorld
/** Of the same chain, where Permit2 is looked for at a place that holds nothing. */
let bare: SignedDeposits
const methods: string[] = []

beforeAll(async () => {
  world = await startPermitWorld(CHAIN_ID)
  const options = { permit2: NOWHERE }
  const adapter = world.deployment.adapter({ options, hooks: { onRpcCall: (method) => methods.push(method) } })
  bare = adapter.signedDeposits as SignedDeposits
})

afterAll(() => world.close())

const owner = () => world.user.address

const artifact = (path: string): { readonly abi: Abi; readonly bytecode: Hex } => {
  const { abi, bytecode } = createRequire(import.meta.url)(`@uniswap/${path}.json`) as { abi: Abi; bytecode: string }
  return { abi, bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}` }
}

test('F.2: EIP-3009 comes first, then EIP-2612, then Permit2; native currency and what is no token have none', async () => {
  const { permits } = world
  const [both, permit, plain] = [
    await world.token('authorization'),
    await world.token('permit'),
    await world.token('standard'),
  ]
  expect(await permits.kindOf(both, owner())).toBe('eip3009')
  expect(await permits.kindOf(getAddress(permit), owner())).toBe('eip2612')
  expect(await permits.kindOf(plain, owner())).toBe('permit2')
  expect(await permits.kindOf(ZERO_ADDRESS, owner())).toBeNull()
  expect(await bare.kindOf(plain, owner())).toBeNull()
  const listed = [ZERO_ADDRESS, both, permit, plain]
  expect(await permits.supported(listed)).toEqual([null, 'permit', 'permit', 'permit2'])
  expect(await bare.supported([...listed, NOWHERE])).toEqual([null, 'permit', 'permit', null, null])
})

test('what tokens are is asked once, of many tokens at once', async () => {
  const tokens = [await world.token('authorization'), await world.token('permit')]
  methods.length = 0
  await bare.supported(tokens)
  const asked = methods.length
  expect(new Set(methods)).toEqual(new Set(['eth_call', 'eth_getCode']))
  methods.length = 0
  await bare.supported(tokens)
  expect(asked).toBeGreaterThan(10)
  expect(methods).toEqual(['eth_getCode'])
})

test('a contract wallet signs where its word is asked for, and not for EIP-2612', async () => {
  const wallet = await world.wallets.make(owner())
  const [both, permit] = [await world.token('authorization', wallet), await world.token('permit', wallet)]
  expect(await world.permits.kindOf(both, wallet)).toBe('eip3009')
  expect(await world.permits.kindOf(permit, wallet)).toBe('permit2')
  expect(await bare.kindOf(permit, wallet)).toBeNull()
})

test('an account whose code is a delegation (EIP-7702) signs by its key as before', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const code = `0xef0100${world.deployment.depository.slice(2)}`
  await world.deployment.chain.rpc('anvil_setCode', [account.address, code])
  const token = await world.token('permit', account.address)
  expect(await world.permits.kindOf(token, account.address)).toBe('eip2612')
  const form = await world.permits.form(world.terms('eip2612', token, { owner: account.address.toLowerCase() }))
  const signature = await world.permits.check(form, await signForm(form, account), { agreeing: 1 })
  expect((await world.pay(world.payout(form, signature))).state.paid).toBe(AMOUNT)
})

test('the liquidity token of Uniswap V2, which names no version, is signed for and brought in', async () => {
  const { abi, bytecode } = artifact('v2-core/build/ERC20')
  const { chain } = world.deployment
  const token = await chain.deploy(abi, bytecode, [10n ** 20n])
  const deployer = chain.accounts.at(-1) as LocalAccount
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [owner(), AMOUNT] })
  await sendMined(chain, deployer, { to: token, data })
  expect(await world.permits.kindOf(token, owner())).toBe('eip2612')
  const form = await world.permits.form(world.terms('eip2612', token))
  expect(form.sign.domain).toMatchObject({ name: 'Uniswap V2', version: '1', chainId: CHAIN_ID })
  const signature = await world.permits.check(form, await signForm(form, world.user), { agreeing: 1 })
  expect((await world.pay(world.payout(form, signature))).state.paid).toBe(AMOUNT)
})

test('wrapped native currency, which answers every call, has none of its own', async () => {
  const { abi, bytecode } = artifact('v2-periphery/build/WETH9')
  const token = await world.deployment.chain.deploy(abi, bytecode)
  expect(await bare.kindOf(token, owner())).toBeNull()
})

const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])

/** A token of which no function is real: `stops` is all it does beyond these answers. */
const scripted = async (answers: Readonly<Record<string, Hex>>): Promise<string> => {
  const { chain } = world.deployment
  const token = await chain.deploy(scriptedTokenAbi, scriptedTokenBytecode)
  for (const [signature, answer] of Object.entries(answers)) {
    const args = [toFunctionSelector(signature), answer] as const
    const data = encodeFunctionData({ abi: scriptedTokenAbi, functionName: 'say', args })
    await sendMined(chain, chain.accounts[0] as LocalAccount, { to: token, data })
  }
  return token
}

const separator = (domain: TypedDataDomain): Hex => {
  const names = Object.keys(domain)
  const types = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ].filter(({ name }) => names.includes(name))
  // CAST: viem asks for the members of its types, of which some are left out here.
  return hashDomain({ domain, types: { EIP712Domain: types } } as unknown as Parameters<typeof hashDomain>[0])
}

const counted = { 'nonces(address)': pad('0x0') } as const

/** The same but for what `DOMAIN_SEPARATOR()` answers, which the address decides. */
const separated = async (domain: (token: string) => TypedDataDomain, more: Readonly<Record<string, Hex>> = {}) => {
  const { chain } = world.deployment
  const token = await scripted({ ...counted, 'name()': text('Scripted'), ...more })
  const args = [toFunctionSelector('DOMAIN_SEPARATOR()'), separator(domain(token))] as const
  const data = encodeFunctionData({ abi: scriptedTokenAbi, functionName: 'say', args })
  await sendMined(chain, chain.accounts[0] as LocalAccount, { to: token, data })
  return token
}

test('a token is offered its own permit only where its domain is what would be signed', async () => {
  const place = (token: string) => ({ chainId: CHAIN_ID, verifyingContract: getAddress(token) })
  const right = [
    (token: string) => ({ name: 'Scripted', version: '1', ...place(token) }),
    (token: string) => ({ name: 'Scripted', version: '2', ...place(token) }),
    (token: string) => ({ name: 'Scripted', ...place(token) }),
  ]
  for (const domain of right) expect(await bare.kindOf(await separated(domain), owner())).toBe('eip2612')
  const wrong = [
    (token: string) => ({ name: 'Renamed', version: '1', ...place(token) }),
    (token: string) => ({ name: 'Scripted', version: '7', ...place(token) }),
    (token: string) => ({ name: 'Scripted', version: '1', ...place(token), chainId: CHAIN_ID + 1 }),
    () => ({ name: 'Scripted', version: '1', ...place(NOWHERE) }),
  ]
  for (const domain of wrong) {
    const token = await separated(domain)
    expect(await bare.kindOf(token, owner())).toBeNull()
    expect(await world.permits.kindOf(token, owner())).toBe('permit2')
  }
  const version = { 'version()': text('7') }
  const told = (token: string) => ({ name: 'Scripted', version: '7', ...place(token) })
  expect(await bare.kindOf(await separated(told, version), owner())).toBe('eip2612')
})

test('a permit of another make, such as the one that allows everything, is none', async () => {
  const own = keccak256(toHex('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)'))
  const domain = (token: string) => ({
    name: 'Scripted',
    version: '1',
    chainId: CHAIN_ID,
    verifyingContract: getAddress(token),
  })
  expect(await bare.kindOf(await separated(domain, { 'PERMIT_TYPEHASH()': own }), owner())).toBeNull()
})

test('a token that only describes its domain (ERC-5267) is taken by its word, unless that is of another place', async () => {
  const describedAs = async (chainId: number, contract?: string) => {
    const token = await scripted(counted)
    const types = ['bytes1', 'string', 'string', 'uint256', 'address', 'bytes32', 'uint256[]'].map((type) => ({ type }))
    const values = ['0x0f', 'Described', '3', BigInt(chainId), contract ?? token, pad('0x0'), []] as const
    const args = [toFunctionSelector('eip712Domain()'), encodeAbiParameters(types, values)] as const
    const data = encodeFunctionData({ abi: scriptedTokenAbi, functionName: 'say', args })
    const { chain } = world.deployment
    await sendMined(chain, chain.accounts[0] as LocalAccount, { to: token, data })
    return token
  }
  expect(await bare.kindOf(await describedAs(CHAIN_ID), owner())).toBe('eip2612')
  expect(await bare.kindOf(await describedAs(CHAIN_ID + 1), owner())).toBeNull()
  expect(await bare.kindOf(await describedAs(CHAIN_ID, NOWHERE), owner())).toBeNull()
})

test('Permit2 asks for one allowance first, and for none once it is given', async () => {
  const token = await world.token('standard')
  const terms = world.terms('permit2', token)
  const { items, cost } = await world.permits.approvals(terms)
  expect(cost).toBeGreaterThan(0n)
  expect(items).toMatchObject([
    { stepId: 'approve', kind: 'transaction', data: { from: terms.owner, to: token, value: '0' } },
  ])
  await world.allowPermit2(token)
  // What was read stays known for five seconds, to this adapter.
  const fresh = world.deployment.adapter().signedDeposits as SignedDeposits
  expect(await fresh.approvals(terms)).toEqual({ items: [], cost: 0n })
  expect(await world.permits.approvals(world.terms('eip3009', token))).toEqual({ items: [], cost: 0n })
})
