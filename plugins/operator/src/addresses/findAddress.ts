import { destinationText, readAddressToPay } from '@causeway/core'
import { ActionRefusedError, type Chain, findAddresses, type StoredDepositAddress } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'

/** The chain that an option names by slug or id; undefined where it is not given. @throws ActionRefusedError */
export const chainOf = ({ chains }: Pick<OperatorDeps, 'chains'>, option: unknown): Chain | undefined => {
  if (option === undefined) return undefined
  const found = chains.all().find(({ config }) => config.slug === option || String(config.id) === option)
  if (found === undefined) throw new ActionRefusedError(`There is no chain ${String(option)}.`)
  return found
}

/** How chains spell a text as an address, and the text itself. */
const spellings = ({ chains }: Pick<OperatorDeps, 'chains'>, text: string): readonly string[] => {
  const read = chains.all().flatMap(({ adapter }) => {
    const check = readAddressToPay(adapter, text)
    return check.ok ? [destinationText(check.destination)] : []
  })
  return [...new Set([text, ...read])]
}

/** Every address with that text, however it is spelled, oldest first. */
export const addressesNamed = async (
  deps: Pick<OperatorDeps, 'pool' | 'chains'>,
  text: string,
): Promise<readonly StoredDepositAddress[]> => {
  const found = await Promise.all(spellings(deps, text.trim()).map((address) => findAddresses(deps.pool, { address })))
  return [...new Map(found.flat().map((item) => [item.id, item])).values()]
}

/** Those that an address or the id of the request or order that gave it names. @throws ActionRefusedError where there is none */
export const requireAddresses = async (
  deps: Pick<OperatorDeps, 'pool' | 'chains'>,
  text: string,
): Promise<readonly StoredDepositAddress[]> => {
  const given = text.trim()
  if (/^0x[0-9a-f]{64}$/i.test(given)) {
    // CAST: its form was just checked.
    const id = given.toLowerCase() as `0x${string}`
    const found = await Promise.all([
      findAddresses(deps.pool, { requestId: id }),
      findAddresses(deps.pool, { orderId: id }),
    ])
    if (found.flat().length > 0) return found.flat()
  }
  const found = await addressesNamed(deps, given)
  if (found.length > 0) return found
  throw new ActionRefusedError(
    `${given} is no address that a quote gave, and no request or order that gave one. causeway deposit-addresses list shows them.`,
  )
}

/**
 * The one that a command is to work on. Chains of one VM may have given the same text: then `chain` says which, where it gave one itself.
 * @throws ActionRefusedError
 */
export const requireOneAddress = async (
  deps: Pick<OperatorDeps, 'pool' | 'chains'>,
  text: string,
  chain: Chain | undefined,
): Promise<StoredDepositAddress> => {
  const found = await requireAddresses(deps, text)
  const [only, ...others] = found
  const own = found.find(({ chainId }) => chainId === chain?.config.id)
  if (own !== undefined) return own
  if (only !== undefined && others.length === 0) return only
  const names = found.map(({ chainId, requestId }) => `${requestId} on chain ${chainId}`).join(', ')
  throw new ActionRefusedError(`Several addresses are called that: ${names}. Name it by its request id.`)
}
