import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToString,
  parseEventLogs,
  slice,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationTokenAbi,
  authorizationTokenBytecode,
  depositoryAbi,
  feeTokenAbi,
  feeTokenBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  permitReceiverAbi,
  permitRouterAbi,
  permitRouterBytecode,
  permitTokenAbi,
  permitTokenBytecode,
  reentrantTokenAbi,
  reentrantTokenBytecode,
  scriptedWalletAbi,
  scriptedWalletBytecode,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'
import {
  AMOUNT,
  freshId,
  PERMIT2,
  type Permits,
  startPermits,
  type Terms,
  type Way,
} from './permitRouter.test.support.js'

const ALL = 2n ** 256n - 1n
const HONEST = 0

let chain: LocalChain
let permits: Permits
/** A token of each way, which Permit2 may take of the owner. */
let tokens: Readonly<Record<Way, Address>>

beforeAll(async () => {
  chain = await startLocalChain()
  permits = await startPermits(chain)
  tokens = {
    depositAuthorized: await permits.token(authorizationTokenAbi, authorizationTokenBytecode),
    depositPermitted: await permits.token(permitTokenAbi, permitTokenBytecode),
    depositWithPermit2: await permits.token(noReturnTokenAbi, noReturnTokenBytecode),
  }
  await permits.approve(tokens.depositWithPermit2, PERMIT2, ALL)
})
afterAll(() => chain.stop())

const WAYS: readonly Way[] = ['depositAuthorized', 'depositPermitted', 'depositWithPermit2']

const sign = (way: Way, terms: Terms, by = permits.owner): Promise<Hex> => {
  if (way === 'depositAuthorized') return permits.authorize(terms, by)
  return way === 'depositPermitted' ? permits.permit(terms, by) : permits.permit2(terms, by)
}

const told = ({ logs }: Awaited<ReturnType<Permits['submit']>>) =>
  parseEventLogs({ abi: depositoryAbi, logs, eventName: 'RelayErc20Deposit' }).map(({ args }) => args)

/** What token or Permit2 said, in words or by its selector. */
const refusal = async (write: Promise<unknown>): Promise<string> => {
  const { name, args } = await revertOf(write)
  expect(name).toBe('PermitRefused')
  const reason = String(args[0]) as Hex
  return reason.startsWith('0x08c379a0') ? hexToString(slice(reason, 68)).replaceAll('\0', '') : reason.slice(0, 10)
}

const secondsNow = async (): Promise<bigint> => (await chain.client.getBlock()).timestamp

describe.each(WAYS)('%s', (way) => {
  const terms = (changes: Partial<Terms> = {}) => permits.termsOf(tokens[way], changes)

  it('deposits what the owner signed for under its order id, whoever submits it, and leaves nothing behind', async () => {
    const given = terms()
    const { token, owner } = given
    const signature = await sign(way, given)
    const [before, held] = [await permits.balance(token, owner), await permits.balance(token, permits.depository)]
    const receipt = await permits.submit(way, given, signature)
    expect(told(receipt)).toEqual([{ from: owner, token, amount: AMOUNT, id: given.orderId }])
    expect(before - (await permits.balance(token, owner))).toBe(AMOUNT)
    expect((await permits.balance(token, permits.depository)) - held).toBe(AMOUNT)
    const receiver = await permits.receiverOf(given)
    for (const place of [permits.router, receiver]) {
      expect(await permits.balance(token, place)).toBe(0n)
      expect(await permits.allowance(token, place, permits.depository)).toBe(0n)
      expect(await permits.allowance(token, owner, place)).toBe(0n)
    }
    console.info(`${way}: ${receipt.gasUsed} gas`)
  })

  it('deposits once: the same, and any other of the owner for the order id and the token, is refused', async () => {
    const given = terms()
    const [signature, deposit] = [await sign(way, given), (signed: Hex) => permits.submit(way, given, signed)]
    await deposit(signature)
    expect(await revertOf(deposit(signature))).toMatchObject({ name: 'AlreadyDeposited' })
    const more = terms({ orderId: given.orderId, amount: 2n * AMOUNT })
    expect(await revertOf(permits.submit(way, more, await sign(way, more)))).toMatchObject({ name: 'AlreadyDeposited' })
  })

  it('refuses whatever differs from what was signed, and whoever is not the owner', async () => {
    const given = terms()
    const signature = await sign(way, given)
    const other = chain.accountAt(4).address
    const changes: readonly Partial<Terms>[] = [
      { orderId: freshId() },
      { amount: AMOUNT - 1n },
      { amount: AMOUNT + 1n },
      { deadline: given.deadline - 1n },
      { owner: other },
      { token: await permits.token(authorizationTokenAbi, authorizationTokenBytecode) },
    ]
    for (const change of changes) {
      expect(await revertOf(permits.submit(way, { ...given, ...change }, signature))).toMatchObject({
        name: expect.stringMatching(/^(PermitRefused|NothingArrived)$/),
      })
    }
    const byStranger = await sign(way, given, chain.accountAt(4))
    expect(await revertOf(permits.submit(way, given, byStranger))).toMatchObject({ name: 'PermitRefused' })
    await permits.submit(way, given, signature)
  })

  it('takes nothing after its deadline', async () => {
    const given = terms({ deadline: (await secondsNow()) - 1n })
    expect(await revertOf(permits.submit(way, given, await sign(way, given)))).toMatchObject({ name: 'PermitExpired' })
  })

  it('takes nothing of an owner who holds too little', async () => {
    const given = terms({ amount: 10n ** 15n })
    const failed = await revertOf(permits.submit(way, given, await sign(way, given)))
    expect(failed).toMatchObject({ name: expect.stringMatching(/^(PermitRefused|TransferFromFailed)$/) })
  })

  it('a deposit of nothing, which needs no signature, does not use the order id up', async () => {
    const given = terms({ amount: 0n })
    const forged: Hex = `0x${'11'.repeat(64)}1b`
    expect(await revertOf(permits.submit(way, given, forged))).toMatchObject({
      name: expect.stringMatching(/^(PermitRefused|NothingArrived)$/),
    })
  })

  it('what lay at the router before stays there', async () => {
    const given = terms()
    await chain.send(permits.owner, {
      address: given.token,
      abi: noReturnTokenAbi,
      functionName: 'mint',
      args: [permits.router, 7n],
    })
    const stray = await permits.balance(given.token, permits.router)
    expect(told(await permits.submit(way, given, await sign(way, given)))).toMatchObject([{ amount: AMOUNT }])
    expect(await permits.balance(given.token, permits.router)).toBe(stray)
  })
})

