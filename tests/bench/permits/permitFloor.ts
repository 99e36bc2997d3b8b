import { randomBytes } from 'node:crypto'
import { permitRouterAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type Address, encodeAbiParameters, encodeFunctionData, keccak256, parseAbiParameters } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { NetworkChain } from '../../harness/localNetwork.js'
import type { BenchWorld } from '../benchWorld.js'

const AMOUNT = 1_000_000n
const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/**
 * The floor of a permit: what a user signed is put in a call of a permit router, signed with a local nonce and fixed fees, and sent. Keeps no state,
 * checks nothing. Its router and depository are its own, so that no host sees what it deposits.
 */
export class PermitFloor {
  readonly #origin: NetworkChain
  readonly #owner: PrivateKeyAccount
  readonly #sender: PrivateKeyAccount
  readonly #router: Address
  #nonce: number

  private constructor(
    origin: NetworkChain,
    owner: PrivateKeyAccount,
    sender: PrivateKeyAccount,
    router: Address,
    nonce: number,
  ) {
    this.#origin = origin
    this.#owner = owner
    this.#sender = sender
    this.#router = router
    this.#nonce = nonce
  }

  static async open({ network }: BenchWorld, owner: number, sender: number): Promise<PermitFloor> {
    const [origin] = network.chains
    const [signs, sends] = [network.users[owner], network.users[sender]]
    if (signs === undefined || sends === undefined) throw new Error('The network has too few users')
    const allocator = network.roles.allocator.address
    const { permitRouter } = await origin.chain.deployContracts({ owner: allocator, allocator })
    const nonce = Number(await origin.chain.rpc<string>('eth_getTransactionCount', [sends.address, 'pending']))
    const accounts = [privateKeyToAccount(signs.privateKey), privateKeyToAccount(sends.privateKey)] as const
    // CAST: addresses of the harness are hex text.
    return new PermitFloor(origin, ...accounts, permitRouter as Address, nonce)
  }

  /** Calls of the router that users have signed for; sending one signs the transaction first. */
  async prepare(count: number): Promise<readonly (() => Promise<void>)[]> {
    const calls = await Promise.all(Array.from({ length: count }, () => this.#call()))
    return calls.map((data) => () => this.#send(data))
  }

  async #call(): Promise<Hex> {
    const { chain, usdc } = this.#origin
    const orderId: Hex = `0x${randomBytes(32).toString('hex')}`
    const owner = this.#owner.address
    // CAST: as above.
    const token = usdc as Address
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 3_600)
    const nonce = keccak256(
      encodeAbiParameters(parseAbiParameters('bytes32, address, address'), [orderId, owner, token]),
    )
    const signature = await this.#owner.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: chain.chainId, verifyingContract: token },
      types: { ReceiveWithAuthorization: AUTHORIZATION },
      primaryType: 'ReceiveWithAuthorization',
      message: { from: owner, to: this.#router, value: AMOUNT, validAfter: 0n, validBefore: deadline, nonce },
    })
    const args = [{ orderId, owner, token, amount: AMOUNT, deadline }, signature] as const
    return encodeFunctionData({ abi: permitRouterAbi, functionName: 'depositAuthorized', args })
  }

  async #send(data: Hex): Promise<void> {
    const { chain } = this.#origin
    const raw = await this.#sender.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce: this.#nonce++,
      to: this.#router,
      data,
      gas: 300_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    await chain.rpc('eth_sendRawTransaction', [raw])
  }
}
