import type { Hex } from '@causeway/core'
import { getContractAddress } from 'viem/utils'

/** Address of a contract that `from` creates with CREATE2, lower case. */
export const create2Address = (from: string, salt: Hex, bytecodeHash: Hex): string =>
  getContractAddress({ opcode: 'CREATE2', from: from as Hex, salt, bytecodeHash }).toLowerCase()
