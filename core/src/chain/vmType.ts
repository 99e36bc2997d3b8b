/** The VM of a chain as the wire spells it; an open string, the nine known ones are listed (wire.md 0.2). */
export type VmType = string

export const KNOWN_VM_TYPES = ['bvm', 'evm', 'svm', 'tvm', 'tonvm', 'hypevm', 'lvm', 'xrpvm', 'hederavm'] as const

/** VM name of the order protocol for each wire name (chains.md, Names). */
export const PROTOCOL_VM_TYPES: Readonly<Record<string, string>> = {
  bvm: 'bitcoin-vm',
  evm: 'ethereum-vm',
  svm: 'solana-vm',
  tvm: 'tron-vm',
  tonvm: 'ton-vm',
  hypevm: 'hyperliquid-vm',
  lvm: 'lighter-vm',
  xrpvm: 'xrp-vm',
  hederavm: 'hedera-vm',
}
