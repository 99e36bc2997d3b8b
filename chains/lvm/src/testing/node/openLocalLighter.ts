import { type Controls, localLedger, type NodeServer, type OpenLedgerOptions } from '@causeway/core/testing'
import { type FailedStatus, STATUS } from '../engine/ledgerTx.js'
import { LighterLedger } from '../engine/lighterLedger.js'
import { lighterServer } from '../server/lighterServer.js'

const failedStatus = (status: number): FailedStatus => (status === STATUS.rejected ? STATUS.rejected : STATUS.failed)

const controlsOf = (exchange: LighterLedger): Controls => ({
  openAccount: (address: string, keys?: Readonly<Record<number, string>>) => {
    const account = exchange.openAccount(address, keys)
    exchange.close()
    return account
  },
  listAsset: (symbol: string, decimals: number) => exchange.assets.list(symbol, decimals),
  setTransferFee: (micros: string) => {
    exchange.settings.transferFee = BigInt(micros)
  },
  failNextTransfer: (status: number) => void exchange.settings.failures.push(failedStatus(status)),
  regress: (hash: string, status: number) => {
    exchange.regress(hash, failedStatus(status))
    exchange.close()
  },
})

/** Starts an exchange in this process. */
export const open = ({ chainId, ...options }: OpenLedgerOptions): Promise<NodeServer> => {
  const engine = new LighterLedger(chainId)
  return localLedger({ ...options, chainId, engine, dialect: lighterServer, controls: controlsOf(engine) })
}
