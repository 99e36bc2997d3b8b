/** Function selectors of the depository (chains.md, depository contract). */
export const depositorySelectors = {
  depositNative: '0x49290c1c',
  /** `depositErc20(address depositor, address token, uint256 amount, bytes32 id)` */
  depositErc20: '0xe8017952',
  /** `depositErc20(address depositor, address token, bytes32 id)`: the caller's whole allowance. */
  depositErc20Allowance: '0x5a1ee3ac',
  execute: '0x2d9fb478',
} as const
