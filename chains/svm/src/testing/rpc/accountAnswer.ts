import type { EngineAccount } from './tokenBalances.js'

/** An account as nodes write it: always in base64, whatever was asked for. */
export const encodeAccount = (account: EngineAccount | null) =>
  account === null
    ? null
    : {
        lamports: Number(account.lamports),
        owner: account.owner,
        executable: account.executable,
        rentEpoch: 0,
        space: account.data.length,
        data: [Buffer.from(account.data).toString('base64'), 'base64'],
      }
