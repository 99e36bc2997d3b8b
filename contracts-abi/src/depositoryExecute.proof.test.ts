import {
  type Address,
  bytesToHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashStruct,
  hexToBytes,
  keccak256,
  numberToHex,
  parseEventLogs,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  contractAllocatorAbi,
  contractAllocatorBytecode,
  depositoryAbi,
  depositoryBytecode,
  depositoryDomain,
  depositoryTypeHashes,
  depositoryTypes,
  falseTokenAbi,
  falseTokenBytecode,
  fickleTokenAbi,
  fickleTokenBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  reentrantTokenAbi,
  reentrantTokenBytecode,
  revertingRecipientAbi,
  revertingRecipientBytecode,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'

interface Call {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly allowFailure: boolean
}

interface CallRequest {
  readonly calls: readonly Call[]
  readonly nonce: bigint
  readonly expiration: bigint
}

const id = keccak256(toHex('order'))
const FAR_FUTURE = 10_000_000_000n
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let chain: LocalChain
let depository: Address
let nonce = 0n

const owner = () => chain.accountAt(0)
const allocator = () => chain.accountAt(1)
const stranger = () => chain.accountAt(2)

beforeAll(async () => {
  chain = await startLocalChain()
  depository = await chain.deploy(depositoryAbi, depositoryBytecode, [owner().address, allocator().address])
  await write(owner(), 'depositNative', [zeroAddress, id], 1_000n)
})
afterAll(() => chain.stop())

function write(account: ReturnType<typeof owner>, functionName: string, args: readonly unknown[], value = 0n) {
  return chain.send(account, { address: depository, abi: depositoryAbi, functionName, args, value })
}

function requestOf(...calls: readonly Partial<Call>[]): CallRequest {
  nonce += 1n
  const full = calls.map((call) => ({ to: zeroAddress, data: '0x' as const, value: 0n, allowFailure: false, ...call }))
  return { calls: full, nonce, expiration: FAR_FUTURE }
}

const sign = (request: CallRequest, signer = allocator(), verifyingContract = depository) =>
  signer.signTypedData({
    domain: { ...depositoryDomain, chainId: chain.client.chain.id, verifyingContract },
    types: depositoryTypes,
    primaryType: 'CallRequest',
    message: request,
  })

const execute = (request: CallRequest, signature: Hex) => write(stranger(), 'execute', [request, signature])
const signAndExecute = async (request: CallRequest) => execute(request, await sign(request))
const refused = async (request: CallRequest, signature: Hex) => (await revertOf(execute(request, signature))).name

const read = (functionName: 'owner' | 'allocator') =>
  chain.client.readContract({ address: depository, abi: depositoryAbi, functionName })

/** The same signature with the other valid `s`, as anybody can derive it. */
function withHighS(signature: Hex): Hex {
  const bytes = hexToBytes(signature)
  const s = SECP256K1_ORDER - BigInt(bytesToHex(bytes.subarray(32, 64)))
  bytes.set(hexToBytes(numberToHex(s, { size: 32 })), 32)
  bytes[64] = bytes[64] === 27 ? 28 : 27
  return bytesToHex(bytes)
}

describe('signing domain (chains.md, depository contract)', () => {
  it('publishes the type hashes and the ERC-5267 domain', async () => {
    const at = { address: depository, abi: depositoryAbi } as const
    expect(await chain.client.readContract({ ...at, functionName: '_CALL_TYPEHASH' })).toBe(depositoryTypeHashes.call)
    expect(await chain.client.readContract({ ...at, functionName: '_CALL_REQUEST_TYPEHASH' })).toBe(
      depositoryTypeHashes.callRequest,
    )
    const domain = await chain.client.readContract({ ...at, functionName: 'eip712Domain' })
    expect(domain).toEqual([
      '0x0f',
      'RelayDepository',
      '1',
      BigInt(chain.client.chain.id),
      getAddress(depository),
      `0x${'0'.repeat(64)}`,
      [],
    ])
  })
})

describe('execute', () => {
  it('runs the calls of a signed request, emits one event each and marks the struct hash', async () => {
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, ['Test', 'TST', 6])
    await chain.send(owner(), { address: token, abi: testTokenAbi, functionName: 'mint', args: [depository, 50n] })
    const payee = chain.accountAt(9).address
    const request = requestOf(
      { to: token, data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [payee, 50n] }) },
      { to: payee, value: 5n, data: id },
    )
    const before = await chain.client.getBalance({ address: payee })
    const receipt = await signAndExecute(request)

    expect((await chain.client.getBalance({ address: payee })) - before).toBe(5n)
    const structHash = hashStruct({ types: depositoryTypes, primaryType: 'CallRequest', data: request })
    const events = parseEventLogs({ abi: depositoryAbi, eventName: 'RelayCallExecuted', logs: receipt.logs })
    expect(events.map(({ args }) => [args.id, args.call.value, args.call.data])).toEqual(
      request.calls.map((call) => [structHash, call.value, call.data]),
    )
    expect(
      await chain.client.readContract({
        address: depository,
        abi: depositoryAbi,
        functionName: 'callRequests',
        args: [structHash],
      }),
    ).toBe(true)
  })

  it('refuses an expired request before it looks at the signature; the last second is still good', async () => {
    const { timestamp } = await chain.client.getBlock()
    expect(await refused({ ...requestOf(), expiration: timestamp - 1n }, '0x')).toBe('CallRequestExpired')

    const last = { ...requestOf(), expiration: timestamp + 1_000n }
    const signature = await sign(last)
    await chain.client.setNextBlockTimestamp({ timestamp: last.expiration })
    const hash = await chain.client.writeContract({
      account: stranger(),
      address: depository,
      abi: depositoryAbi,
      functionName: 'execute',
      args: [last, signature],
      gas: 500_000n,
    })
    expect(await chain.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })

  it('runs a request once', async () => {
    const request = requestOf({ to: stranger().address, value: 1n })
    await signAndExecute(request)
    expect(await refused(request, await sign(request))).toBe('CallRequestAlreadyUsed')
  })

  describe('a transfer of tokens that moves nothing (F123)', () => {
    const MOODS = { answersFalse: 1, lies: 2, paused: 3 } as const
    const setMood = (token: Address, mood: number) =>
      chain.send(owner(), { address: token, abi: fickleTokenAbi, functionName: 'setMood', args: [mood, zeroAddress] })
    const transferOf = (token: Address, to: Address, amount: bigint) => ({
      to: token,
      data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [to, amount] }),
    })
    const isUsed = (request: CallRequest) =>
      chain.client.readContract({
        address: depository,
        abi: depositoryAbi,
        functionName: 'callRequests',
        args: [hashStruct({ types: depositoryTypes, primaryType: 'CallRequest', data: request })],
      })
    /** Sent although it will fail, as a request is whose token changes after the simulation. */
    const inBlock = async (request: CallRequest) => {
      const args = [request, await sign(request)] as const
      const at = { address: depository, abi: depositoryAbi, functionName: 'execute' } as const
      const hash = await chain.client.writeContract({ account: stranger(), ...at, args, gas: 500_000n })
      return chain.client.waitForTransactionReceipt({ hash })
    }
    let token: Address
    beforeAll(async () => {
      token = await chain.deploy(fickleTokenAbi, fickleTokenBytecode, ['Test', 'TST', 6])
      await chain.send(owner(), { address: token, abi: testTokenAbi, functionName: 'mint', args: [depository, 1_000n] })
    })

    it.each(Object.entries(MOODS))(
      '%s: does not use the request up, which pays once the token works',
      async (_, mood) => {
        const payee = chain.accountAt(8).address
        const balance = () =>
          chain.client.readContract({ address: token, abi: testTokenAbi, functionName: 'balanceOf', args: [payee] })
        const before = await balance()
        const request = requestOf(transferOf(token, payee, 50n))
        await setMood(token, mood)
        expect(await inBlock(request)).toMatchObject({ status: 'reverted', logs: [] })
        expect(await isUsed(request)).toBe(false)
        await setMood(token, 0)
        expect(await inBlock(request)).toMatchObject({ status: 'success' })
        expect([await isUsed(request), (await balance()) - before]).toEqual([true, 50n])
      },
    )

    it('counts as failed where failing is allowed: no event, and the others run', async () => {
      await setMood(token, MOODS.answersFalse)
      const moved = transferOf(token, stranger().address, 50n)
      const request = requestOf({ ...moved, allowFailure: true }, { to: stranger().address, value: 1n })
      const receipt = await inBlock(request)
      const events = parseEventLogs({ abi: depositoryAbi, eventName: 'RelayCallExecuted', logs: receipt.logs })
      expect(events.map(({ args }) => args.call.value)).toEqual([1n])
      await setMood(token, 0)
    })

    it('is told by the reason, also of what is no contract', async () => {
      const refusing = await chain.deploy(falseTokenAbi, falseTokenBytecode, ['Test', 'TST', 6])
      const said = requestOf(transferOf(refusing, stranger().address, 50n))
      expect(await revertOf(execute(said, await sign(said)))).toEqual({
        name: 'CallFailed',
        args: [`0x${'00'.repeat(32)}`],
      })
      const nowhere = requestOf(transferOf(chain.accountAt(7).address, stranger().address, 50n))
      expect(await refused(nowhere, await sign(nowhere))).toBe('CallFailed')
    })

    it('a fee on the way is no failure, nor an answer of nothing, nor a transfer of nothing', async () => {
      await setMood(token, 4)
      expect(await inBlock(requestOf(transferOf(token, stranger().address, 100n)))).toMatchObject({ status: 'success' })
      await setMood(token, 0)
      expect(await inBlock(requestOf(transferOf(token, stranger().address, 0n)))).toMatchObject({ status: 'success' })
      const silent = await chain.deploy(noReturnTokenAbi, noReturnTokenBytecode, ['Test', 'TST', 6])
      await chain.send(owner(), { address: silent, abi: testTokenAbi, functionName: 'mint', args: [depository, 50n] })
      await signAndExecute(requestOf(transferOf(silent, stranger().address, 50n)))
    })
  })

  it('refuses any signature but the allocator’s own, over this contract, of 65 bytes and low s', async () => {
    const request = requestOf({ to: stranger().address, value: 1n })
    const good = await sign(request)
    const bad: readonly Hex[] = [
      '0x',
      `0x${'00'.repeat(65)}`,
      await sign(request, stranger()),
      await sign(request, allocator(), stranger().address),
      await sign({ ...request, nonce: request.nonce + 1n }),
      withHighS(good),
      good.slice(0, -2) as Hex,
      `${good}00`,
      `${good.slice(0, -2)}${good.endsWith('1b') ? '00' : '01'}` as Hex,
    ]
    for (const signature of bad) expect(await refused(request, signature), signature).toBe('InvalidSignature')
    await execute(request, good)
  })

  it('reverts as a whole when a call fails that may not fail, with the reason cut to 4096 bytes (F62)', async () => {
    const hostile = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
    const be = (mode: number, length: bigint) =>
      chain.send(owner(), {
        address: hostile,
        abi: revertingRecipientAbi,
        functionName: 'setMode',
        args: [mode, length],
      })
    await be(2, 500_000n)
    const request = requestOf({ to: stranger().address, value: 1n }, { to: hostile, value: 1n })
    const signature = await sign(request)
    const failure = await revertOf(execute(request, signature))
    expect(failure.name).toBe('CallFailed')
    expect((failure.args[0] as Hex).length).toBe(2 + 2 * 4096)

    await be(0, 0n)
    await execute(request, signature) // a request that reverted is not used up
  })

  it('goes on after a call that may fail, without an event for it', async () => {
    const hostile = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
    await chain.send(owner(), { address: hostile, abi: revertingRecipientAbi, functionName: 'setMode', args: [1, 0n] })
    const request = requestOf({ to: hostile, value: 1n, allowFailure: true }, { to: stranger().address, value: 2n })
    const signature = await sign(request)
    const { result } = await chain.client.simulateContract({
      account: stranger(),
      address: depository,
      abi: depositoryAbi,
      functionName: 'execute',
      args: [request, signature],
    })
    expect(result.map(({ success }) => success)).toEqual([false, true])
    const receipt = await execute(request, signature)
    const events = parseEventLogs({ abi: depositoryAbi, eventName: 'RelayCallExecuted', logs: receipt.logs })
    expect(events.map(({ args }) => args.call.value)).toEqual([2n])
  })

  it('fails when the depository holds less than the value', async () => {
    const request = requestOf({ to: stranger().address, value: 10n ** 18n })
    expect(await refused(request, await sign(request))).toBe('CallFailed')
  })
})

