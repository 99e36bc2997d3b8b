import { localLedger, type OpenLedgerOptions } from '@causeway/core/testing'
import type { UnsignedTx } from '../engine/transaction.js'
import { type FeeSettings, XrpLedger } from '../engine/xrpLedger.js'
import { xrpServer } from '../server/xrpServer.js'

/** Fees as a control gets them: drops as text. */
type FeeTexts = { readonly [name in keyof FeeSettings]?: FeeSettings[name] extends bigint ? string : FeeSettings[name] }

/** Starts a local ledger in this process. The id of the chain is that of the network. */
export const open = ({ chainId, ...options }: OpenLedgerOptions) => {
  const engine = new XrpLedger(chainId)
  const controls = {
    /** Applies transactions in the next ledger. Returns their hashes. */
    apply: (transactions: readonly UnsignedTx[]) => {
      const hashes = transactions.map((tx) => engine.apply(tx))
      engine.close()
      return hashes
    },
    setFee: ({ openLedgerFee, medianFee, ...rest }: FeeTexts) => {
      const { settings } = engine
      Object.assign(settings, rest)
      settings.openLedgerFee = BigInt(openLedgerFee ?? settings.openLedgerFee)
      settings.medianFee = BigInt(medianFee ?? settings.medianFee)
    },
  }
  return localLedger({ ...options, chainId, engine, dialect: xrpServer, controls })
}
