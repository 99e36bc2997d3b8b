import { hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { ChainAdapter } from '../chain/chainAdapter.js'
import type { ChainConfig } from '../chain/chainPackage.js'
import { ChainRegistry } from '../chain/chainRegistry.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import { ChainWalletSignatures } from './chainWalletSignatures.js'
import { MAX_SIGNATURE_BYTES, type WalletAnswer, type WalletQuestion } from './contractWallets.js'
import { personalDigest } from './personalDigest.js'

const account = privateKeyToAccount(generatePrivateKey())
const TEXT = 'Let me in'
const digest = personalDigest(TEXT)
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

interface Asked extends WalletQuestion {
  readonly chainId: number
  readonly agreeing: number
}

/** As many as the largest amount asks for must agree. */
const QUORUM = [
  { aboveUsd: '100', agreeing: 2 },
  { aboveUsd: '1000', agreeing: 3 },
]

/** Chains by what their contract wallets answer; `none`: the chain has no such wallets. */
const chainsThat = (answers: Readonly<Record<number, WalletAnswer | 'none' | Error>>) => {
  const asked: Asked[] = []
  const chains = Object.entries(answers).map(([text, answer]) => {
    const chainId = Number(text)
    const contractWallets = {
      verify: async (question: WalletQuestion, { agreeing }: { readonly agreeing: number }) => {
        asked.push({ ...question, chainId, agreeing })
        if (answer instanceof Error) throw answer
        return answer as WalletAnswer
      },
    }
    const validateAddress = (canonical: string) => ({ ok: true, canonical })
    // CAST: the members that are used.
    const adapter = { validateAddress, ...(answer === 'none' ? {} : { contractWallets }) } as unknown as ChainAdapter
    return { config: { id: chainId, quorum: QUORUM } as unknown as ChainConfig, adapter }
  })
  return { asked, signatures: new ChainWalletSignatures({ chains: new ChainRegistry(chains) }) }
}

const unreachable = new ServiceError('RPC_HTTP_ERROR', 'A node of this chain could not be reached. Try again.')
const CONTRACT = `0x${'c0'.repeat(20)}`
const contractClaim = { wallet: CONTRACT, digest, signature: '0xABcd' }

describe('by the key of an account', () => {
  const { signatures, asked } = chainsThat({ 1: 'valid' })

  it('a text, bytes and typed data are signed, and no chain is asked', async () => {
    const raw = Buffer.from('ab'.repeat(32), 'hex')
    const data = {
      domain: { name: 'Causeway', chainId: 1 },
      types: { Claim: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Claim',
      message: { amount: 7n },
    } as const
    const signed: readonly (readonly [Hex, Hex])[] = [
      [digest, await account.signMessage({ message: TEXT })],
      [personalDigest(raw), await account.signMessage({ message: { raw } })],
      [hashTypedData(data), await account.signTypedData(data)],
    ]
    for (const wallet of [account.address, account.address.toLowerCase(), account.address.toUpperCase()]) {
      for (const [each, signature] of signed) {
        const claim = { wallet: wallet.replace('0X', '0x'), digest: each, signature, chainIds: [1] }
        expect(await signatures.verify(claim)).toEqual({ kind: 'account' })
      }
    }
    expect(asked).toEqual([])
  })

  it('F80: of the forms that recover the same address one is taken', async () => {
    const signature = await account.signMessage({ message: TEXT })
    const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
    const otherS = (CURVE_ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
    const compactS = (BigInt(`0x${s}`) | ((v === '1c' ? 1n : 0n) << 255n)).toString(16).padStart(64, '0')
    const forms = [
      `0x${r}${otherS}${v === '1b' ? '1c' : '1b'}`,
      `0x${r}${s}${v === '1b' ? '00' : '01'}`,
      `0x${r}${compactS}`,
      `0x${r}${s}${v}00`,
      `0x${r}${s}${v === '1b' ? '1c' : '1b'}`,
    ]
    const claim = { wallet: account.address, digest, chainIds: [] }
    for (const form of forms) {
      expect(await signatures.verify({ ...claim, signature: form })).toMatchObject({ kind: 'refused' })
    }
    expect(await signatures.verify({ ...claim, signature: signature.toUpperCase().replace('0X', '0x') })).toEqual({
      kind: 'account',
    })
  })

  it('another wallet, another digest, or what is no signature is refused with a reason', async () => {
    const signature = await account.signMessage({ message: TEXT })
    const claim = { wallet: account.address, digest, signature }
    const other = privateKeyToAccount(generatePrivateKey()).address
    const texts = ['', '0x', '0x0', `${signature}0`, signature.slice(2), ` ${signature}`, 'x'.repeat(1_000_000)]
    const changes = [
      { wallet: other },
      { wallet: 'So11111111111111111111111111111111111111112' },
      { digest: personalDigest(`${TEXT} `) },
      ...texts.map((text) => ({ signature: text })),
      { signature: `0x${'00'.repeat(65)}` },
      { signature: `0x${'ff'.repeat(64)}1b` },
    ]
    for (const change of changes) {
      const verdict = await signatures.verify({ ...claim, ...change })
      expect(verdict).toEqual({ kind: 'refused', reason: expect.stringMatching(/^The (signature|wallet) [^.]+$/) })
    }
    await expect(signatures.verify({ ...claim, digest: '0x12' })).rejects.toBeInstanceOf(RangeError)
    expect(asked).toEqual([])
  })
})

describe('by a contract', () => {
  it('chains are asked in their order until one vouches, each by as many providers as the largest amount asks for (F144)', async () => {
    const { signatures, asked } = chainsThat({ 1: 'absent', 2: 'invalid', 3: 'valid', 4: 'valid' })
    const told: number[] = []
    const beforeAsking = (chainId: number) => void told.push(chainId)
    const claim = { ...contractClaim, wallet: CONTRACT.toUpperCase().replace('0X', '0x'), beforeAsking }
    expect(await signatures.verify({ ...claim, chainIds: [1, 2, 3, 4] })).toEqual({
      kind: 'contract',
      chainId: 3,
      agreeing: 3,
    })
    const question = { wallet: CONTRACT, digest, signature: '0xabcd', agreeing: 3 }
    expect(asked).toEqual([1, 2, 3].map((chainId) => ({ ...question, chainId })))
    expect(told).toEqual([1, 2, 3])
  })

  it('F82: the same claim is asked anew each time', async () => {
    const { signatures, asked } = chainsThat({ 1: 'valid' })
    for (let i = 0; i < 3; i += 1) {
      expect(await signatures.verify({ ...contractClaim, chainIds: [1] })).toMatchObject({ kind: 'contract' })
    }
    expect(asked).toHaveLength(3)
  })

  it('no chain is asked that was not named, and the refusal says what was', async () => {
    const { signatures, asked } = chainsThat({ 1: 'valid', 2: 'absent', 3: 'invalid', 4: 'none' })
    expect(await signatures.verify(contractClaim)).toMatchObject({ kind: 'refused' })
    const verdict = await signatures.verify({ ...contractClaim, chainIds: [2, 3, 4, 5] })
    expect(verdict).toEqual({
      kind: 'refused',
      reason:
        'The signature is not by the key of the account; there is no contract wallet at the address on chain 2; ' +
        'the contract wallet on chain 3 does not take it for its own; contract wallets of chain 4 cannot be asked here; ' +
        'contract wallets of chain 5 cannot be asked here',
    })
    expect(asked.map(({ chainId }) => chainId)).toEqual([2, 3])
    const many = Array.from({ length: 9 }, (_, at) => at + 1)
    await expect(signatures.verify({ ...contractClaim, chainIds: many })).rejects.toBeInstanceOf(RangeError)
  })

  it('a chain that cannot be asked is no refusal, unless another one vouches', async () => {
    const { signatures } = chainsThat({ 1: unreachable, 2: 'invalid', 3: 'valid' })
    const verify = (chainIds: readonly number[]) => signatures.verify({ ...contractClaim, chainIds })
    await expect(verify([1])).rejects.toBe(unreachable)
    await expect(verify([1, 2])).rejects.toBe(unreachable)
    expect(await verify([1, 2, 3])).toMatchObject({ kind: 'contract', chainId: 3 })
  })

  it('what the caller throws before a chain is asked ends it', async () => {
    const { signatures, asked } = chainsThat({ 1: 'absent', 2: 'valid' })
    const enough = new ServiceError('SERVICE_UNAVAILABLE', 'Enough')
    const beforeAsking = () => {
      throw enough
    }
    await expect(signatures.verify({ ...contractClaim, chainIds: [1, 2], beforeAsking })).rejects.toBe(enough)
    expect(asked).toEqual([])
  })

  it('the longest signature is asked about, a longer one is not', async () => {
    const { signatures, asked } = chainsThat({ 1: 'valid' })
    const signed = (bytes: number) => ({ ...contractClaim, signature: `0x${'ab'.repeat(bytes)}`, chainIds: [1] })
    expect(await signatures.verify(signed(MAX_SIGNATURE_BYTES))).toMatchObject({ kind: 'contract' })
    expect(await signatures.verify(signed(MAX_SIGNATURE_BYTES + 1))).toMatchObject({ kind: 'refused' })
    expect(asked).toHaveLength(1)
  })
})
