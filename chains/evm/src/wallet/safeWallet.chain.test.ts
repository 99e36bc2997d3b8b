import { createRequire } from 'node:module'
import type { Hex } from '@causeway/core'
import { ServiceError } from '@causeway/core'
import {
  type Abi,
  type Address,
  concatHex,
  createPublicClient,
  encodeFunctionData,
  encodePacked,
  getAddress,
  getContractAddress,
  http,
  keccak256,
  serializeErc6492Signature,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDigest, newOwner, startWalletWorld, type WalletWorld } from './walletWorld.test.support.js'

const CHAIN_ID = 31_242
const SALT_NONCE = 7n

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** As the makers of the Safe compiled it. */
const artifact = (path: string): Artifact =>
  // CAST: the form of the compiler's artifacts.
  createRequire(import.meta.url)(`@safe-global/safe-smart-account/build/artifacts/contracts/${path}.json`) as Artifact

const SAFE = artifact('Safe.sol/Safe')
const FACTORY = artifact('proxies/SafeProxyFactory.sol/SafeProxyFactory')
const HANDLER = artifact('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler')

type Owner = ReturnType<typeof newOwner>

/** A Safe of two of three owners, there already or to come. */
interface Safe {
  readonly address: Address
  readonly factory: Address
  readonly making: Hex
}

let world: WalletWorld
let owners: readonly Owner[]
let safe: Safe

const foreseeSafe = async (): Promise<Safe> => {
  const { chain } = world.deployment
  const deploy = async ({ abi, bytecode }: Artifact): Promise<Address> => getAddress(await chain.deploy(abi, bytecode))
  const [singleton, factory, handler] = [await deploy(SAFE), await deploy(FACTORY), await deploy(HANDLER)]
  const initializer = encodeFunctionData({
    abi: SAFE.abi,
    functionName: 'setup',
    args: [owners.map(({ address }) => address), 2n, zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
  })
  const proxyCode = await createPublicClient({ transport: http(chain.rpcUrl) }).readContract({
    address: factory,
    abi: FACTORY.abi,
    functionName: 'proxyCreationCode',
  })
  return {
    factory,
    making: encodeFunctionData({
      abi: FACTORY.abi,
      functionName: 'createProxyWithNonce',
      args: [singleton, initializer, SALT_NONCE],
    }),
    address: getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt: keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializer), SALT_NONCE])),
      // CAST: the function answers with bytes.
      bytecode: concatHex([proxyCode as Hex, `0x${singleton.slice(2).padStart(64, '0')}`]),
    }),
  }
}

/** What owners of a Safe sign for it: signatures in the order of their addresses. */
const signedBy = async (signers: readonly Owner[], digest: Hex): Promise<Hex> => {
  const sorted = signers.toSorted((left, right) => (left.address.toLowerCase() < right.address.toLowerCase() ? -1 : 1))
  const signatures = sorted.map((signer) =>
    signer.signTypedData({
      domain: { chainId: CHAIN_ID, verifyingContract: safe.address },
      types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
      primaryType: 'SafeMessage',
      message: { message: digest },
    }),
  )
  return concatHex(await Promise.all(signatures))
}

beforeAll(async () => {
  world = await startWalletWorld(CHAIN_ID)
  owners = [newOwner(), newOwner(), newOwner()]
  safe = await foreseeSafe()
})
afterAll(() => world?.close())

const wrapped = (signature: Hex): Hex =>
  serializeErc6492Signature({ address: safe.factory, data: safe.making, signature })

/** Ours, and that of the public validator that viem runs. */
const verdicts = async (digest: Hex, signature: Hex) => {
  const client = createPublicClient({ transport: http(world.deployment.chain.rpcUrl) })
  return {
    ours: await world.ask({ wallet: safe.address.toLowerCase(), digest, signature }),
    public: await client.verifyHash({ address: safe.address, hash: digest, signature }),
  }
}

describe('a Safe of two of three owners', () => {
  it('signs before it is deployed (ERC-6492), with two owners and no fewer', async () => {
    const digest = newDigest()
    const [one, two] = owners as readonly [Owner, Owner]
    expect(await verdicts(digest, wrapped(await signedBy([one, two], digest)))).toEqual({ ours: 'valid', public: true })
    expect(await verdicts(digest, wrapped(await signedBy([one], digest)))).toEqual({ ours: 'invalid', public: false })
    const stranger = await signedBy([one, newOwner()], digest)
    expect(await verdicts(digest, wrapped(stranger))).toEqual({ ours: 'invalid', public: false })
    expect((await verdicts(digest, await signedBy([one, two], digest))).ours).toBe('absent')
  })

  it('signs once it is deployed (EIP-1271), wrapped or not, by two providers who agree', async () => {
    const { chain } = world.deployment
    await chain.send(chain.accounts[0] as never, { to: safe.factory, data: safe.making })
    await expect.poll(() => chain.rpc('eth_getCode', [safe.address, 'latest'])).not.toBe('0x')
    const digest = newDigest()
    const [one, , three] = owners as readonly [Owner, Owner, Owner]
    const signature = await signedBy([one, three], digest)
    for (const form of [signature, wrapped(signature)]) {
      expect(await verdicts(digest, form)).toEqual({ ours: 'valid', public: true })
      expect((await verdicts(newDigest(), form)).ours).toBe('invalid')
    }
    const both = await world.adapterOver([
      { http: world.node.url, provider: 'one' },
      { http: chain.rpcUrl, provider: 'two' },
    ])
    const question = { wallet: safe.address.toLowerCase(), digest, signature }
    expect(await world.ask(question, both.contractWallets, 2)).toBe('valid')
    await expect(world.ask(question, both.contractWallets, 3)).rejects.toBeInstanceOf(ServiceError)
  })
})
