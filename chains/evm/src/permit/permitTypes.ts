import type { PermitKind } from '@causeway/core/chain'

const of = (...members: readonly (readonly [string, string])[]) => members.map(([name, type]) => ({ name, type }))

/** Members of what is signed, by the form; the primary type is the first. */
export const PERMIT_TYPES = {
  eip3009: {
    ReceiveWithAuthorization: of(
      ['from', 'address'],
      ['to', 'address'],
      ['value', 'uint256'],
      ['validAfter', 'uint256'],
      ['validBefore', 'uint256'],
      ['nonce', 'bytes32'],
    ),
  },
  eip2612: {
    Permit: of(
      ['owner', 'address'],
      ['spender', 'address'],
      ['value', 'uint256'],
      ['nonce', 'uint256'],
      ['deadline', 'uint256'],
    ),
  },
  permit2: {
    PermitBatchWitnessTransferFrom: of(
      ['permitted', 'TokenPermissions[]'],
      ['spender', 'address'],
      ['nonce', 'uint256'],
      ['deadline', 'uint256'],
      ['witness', 'DepositWitness'],
    ),
    DepositWitness: of(['depository', 'address'], ['orderId', 'bytes32']),
    TokenPermissions: of(['token', 'address'], ['amount', 'uint256']),
  },
} as const satisfies Record<PermitKind, object>

export const PRIMARY_TYPES = {
  eip3009: 'ReceiveWithAuthorization',
  eip2612: 'Permit',
  permit2: 'PermitBatchWitnessTransferFrom',
} as const satisfies Record<PermitKind, string>
