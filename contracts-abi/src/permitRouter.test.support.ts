import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256, toHex } from 'viem'
import {
  depositoryAbi,
  depositoryBytecode,
  noReturnTokenAbi,
  permit2RuntimeBytecode,
  permitRouterAbi,
  permitRouterBytecode,
  permitTokenAbi,
  testTokenAbi,
} from './index.js'
import type { LocalChain } from './localChain.test.support.js'

export const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const METADATA = ['Dollar', 'USD', 6] as const
export const AMOUNT = 5_000n
const FAR = 10n ** 10n

/** As the router takes them. */
export interface Terms {
  readonly orderId: Hex
  readonly owner: Address
  readonly token: Address
  readonly amount: bigint
  readonly deadline: bigint
}

export type Way = 'depositAuthorized' | 'depositPermitted' | 'depositWithPermit2'

let ids = 0
export const freshId = (): Hex => keccak256(toHex(`signed order ${++ids}`))

const struct = (...members: readonly (readonly [string, string])[]) => members.map(([name, type]) => ({ name, type }))

/** A chain with Permit2 and a permit router; account 1 is the owner, account 3 whoever submits. */
export const startPermits = async (chain: LocalChain) => {
  const { client } = chain
  const { address } = chain.accountAt(0)
  const depository = await chain.deploy(depositoryAbi, depositoryBytecode, [address, address])
  await client.setCode({ address: PERMIT2, bytecode: permit2RuntimeBytecode })
  const router = await chain.deploy(permitRouterAbi, permitRouterBytecode, [depository, PERMIT2])
  const [owner, submitter] = [chain.accountAt(1), chain.accountAt(3)]
  const chainId = client.chain.id

  const token = async (abi: Parameters<LocalChain['deploy']>[0], code: Hex, holder = owner.address) => {
    const made = await chain.deploy(abi, code, METADATA)
    await chain.send(owner, { address: made, abi: noReturnTokenAbi, functionName: 'mint', args: [holder, 10n ** 12n] })
    return getAddress(made)
  }

  const termsOf = (of: Address, changes: Partial<Terms> = {}): Terms => ({
    orderId: freshId(),
    owner: owner.address,
    token: of,
    amount: AMOUNT,
    deadline: FAR,
    ...changes,
  })

  const keyOf = ({ orderId, owner: of, token: at }: Terms): Hex =>
    keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }, { type: 'address' }], [orderId, of, at]))

  const tokenDomain = (of: Address) => ({ name: METADATA[0], version: '2', chainId, verifyingContract: of })

  const authorize = (terms: Terms, by = owner): Promise<Hex> =>
    by.signTypedData({
      domain: tokenDomain(terms.token),
      types: {
        ReceiveWithAuthorization: struct(
          ['from', 'address'],
          ['to', 'address'],
          ['value', 'uint256'],
          ['validAfter', 'uint256'],
          ['validBefore', 'uint256'],
          ['nonce', 'bytes32'],
        ),
      },
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: terms.owner,
        to: router,
        value: terms.amount,
        validAfter: 0n,
        validBefore: terms.deadline,
        nonce: keyOf(terms),
      },
    })

  const receiverOf = (terms: Terms): Promise<Address> =>
    client.readContract({ address: router, abi: permitRouterAbi, functionName: 'receiverOf', args: [terms] })

  const permit = async (terms: Terms, by = owner): Promise<Hex> => {
    const nonce = await client.readContract({
      address: terms.token,
      abi: permitTokenAbi,
      functionName: 'nonces',
      args: [terms.owner],
    })
    return by.signTypedData({
      domain: tokenDomain(terms.token),
      types: {
        Permit: struct(
          ['owner', 'address'],
          ['spender', 'address'],
          ['value', 'uint256'],
          ['nonce', 'uint256'],
          ['deadline', 'uint256'],
        ),
      },
      primaryType: 'Permit',
      message: {
        owner: terms.owner,
        spender: await receiverOf(terms),
        value: terms.amount,
        nonce,
        deadline: terms.deadline,
      },
    })
  }

  const permit2 = (terms: Terms, by = owner): Promise<Hex> =>
    by.signTypedData({
      domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
      types: {
        PermitBatchWitnessTransferFrom: struct(
          ['permitted', 'TokenPermissions[]'],
          ['spender', 'address'],
          ['nonce', 'uint256'],
          ['deadline', 'uint256'],
          ['witness', 'DepositWitness'],
        ),
        DepositWitness: struct(['depository', 'address'], ['orderId', 'bytes32']),
        TokenPermissions: struct(['token', 'address'], ['amount', 'uint256']),
      },
      primaryType: 'PermitBatchWitnessTransferFrom',
      message: {
        permitted: [{ token: terms.token, amount: terms.amount }],
        spender: router,
        nonce: BigInt(keyOf(terms)),
        deadline: terms.deadline,
        witness: { depository, orderId: terms.orderId },
      },
    })

  const submit = (functionName: Way, terms: Terms, signature: Hex, account = submitter) => {
    const write = { address: router, abi: permitRouterAbi, functionName, args: [terms, signature] }
    return chain.send(account, { ...write, trailing: freshId() })
  }

  const balance = (of: Address, at: Address): Promise<bigint> =>
    client.readContract({ address: of, abi: testTokenAbi, functionName: 'balanceOf', args: [at] })

  const allowance = (of: Address, from: Address, to: Address): Promise<bigint> =>
    client.readContract({ address: of, abi: testTokenAbi, functionName: 'allowance', args: [from, to] })

  const approve = (of: Address, spender: Address, amount: bigint, account = owner) =>
    chain.send(account, { address: of, abi: noReturnTokenAbi, functionName: 'approve', args: [spender, amount] })

  return {
    depository,
    router,
    owner,
    submitter,
    token,
    termsOf,
    keyOf,
    authorize,
    permit,
    permit2,
    receiverOf,
    submit,
    balance,
    allowance,
    approve,
  }
}

export type Permits = Awaited<ReturnType<typeof startPermits>>
