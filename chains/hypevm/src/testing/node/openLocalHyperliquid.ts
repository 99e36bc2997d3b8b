import { type Controls, localLedger, type OpenLedgerOptions, type ServedLedger } from '@causeway/core/testing'
import { Exchange } from '../engine/exchange.js'
import { type Account, changeAccount, holdBalance, putAgent, spotOf } from '../engine/state.js'
import { networkOf, type SpotToken } from '../engine/tokens.js'
import { exchangeServer } from '../server/exchangeServer.js'
import { Archive } from '../server/explorer.js'

/** A role of an account, or an API wallet. */
export type Role = Account['role'] | 'agent'

/** Controls of the exchange; addresses in any case. */
const controlsOf = (engine: Exchange, archive: Archive): Controls => ({
  timeOf: (height: number) => engine.blocks.block(height)?.timeMs,
  createToken: (token: Pick<SpotToken, 'name' | 'szDecimals' | 'weiDecimals'>) => engine.tokens.create(token).tokenId,
  open: (address: string) => engine.apply((view) => changeAccount(view, address.toLowerCase())),
  setRole: (address: string, role: Role, of: string | null) =>
    engine.apply((view) => {
      const master = of?.toLowerCase() ?? null
      if (role === 'agent') putAgent(view, address.toLowerCase(), master ?? '')
      else changeAccount(view, address.toLowerCase(), { role, master })
    }),
  sanction: (address: string) =>
    engine.apply((view) => changeAccount(view, address.toLowerCase(), { isSanctioned: true })),
  unify: (address: string) => engine.apply((view) => changeAccount(view, address.toLowerCase(), { isUnified: true })),
  holdBalance: (address: string, tokenId: string, units: string) =>
    engine.apply((view) => holdBalance(view, address.toLowerCase(), spotOf(tokenId), BigInt(units))),
  setArchiveLimit: (most: number) => {
    archive.most = most
  },
})

/** Starts an exchange in this process. */
export const open = ({ chainId, ...options }: OpenLedgerOptions): Promise<ServedLedger<Exchange>> => {
  const [engine, archive] = [new Exchange(networkOf(chainId)), new Archive()]
  const controls = controlsOf(engine, archive)
  return localLedger({ ...options, chainId, engine, dialect: exchangeServer(archive), controls })
}
