import { PROTOCOL_VM_TYPES } from '../chain/vmType.js'
import { type AddressCodecs, addressCodecOf } from '../order/encoding/vmCodecs.js'
import { bytesToHex } from '../order/hexBytes.js'
import { OrderEncodingError } from '../order/orderEncodingError.js'
import type { VerifiableVm } from './verifiableVm.js'

/** Names and addresses of VMs: the nine that core knows, and those that were given. */
export class VmAddresses {
  /** Of the VMs that brought theirs along, by their name in orders. */
  readonly codecs: AddressCodecs
  readonly #vms: readonly VerifiableVm[]

  constructor(vms: readonly VerifiableVm[]) {
    this.#vms = vms
    this.codecs = Object.fromEntries(
      vms.flatMap(({ protocolVmType, addressCodec }) =>
        addressCodec === undefined ? [] : [[protocolVmType, addressCodec]],
      ),
    )
  }

  /** Name of a VM in orders, of its name on the wire. */
  protocolVmType(vmType: string): string {
    const given = this.#vms.find((vm) => vm.vmType === vmType)
    if (given !== undefined) return given.protocolVmType
    return Object.hasOwn(PROTOCOL_VM_TYPES, vmType) ? (PROTOCOL_VM_TYPES[vmType] ?? vmType) : vmType
  }

  /** Whether both texts are one account or currency of a VM, named as in orders. Texts that are none differ from everything. */
  isSame(protocolVmType: string, left: string, right: string): boolean {
    const bytes = this.#bytes(protocolVmType, left)
    return bytes !== null && bytes === this.#bytes(protocolVmType, right)
  }

  #bytes(protocolVmType: string, text: string): string | null {
    try {
      return bytesToHex(addressCodecOf(protocolVmType, this.codecs).encode(text))
    } catch (error) {
      if (error instanceof OrderEncodingError) return null
      throw error
    }
  }
}
