import type { ChainConfig, ChainDeps } from '@causeway/core/chain'
import { NATIVE } from '../../address/addresses.js'
import type { MintReader } from '../token/mintReader.js'
import { associatedTokenAddress } from '../token/tokenAccounts.js'

/** Addresses that a deposit of a configured currency mentions: the depository and its token account of each mint. */
export const watchedAddresses = async (
  depository: string,
  {
    config,
    mints,
    logger,
  }: {
    readonly config: Pick<ChainConfig, 'currencies'>
    readonly mints: MintReader
    readonly logger: ChainDeps['logger']
  },
): Promise<readonly string[]> => {
  const tokens = config.currencies.filter(({ address }) => address !== NATIVE)
  const accounts = await Promise.all(
    tokens.map(async ({ address, symbol }) => {
      const mint = await mints.read(address)
      if (mint !== null) return [associatedTokenAddress(depository, mint)]
      logger.error({ symbol, mint: address }, 'A configured token does not exist; deposits of it are not seen')
      return []
    }),
  )
  return [...new Set([depository, ...accounts.flat()])]
}