describe('EIP-3009', () => {
  it('nobody can use the authorization but the router, and so under no other order id', async () => {
    const given = permits.termsOf(tokens.depositAuthorized)
    const signature = await permits.authorize(given)
    const { owner, amount, deadline, token } = given
    const direct = chain.send(permits.submitter, {
      address: token,
      abi: authorizationTokenAbi,
      functionName: 'receiveWithAuthorization',
      args: [owner, permits.router, amount, 0n, deadline, permits.keyOf(given), signature],
    })
    await expect(direct).rejects.toThrow('caller must be the payee')
    await permits.submit('depositAuthorized', given, signature)
  })

  it('a contract wallet vouches for a signature of its own, of any length', async () => {
    const key = chain.accountAt(5)
    const wallet = getAddress(await chain.deploy(scriptedWalletAbi, scriptedWalletBytecode, [key.address, HONEST]))
    const token = await permits.token(authorizationTokenAbi, authorizationTokenBytecode, wallet)
    const given = permits.termsOf(token, { owner: wallet })
    const receipt = await permits.submit('depositAuthorized', given, await permits.authorize(given, key))
    expect(told(receipt)).toMatchObject([{ from: wallet, amount: AMOUNT, id: given.orderId }])
    const yes = await chain.deploy(scriptedWalletAbi, scriptedWalletBytecode, [key.address, 1])
    const rich = await permits.token(authorizationTokenAbi, authorizationTokenBytecode, yes)
    const long = permits.termsOf(rich, { owner: yes })
    expect(told(await permits.submit('depositAuthorized', long, `0x${'ab'.repeat(300)}`))).toHaveLength(1)
  })

  it('the words of the token come through', async () => {
    const given = permits.termsOf(tokens.depositAuthorized)
    const byOther = await permits.authorize(given, chain.accountAt(4))
    expect(await refusal(permits.submit('depositAuthorized', given, byOther))).toBe('invalid signature')
  })

  it('of a token without the function nothing comes', async () => {
    const given = permits.termsOf(await permits.token(testTokenAbi, testTokenBytecode))
    const signature = await permits.authorize(given)
    expect(await revertOf(permits.submit('depositAuthorized', given, signature))).toMatchObject({
      name: 'PermitRefused',
    })
    const nowhere = permits.termsOf(chain.accountAt(6).address)
    expect(await revertOf(permits.submit('depositAuthorized', nowhere, signature))).toMatchObject({
      name: 'NothingArrived',
    })
  })
})

