/**
 * First topics of the events a watcher looks for (chains.md evm 3 to 5). None of the depository's and the routers' event
 * parameters is indexed, so logs are filtered by address and this topic alone.
 */
export const eventTopics = {
  /** `RelayNativeDeposit(address from, uint256 amount, bytes32 id)` */
  relayNativeDeposit: '0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477',
  /** `RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)`; `amount` may exceed what arrived. */
  relayErc20Deposit: '0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1',
  /** `RelayCallExecuted(bytes32 id, Call call)` */
  relayCallExecuted: '0x4be109453ef7e895dc7215c929fff9b76b51483d56a4d04548b4866e9aa7c5ea',
  /** `SolverNativeTransfer(address to, uint256 amount)` */
  solverNativeTransfer: '0xd35467972d1fda5b63c735f59d3974fa51785a41a92aa3ed1b70832836f8dba6',
  /** `SolverCallExecuted(address to, bytes data, uint256 amount)` */
  solverCallExecuted: '0x93485dcd31a905e3ffd7b012abe3438fa8fa77f98ddc9f50e879d3fa7ccdc324',
  /** `SwapExecuted(bytes32 id, address from, address recipient, address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut)` */
  swapExecuted: '0xd1484025bb2d620b386b71fd00e9cece96203aed52e7355151a27e5ca7555160',
  /** ERC-20 `Transfer(address indexed from, address indexed to, uint256 value)` */
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
} as const
