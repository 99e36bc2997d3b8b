/** Name and version of the depository's EIP-712 domain; chain id and address of the contract complete it. */
export const depositoryDomain = { name: 'RelayDepository', version: '1' } as const

/** EIP-712 types of the request that the allocator signs; the primary type is `CallRequest`. */
export const depositoryTypes = {
  CallRequest: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'allowFailure', type: 'bool' },
  ],
} as const

/** Type hashes as the contract publishes them (chains.md, depository contract). */
export const depositoryTypeHashes = {
  call: '0xd5395b56326912498477b4b3e987bcd306e0ea8d9f9e41e3563c6176a7bc2f65',
  callRequest: '0x1dcae8e357e31cf00a7777284e6f769bb6d19654688c9665de5fea6f35f5357c',
} as const