describe('reentrancy', () => {
  it('a signed call cannot deposit into the same depository: no event without money', async () => {
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'depositNative', args: [zeroAddress, id] })
    const request = requestOf({ to: depository, data, value: 1n })
    const failure = await revertOf(execute(request, await sign(request)))
    expect(failure).toEqual({ name: 'CallFailed', args: ['0xab143c06'] })
  })

  it('a callee cannot run the same request again, nor another one, in the middle of it', async () => {
    const token = await chain.deploy(reentrantTokenAbi, reentrantTokenBytecode, ['Test', 'TST', 6])
    await chain.send(owner(), { address: token, abi: testTokenAbi, functionName: 'mint', args: [depository, 50n] })
    const inner = requestOf({ to: stranger().address, value: 3n })
    const outer = requestOf({
      to: token,
      data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [stranger().address, 1n] }),
    })
    for (const nested of [inner, outer]) {
      const payload = encodeFunctionData({
        abi: depositoryAbi,
        functionName: 'execute',
        args: [nested, await sign(nested)],
      })
      await chain.send(owner(), {
        address: token,
        abi: reentrantTokenAbi,
        functionName: 'arm',
        args: [depository, payload],
      })
      const current = { ...outer, nonce: outer.nonce + (nested === outer ? 0n : 1_000n) }
      await signAndExecute(current)
      const at = { address: token, abi: reentrantTokenAbi } as const
      expect(await chain.client.readContract({ ...at, functionName: 'called' })).toBe(true)
      expect(await chain.client.readContract({ ...at, functionName: 'answer' })).toBe('0xab143c06')
    }
    await signAndExecute(inner) // unspoiled by the failed attempt
  })
})

