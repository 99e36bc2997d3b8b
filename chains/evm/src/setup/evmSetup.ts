import { systemClock } from '@causeway/core'
import { type ChainSetup, type ContractKeys, SetupError, type SetupPlace } from '@causeway/core/chain'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { getAddress } from 'viem/utils'
import { validateAddress, ZERO_ADDRESS } from '../address/addresses.js'
import { addressOfSigner } from '../lane/laneTransaction.js'
import { CANONICAL_PERMIT2 } from '../options.js'
import { TokenReader } from '../read/tokenFacts.js'
import { evmProtocol } from '../rpc/evmProtocol.js'
import {
  depositAddressFactoryOf,
  depositoryOf,
  FILL_ROUTER,
  permitRouterOf,
  withoutFormerFactory,
} from './contractAddresses.js'
import { EvmContracts } from './evmContracts.js'
import { ownChain, publicChains } from './publicChains.js'

/** How EVM chains are put into a configuration. */
export const evmSetup: ChainSetup = {
  publicChains,
  ownChain,
  sendsForUsers: true,
  // Asked whatever chain they serve: which one it is, is the question.
  checkEndpoints: (place) =>
    withClient(
      place,
      (client) => checkEach(client, place),
      () => true,
    ),
  readToken: (place, address) =>
    withClient(place, async (client) => {
      const checked = validateAddress(address)
      if (!checked.ok) throw new SetupError(`"${address}" is no address. ${checked.why}`)
      if (checked.canonical === ZERO_ADDRESS) throw new SetupError('The zero address is the native currency.')
      const facts = await new TokenReader({ rpc: client, clock: systemClock }).read(checked.canonical)
      if (facts === null) throw new SetupError(`There is no token at ${address}: nothing there tells its decimals.`)
      return { ...facts, address: getAddress(checked.canonical) }
    }),
  optionsFor: (keys, { options }) => {
    const addresses = addressesFor(keys, options)
    const kept = addresses.depository === undefined ? options : withoutFormerFactory(options, addresses.depository)
    return { ...kept, ...addresses }
  },
  openContracts: (request) => new EvmContracts(request),
}

/** Where the contracts are or will be: owner and allocator decide, the chain does not. */
const addressesFor = (keys: ContractKeys, { owner: named, permit2: other }: Readonly<Record<string, unknown>>) => {
  const permit2 = typeof other === 'string' ? other : null
  const owner = typeof named === 'string' ? named : keys.deployer === null ? null : addressOfSigner(keys.deployer)
  if (owner === null || keys.allocator === null) return {}
  const depository = depositoryOf(owner, addressOfSigner(keys.allocator)).address
  return {
    owner: getAddress(owner),
    depository: getAddress(depository),
    depositAddressFactory: getAddress(depositAddressFactoryOf(depository).address),
    fillRouter: getAddress(FILL_ROUTER.address),
    permitRouter: getAddress(permitRouterOf(depository, permit2 ?? CANONICAL_PERMIT2).address),
  }
}

const checkEach = async (client: JsonRpcClient, { id, rpc }: SetupPlace): Promise<void> => {
  for (const [at, endpoint] of client.endpoints.entries()) {
    const [answer] = await endpoint.batch([{ method: 'eth_chainId', params: [] }]).catch(() => [])
    const where = `Endpoint ${at + 1} of ${rpc.length}`
    if (answer?.ok !== true) throw new SetupError(`${where} does not answer as a node of chain ${id}: check its URL.`)
    if (Number(answer.result) !== id)
      throw new SetupError(`${where} serves chain ${Number(answer.result)}, not chain ${id}.`)
  }
}

const withClient = async <T>(
  place: SetupPlace,
  work: (client: JsonRpcClient) => Promise<T>,
  matches?: (chainId: unknown) => boolean,
): Promise<T> => {
  const { identify, ...protocol } = evmProtocol(place.id)
  const client = new JsonRpcClient({
    protocol: { ...protocol, identify: { ...identify, ...(matches === undefined ? {} : { matches }) } },
    endpoints: place.rpc,
    timeoutMs: place.timeoutMs,
    logger: pino({ level: 'silent' }),
  })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}
