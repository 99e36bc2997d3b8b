/** The VM of a chain as the wire spells it; an open string, the nine known ones are listed (wire.md 0.2). */
export type VmType = string

export const KNOWN_VM_TYPES = ['bvm', 'evm', 'svm', 'tvm', 'tonvm', 'hypevm', 'lvm', 'xrpvm', 'hederavm'] as const

/** Networks that clients know by their chain id, of VMs that need a package of their own (wire.md 0.5). */
const NETWORKS: Readonly<Record<number, readonly [name: string, vmType: string]>> = {
  8253038: ['Bitcoin', 'bvm'],
  9092725: ['Bitcoin testnet', 'bvm'],
  792703809: ['Solana', 'svm'],
  9286185: ['Eclipse', 'svm'],
  728126428: ['Tron', 'tvm'],
  224235520: ['TON', 'tonvm'],
  1337: ['Hyperliquid', 'hypevm'],
  3586256: ['Lighter', 'lvm'],
  537724: ['XRP Ledger', 'xrpvm'],
  295: ['Hedera', 'hederavm'],
}

/** Why a chain is not served, as a sentence: not configured, or of a VM that no configured chain has. */
export const whyNotServed = (chainId: number, vmTypes: readonly string[]): string => {
  const [name, vmType] = NETWORKS[chainId] ?? []
  if (name === undefined || vmType === undefined || vmTypes.includes(vmType)) {
    return `Chain ${chainId} is not served here; GET /chains lists those that are`
  }
  return `Chain ${chainId} (${name}) is not served here: this deployment has no chain of the VM ${vmType}`
}

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