describe('allocator and owner', () => {
  it('a contract allocator is asked by ERC-1271', async () => {
    const contract = await chain.deploy(contractAllocatorAbi, contractAllocatorBytecode, [stranger().address])
    const other = await chain.deploy(depositoryAbi, depositoryBytecode, [owner().address, contract])
    const run = async (request: CallRequest, signer: ReturnType<typeof owner>) =>
      chain.send(owner(), {
        address: other,
        abi: depositoryAbi,
        functionName: 'execute',
        args: [request, await sign(request, signer, other)],
      })
    await run(requestOf(), stranger())
    expect(await revertOf(run(requestOf(), allocator()))).toMatchObject({ name: 'InvalidSignature' })
    await chain.send(owner(), {
      address: contract,
      abi: contractAllocatorAbi,
      functionName: 'setBroken',
      args: [true],
    })
    expect(await revertOf(run(requestOf(), stranger()))).toMatchObject({ name: 'InvalidSignature' })
  })

  it('only the owner replaces the allocator, and never by zero', async () => {
    const at = await chain.deploy(depositoryAbi, depositoryBytecode, [owner().address, allocator().address])
    const set = (account: ReturnType<typeof owner>, next: Address) =>
      chain.send(account, { address: at, abi: depositoryAbi, functionName: 'setAllocator', args: [next] })
    expect(await revertOf(set(stranger(), stranger().address))).toMatchObject({ name: 'Unauthorized' })
    expect(await revertOf(set(owner(), zeroAddress))).toMatchObject({ name: 'AddressCannotBeZero' })
    await set(owner(), stranger().address)
    expect(await chain.client.readContract({ address: at, abi: depositoryAbi, functionName: 'allocator' })).toBe(
      stranger().address,
    )
    expect(await read('allocator')).toBe(allocator().address)
  })

  it('ownership is handed over in two steps within 48 hours', async () => {
    const next = chain.accountAt(3)
    expect(await revertOf(write(owner(), 'completeOwnershipHandover', [next.address]))).toMatchObject({
      name: 'NoHandoverRequest',
    })
    await write(next, 'requestOwnershipHandover', [])
    await write(next, 'cancelOwnershipHandover', [])
    expect(await revertOf(write(owner(), 'completeOwnershipHandover', [next.address]))).toMatchObject({
      name: 'NoHandoverRequest',
    })
    await write(next, 'requestOwnershipHandover', [])
    expect(await revertOf(write(next, 'completeOwnershipHandover', [next.address]))).toMatchObject({
      name: 'Unauthorized',
    })
    const snapshot = await chain.client.snapshot()
    await chain.client.increaseTime({ seconds: 48 * 3600 + 1 })
    await chain.client.mine({ blocks: 1 })
    expect(await revertOf(write(owner(), 'completeOwnershipHandover', [next.address]))).toMatchObject({
      name: 'NoHandoverRequest',
    })
    await chain.client.revert({ id: snapshot })
    await write(owner(), 'completeOwnershipHandover', [next.address])
    expect(await read('owner')).toBe(next.address)
    expect(await revertOf(write(next, 'transferOwnership', [zeroAddress]))).toMatchObject({
      name: 'NewOwnerIsZeroAddress',
    })
    await write(next, 'transferOwnership', [owner().address])
    expect(await read('owner')).toBe(owner().address)
  })
})
