import { createPublicClient, createWalletClient, defineChain, type Hex, http, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { RecordedChain, SandboxAccount } from '../../state/sandboxState.js'

/**
 * A wallet that is a contract: it takes money until its owner tells it a number other than zero, and no more from then on. Payouts carry
 * calldata too, so that it goes by who calls.
 *
 * ```
 * CALLER PUSH20 owner EQ PUSH1 told JUMPI  PUSH1 0 SLOAD PUSH1 closed JUMPI  STOP
 * told: JUMPDEST PUSH1 0 CALLDATALOAD PUSH1 0 SSTORE STOP   closed: JUMPDEST PUSH1 0 PUSH1 0 REVERT
 * ```
 */
const runtimeOf = (owner: Hex): string => `3373${owner.slice(2)}14602157600054602957005b600035600055005b60006000fd`
/** Copies what follows it and returns that. */
const creationOf = (owner: Hex): Hex => `0x602f600c600039602f6000f3${runtimeOf(owner)}`
const CLOSE: Hex = `0x${'01'.padStart(64, '0')}`

const chainOf = ({ id, name, rpcUrl, currencies: [native] }: RecordedChain) =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: native?.name ?? '', symbol: native?.symbol ?? '', decimals: native?.decimals ?? 0 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

/** Whether accounts of a chain can make contracts of this kind: its addresses are 20 bytes and its keys hex. */
export const hasContracts = ({ depository }: Pick<RecordedChain, 'depository'>): boolean =>
  /^0x[0-9a-f]{40}$/i.test(depository)

/** A wallet of this kind that an account has made. */
export class ClosableWallet {
  readonly address: Hex
  readonly #send: (data: Hex, to: Hex | null) => Promise<unknown>

  private constructor(address: Hex, send: (data: Hex, to: Hex | null) => Promise<unknown>) {
    this.address = address
    this.#send = send
  }

  /** Puts a new one on the chain, open. @throws Error of the node */
  static async create(recorded: RecordedChain, { privateKey }: SandboxAccount): Promise<ClosableWallet> {
    const [chain, transport] = [chainOf(recorded), http(recorded.rpcUrl)]
    const client: PublicClient = createPublicClient({ chain, transport, pollingInterval: 50 })
    // CAST: accounts of these chains have keys in hex.
    const account = privateKeyToAccount(privateKey as Hex)
    const wallet = createWalletClient({ account, chain, transport })
    const send = async (data: Hex, to: Hex | null) => {
      const hash = await wallet.sendTransaction({ data, to })
      const receipt = await client.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`Transaction ${hash} failed`)
      return receipt
    }
    const { contractAddress } = await send(creationOf(account.address), null)
    if (!contractAddress) throw new Error('The node names no contract')
    return new ClosableWallet(contractAddress, send)
  }

  /** From now on it refuses whatever is sent to it. @throws Error of the node */
  async close(): Promise<void> {
    await this.#send(CLOSE, this.address)
  }
}
