import { scriptedWalletAbi, scriptedWalletFactoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { createPublicClient, encodeAbiParameters, encodeFunctionData, getAddress, http, keccak256, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { encodeApprove } from '../payout/contracts/staticCall.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import type { WalletMood } from '../testing/scriptedWallets.js'
import { newDigest, newOwner, type Question, startWalletWorld, type WalletWorld } from './walletWorld.test.support.js'

let world: WalletWorld
beforeAll(async () => {
  world = await startWalletWorld(31_240)
})
afterEach(() => world.node.clear())
afterAll(() => world?.close())

const signed = async (wallet: string, signer = world.owner) => {
  const digest = newDigest()
  return { wallet, digest, signature: await signer.sign({ hash: digest }) }
}

const codeAt = (address: string) => world.deployment.chain.rpc<string>('eth_getCode', [address, 'latest'])

/** Characters that the node answers with where the wallet is asked without a probe. */
const answerSize = async ({ wallet, digest }: Pick<Question, 'wallet' | 'digest'>): Promise<number> => {
  const args = [digest, '0x00'] as const
  const data = encodeFunctionData({ abi: scriptedWalletAbi, functionName: 'isValidSignature', args })
  const params = [{ to: wallet, data, gas: toHex(300_000_000) }, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(world.deployment.chain.rpcUrl, { method: 'POST', headers, body })
  return (await answer.text()).length
}

/** Keeps the answers of the node to calls of contracts. */
const noteAnswers = (): unknown[] => {
  const answers: unknown[] = []
  world.node.add('eth_call', { rewrite: (result) => answers.push(result) && result })
  return answers
}

describe('a contract wallet (EIP-1271)', () => {
  it('takes what its owner signed, and neither the signature of another key nor that of another digest', async () => {
    const wallet = await world.scripted.make(world.owner.address)
    const question = await signed(wallet)
    expect(await world.ask(question)).toBe('valid')
    expect(await world.ask({ ...question, digest: newDigest() })).toBe('invalid')
    expect(await world.ask(await signed(wallet, newOwner()))).toBe('invalid')
    const shorter = question.signature.slice(0, -2) as Hex
    for (const signature of [shorter, '0x00', `0x${'ab'.repeat(8192)}`] as const) {
      expect(await world.ask({ ...question, signature })).toBe('invalid')
    }
  })

  it('one that says yes to everything vouches for itself alone', async () => {
    const wallet = await world.scripted.make(world.owner.address, 'always-yes')
    const nothing = { digest: newDigest(), signature: '0x00' } as const
    expect(await world.ask({ wallet, ...nothing })).toBe('valid')
    expect(await world.ask({ wallet: await world.scripted.make(world.owner.address), ...nothing })).toBe('invalid')
    expect(await world.ask({ wallet: world.owner.address.toLowerCase(), ...nothing })).toBe('absent')
  })

  it('F80: where there is no contract nothing is recovered, whatever the form of the signature', async () => {
    const { signature, digest } = await signed(world.owner.address)
    const wallet = world.owner.address.toLowerCase()
    const s =
      0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n - BigInt(`0x${signature.slice(66, 130)}`)
    const high =
      `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex
    for (const form of [signature, high, signature.slice(0, 130) as Hex]) {
      expect(await world.ask({ wallet, digest, signature: form })).toBe('absent')
    }
  })

  const hostile: readonly WalletMood[] = [
    'always-no',
    'burns-gas',
    'reverts-long',
    'answers-long',
    'answers-two-words',
    'pads-left',
    'answers-short',
    'leaves-dirt',
    'answers-nothing',
    'yes-to-nobody',
  ]

  it.each(hostile)('F82: one that %s says no: in one word, and no node is blamed', async (mood) => {
    const question = await signed(await world.scripted.make(world.owner.address, mood))
    const answers = noteAnswers()
    expect(await world.ask(question)).toBe('invalid')
    expect(answers).toEqual([`0x${'0'.repeat(64)}`])
    expect(world.adapter.endpoints()).toMatchObject([{ state: 'ok' }])
  })

  it.each(['answers-long', 'reverts-long'] as const)(
    'F82: one that %s, and is given the gas for it, says no in one word too',
    async (mood) => {
      const rich = await world.adapterOver([{ http: world.node.url }], { signatureGasLimit: 300_000_000 })
      const question = await signed(await world.scripted.make(world.owner.address, mood))
      expect(await answerSize(question)).toBeGreaterThan(8_000_000)
      const answers = noteAnswers()
      expect(await world.ask(question, rich.contractWallets)).toBe('invalid')
      expect(answers).toEqual([`0x${'0'.repeat(64)}`])
    },
  )

  it('F82: nothing is remembered: the same question is asked again', async () => {
    const wallet = await world.scripted.make(world.owner.address)
    const question = await signed(wallet)
    const answers = noteAnswers()
    for (let i = 0; i < 2; i += 1) expect(await world.ask(question)).toBe('valid')
    expect(await world.ask({ ...question, digest: newDigest() })).toBe('invalid')
    expect(answers).toHaveLength(3)
  })

  it('may use as much gas as the option says, and no more', async () => {
    const question = await signed(await world.scripted.make(world.owner.address, 'takes-its-time'))
    expect(await world.ask(question)).toBe('valid')
    const strict = await world.adapterOver([{ http: world.node.url }], { signatureGasLimit: 400_000 })
    expect(await world.ask(question, strict.contractWallets)).toBe('invalid')
  })
})

describe('a contract wallet that is not deployed yet (ERC-6492)', () => {
  it('is deployed for the question alone', async () => {
    const { address, wrap } = world.scripted.foresee(world.owner.address)
    const question = await signed(address)
    expect(await world.ask(question)).toBe('absent')
    expect(await world.ask({ ...question, signature: wrap(question.signature) })).toBe('valid')
    expect(await codeAt(address)).toBe('0x')
  })

  it('does not take a wrapped signature of another key', async () => {
    const { address, wrap } = world.scripted.foresee(world.owner.address)
    const question = await signed(address, newOwner())
    expect(await world.ask({ ...question, signature: wrap(question.signature) })).toBe('invalid')
  })

  it('does not take the word of a wallet that came somewhere else', async () => {
    const [mine, other] = [world.scripted.foresee(world.owner.address), world.scripted.foresee(newOwner().address)]
    const question = await signed(other.address)
    expect(await world.ask({ ...question, signature: mine.wrap(question.signature) })).toBe('absent')
  })

  it('F82: its factory may burn, revert with megabytes, undo what it did or be nothing: there is no wallet', async () => {
    const { address, wrap } = world.scripted.foresee(world.owner.address)
    const question = await signed(address)
    const abi = scriptedWalletFactoryAbi
    const args = [getAddress(world.owner.address), 0, newDigest()] as const
    const calls: readonly Hex[] = [
      encodeFunctionData({ abi, functionName: 'burn' }),
      encodeFunctionData({ abi, functionName: 'revertLong' }),
      encodeFunctionData({ abi, functionName: 'makeInVain', args }),
      '0xdeadbeef',
      '0x',
    ]
    for (const call of calls) {
      const answers = noteAnswers()
      expect(await world.ask({ ...question, signature: wrap(question.signature, call) })).toBe('absent')
      expect(answers).toEqual([`0x${'2'.padStart(64, '0')}`])
      world.node.clear()
    }
    expect(world.adapter.endpoints()).toMatchObject([{ state: 'ok' }])
  })

  it('F82: burning as wallet, after its factory burnt nothing, is a no', async () => {
    const { address, wrap } = world.scripted.foresee(world.owner.address, 'burns-gas')
    const question = await signed(address)
    expect(await world.ask({ ...question, signature: wrap(question.signature) })).toBe('invalid')
  })

  it('moves nothing, whatever its factory is told to take', async () => {
    const { chain, token } = world.deployment
    const [user] = chain.accounts as readonly [LocalAccount]
    const { factory } = world.scripted
    await sendMined(chain, user, { to: token, data: encodeApprove(factory, 10n) })
    const data = encodeFunctionData({
      abi: scriptedWalletFactoryAbi,
      functionName: 'drain',
      args: [getAddress(token), user.address, 10n],
    })
    const taken = await chain.rpc('eth_call', [{ to: factory, data }, 'latest'])
    expect(taken).toBe('0x')
    const { address, wrap } = world.scripted.foresee(world.owner.address)
    const question = await signed(address)
    const balances = () =>
      world.adapter.getBalances([user.address, factory].map((each) => ({ address: each, currency: token })))
    const before = await balances()
    expect(await world.ask({ ...question, signature: wrap(question.signature, data) })).toBe('absent')
    expect(await balances()).toEqual(before)
  })

  it('is asked before its factory where it is there already, and again once that prepared it', async () => {
    const wallet = await world.scripted.make(world.owner.address)
    const digest = newDigest()
    const preparing = async (signer: ReturnType<typeof newOwner>): Promise<Hex> => {
      const hash = keccak256(encodeAbiParameters([{ type: 'bytes32' }], [digest]))
      const args = [digest, await signer.sign({ hash })] as const
      return encodeFunctionData({ abi: scriptedWalletAbi, functionName: 'prepare', args })
    }
    const wrapped = (call: Hex, signature: Hex): Hex =>
      `${encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [getAddress(wallet), call, signature])}${'6492'.repeat(16)}`
    expect(await world.ask({ wallet, digest, signature: wrapped(await preparing(world.owner), '0x00') })).toBe('valid')
    expect(await world.ask({ wallet, digest, signature: wrapped(await preparing(newOwner()), '0x00') })).toBe('invalid')
    const own = await world.owner.sign({ hash: digest })
    expect(await world.ask({ wallet, digest, signature: wrapped('0xdeadbeef', own) })).toBe('valid')
    expect(await world.ask({ wallet, digest, signature: '0x00' })).toBe('invalid')
  })

  it('no node is asked about a wrapper that is none', async () => {
    const answers = noteAnswers()
    const wallet = world.owner.address.toLowerCase()
    for (const body of ['', 'ff'.repeat(32), '00'.repeat(95), `${'00'.repeat(32)}${'ff'.repeat(64)}`]) {
      const signature = `0x${body}${'6492'.repeat(16)}` as const
      expect(await world.ask({ wallet, digest: newDigest(), signature })).toBe('invalid')
    }
    expect(answers).toEqual([])
  })
})

it('agrees with the public validator of ERC-6492 on wallets that behave', async () => {
  const client = createPublicClient({ transport: http(world.deployment.chain.rpcUrl) })
  const there = await world.scripted.make(world.owner.address)
  const coming = world.scripted.foresee(world.owner.address)
  const [first, second] = [await signed(there), await signed(coming.address)]
  const stranger = await signed(coming.address, newOwner())
  const questions = [
    first,
    { ...first, digest: newDigest() },
    { ...second, signature: coming.wrap(second.signature) },
    { ...stranger, signature: coming.wrap(stranger.signature) },
  ]
  const verdicts: boolean[] = []
  for (const { wallet, digest, signature } of questions) {
    const valid = await client.verifyHash({ address: getAddress(wallet), hash: digest, signature })
    expect((await world.ask({ wallet, digest, signature })) === 'valid').toBe(valid)
    verdicts.push(valid)
  }
  expect(verdicts).toEqual([true, false, true, false])
})
