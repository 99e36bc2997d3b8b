/** Networks up to this id take no network id in transactions (chains.md xrpvm 10). */
const MOST_PLAIN_ID = 1024

/** What a transaction says of its network: nothing on the main network and its public test networks. */
export const networkField = (networkId: number): { readonly NetworkID?: number } =>
  networkId > MOST_PLAIN_ID ? { NetworkID: networkId } : {}
