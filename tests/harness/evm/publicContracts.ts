import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { LocalEvmChain } from '@causeway/chain-evm/testing'
import { type Abi, concat, getCreate2Address, type Hex } from 'viem'

/** Contracts of public chains, as their authors publish them (`published/README.md`). */
interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** Beside the sources, also for what is built. */
const PUBLISHED = join(
  dirname(createRequire(import.meta.url).resolve('@causeway/tests/package.json')),
  'harness/evm/published',
)

const artifact = (name: string): Artifact =>
  // CAST: written by contracts-abi/build/published.mjs.
  JSON.parse(readFileSync(join(PUBLISHED, `${name}.json`), 'utf8')) as Artifact

export const ENTRY_POINT_ABI = artifact('EntryPoint').abi
export const SIMPLE_7702_ACCOUNT_ABI = artifact('Simple7702Account').abi
export const SIMPLE_ACCOUNT_ABI = artifact('SimpleAccount').abi
export const SIMPLE_ACCOUNT_FACTORY_ABI = artifact('SimpleAccountFactory').abi

/** EntryPoint of ERC-4337, version 0.8, on every chain. */
export const ENTRY_POINT = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108'

/** The deterministic deployment proxy, which local nodes have from the start, and what the authors of EntryPoint salt its address with. */
const PROXY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const ENTRY_POINT_SALT = '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9'

/** Deploys EntryPoint 0.8 as it was deployed everywhere, and so to its public address, which is returned. */
export const placeEntryPoint = async (chain: LocalEvmChain): Promise<string> => {
  const { bytecode } = artifact('EntryPoint')
  const address = getCreate2Address({ from: PROXY, salt: ENTRY_POINT_SALT, bytecode }).toLowerCase()
  if (address !== ENTRY_POINT) throw new Error(`The package holds another EntryPoint, that of ${address}.`)
  const payer = chain.accounts.at(-1)
  if (payer === undefined) throw new Error('The chain has no accounts.')
  const [hash] = [await chain.send(payer, { to: PROXY, data: concat([ENTRY_POINT_SALT, bytecode]) })]
  await chain.mine(1)
  const receipt = await chain.rpc<{ readonly status: Hex } | null>('eth_getTransactionReceipt', [hash])
  if (receipt?.status !== '0x1') throw new Error('EntryPoint was not deployed.')
  return address
}

/** The code that accounts with a key delegate to (EIP-7702) for user operations of EntryPoint 0.8. Returns its address. */
export const deploySimple7702Account = (chain: LocalEvmChain): Promise<string> => {
  const { abi, bytecode } = artifact('Simple7702Account')
  return chain.deploy(abi, bytecode)
}

/** The factory of contract wallets of one key each for user operations. Returns its address. */
export const deploySimpleAccountFactory = (chain: LocalEvmChain, entryPoint: string = ENTRY_POINT): Promise<string> => {
  const { abi, bytecode } = artifact('SimpleAccountFactory')
  return chain.deploy(abi, bytecode, [entryPoint])
}
