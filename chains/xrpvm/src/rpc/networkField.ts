/** Networks up to this id take no network id in transactions (chains.md xrpvm 10). */
const MOST_PLAIN_ID = 1024

/** The network id of a transaction, which the main network and its public test networks leave out. */
export const networkField = (networkId: number): { readonly NetworkID?: number } =>
  networkId > MOST_PLAIN_ID ? { NetworkID: networkId } : {}