describe('EIP-2612', () => {
  const submitPermit = async (terms: Terms, signature: Hex) => {
    const { owner, amount, deadline, token } = terms
    const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), Number(slice(signature, 64))]
    return chain.send(permits.submitter, {
      address: token,
      abi: permitTokenAbi,
      functionName: 'permit',
      args: [owner, await permits.receiverOf(terms), amount, deadline, v, r, s],
    })
  }

  it('a permit that somebody submitted before is as good', async () => {
    const given = permits.termsOf(tokens.depositPermitted)
    const signature = await permits.permit(given)
    await submitPermit(given, signature)
    expect(told(await permits.submit('depositPermitted', given, signature))).toMatchObject([
      { from: given.owner, amount: AMOUNT, id: given.orderId },
    ])
  })

  it('a permit that was submitted before can neither be used in part, nor too late', async () => {
    const given = permits.termsOf(tokens.depositPermitted, { deadline: (await secondsNow()) + 1_000n })
    await submitPermit(given, await permits.permit(given))
    const part = { ...given, amount: 1n }
    expect(await revertOf(permits.submit('depositPermitted', part, '0x'))).toMatchObject({ name: 'PermitRefused' })
    await chain.client.increaseTime({ seconds: 2_000 })
    await chain.client.mine({ blocks: 1 })
    expect(await revertOf(permits.submit('depositPermitted', given, '0x'))).toMatchObject({ name: 'PermitExpired' })
  })

  it('nobody but the router moves anything at a receiver, or at the code that they share', async () => {
    const given = permits.termsOf(tokens.depositPermitted)
    await permits.submit('depositPermitted', given, await permits.permit(given))
    const implementation = await chain.client.readContract({
      address: permits.router,
      abi: permitRouterAbi,
      functionName: 'receiverImplementation',
    })
    const args = [given.orderId, given.owner, given.token, 1n]
    for (const address of [await permits.receiverOf(given), implementation]) {
      const direct = chain.send(permits.submitter, { address, abi: permitReceiverAbi, functionName: 'deposit', args })
      expect(await revertOf(direct)).toMatchObject({ name: 'Unauthorized' })
    }
  })

  it('of a token that takes a fee what came is deposited', async () => {
    const token = await permits.token(feeTokenAbi, feeTokenBytecode)
    const given = permits.termsOf(token)
    // The token has no permit: an allowance of the owner's own for the receiver stands for one.
    await permits.approve(token, await permits.receiverOf(given), AMOUNT)
    const receipt = await permits.submit('depositPermitted', given, '0x')
    expect(told(receipt)).toMatchObject([{ amount: (AMOUNT * 99n) / 100n }])
    expect(await permits.balance(token, await permits.receiverOf(given))).toBe(0n)
  })
})

describe('Permit2', () => {
  it('a contract wallet vouches for a signature of its own', async () => {
    const key = chain.accountAt(5)
    const wallet = getAddress(await chain.deploy(scriptedWalletAbi, scriptedWalletBytecode, [key.address, HONEST]))
    const token = await permits.token(noReturnTokenAbi, noReturnTokenBytecode, wallet)
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [PERMIT2, ALL] })
    await chain.client.impersonateAccount({ address: wallet })
    await chain.client.setBalance({ address: wallet, value: 10n ** 18n })
    await chain.client.sendTransaction({ account: wallet, to: token, data })
    const given = permits.termsOf(token, { owner: wallet })
    const receipt = await permits.submit('depositWithPermit2', given, await permits.permit2(given, key))
    expect(told(receipt)).toMatchObject([{ from: wallet, amount: AMOUNT, id: given.orderId }])
    const next = permits.termsOf(token, { owner: wallet })
    const byOther = await permits.permit2(next, chain.accountAt(6))
    expect(await refusal(permits.submit('depositWithPermit2', next, byOther))).toBe(
      toFunctionSelector('InvalidContractSignature()'),
    )
  })

  it('of a token that takes a fee what came is deposited', async () => {
    const token = await permits.token(feeTokenAbi, feeTokenBytecode)
    await permits.approve(token, PERMIT2, ALL)
    const given = permits.termsOf(token)
    const receipt = await permits.submit('depositWithPermit2', given, await permits.permit2(given))
    expect(told(receipt)).toMatchObject([{ amount: (AMOUNT * 99n) / 100n }])
    expect(await permits.balance(token, permits.router)).toBe(0n)
  })

  it('a token that calls back gets nowhere', async () => {
    const token = await permits.token(reentrantTokenAbi, reentrantTokenBytecode)
    await permits.approve(token, PERMIT2, ALL)
    const [given, inner] = [permits.termsOf(token), permits.termsOf(tokens.depositAuthorized)]
    const payload = encodeFunctionData({
      abi: permitRouterAbi,
      functionName: 'depositAuthorized',
      args: [inner, await permits.authorize(inner)],
    })
    const arm = { address: token, abi: reentrantTokenAbi, functionName: 'arm', args: [permits.router, payload] }
    await chain.send(permits.owner, arm)
    expect(told(await permits.submit('depositWithPermit2', given, await permits.permit2(given)))).toHaveLength(1)
    const read = (functionName: 'called' | 'succeeded' | 'answer') =>
      chain.client.readContract({ address: token, abi: reentrantTokenAbi, functionName })
    expect(await read('called')).toBe(true)
    expect(await read('succeeded')).toBe(false)
    expect(await read('answer')).toBe(toFunctionSelector('Reentrancy()'))
    await permits.submit('depositAuthorized', inner, await permits.authorize(inner))
  })

  it('one that the owner never allowed takes nothing', async () => {
    const given = permits.termsOf(await permits.token(testTokenAbi, testTokenBytecode))
    const signature = await permits.permit2(given)
    expect(await refusal(permits.submit('depositWithPermit2', given, signature))).toBe('TRANSFER_FROM_FAILED')
  })
})

it('a router needs a depository', async () => {
  const nobody = '0x0000000000000000000000000000000000000000'
  await expect(chain.deploy(permitRouterAbi, permitRouterBytecode, [nobody, PERMIT2])).rejects.toThrow()
})
