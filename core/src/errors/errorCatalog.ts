/**
 * Every `errorCode` an HTTP caller may meet, with the one place that decides its status (wire.md C.1, K.1 4).
 * `retryable` tells the caller that the same request may succeed soon, and marks the code in the contract.
 *
 * `passing` says that the refusal is of a moment: chains, markets, funds or the operator's switches can make the very same request
 * acceptable, without any change by its caller. It is not given again to whoever repeats the call with its `Idempotency-Key` (wire.md
 * K.5 3). Whatever is `retryable`, or a 5xx, is.
 */
export const errorCatalog = {
  UNAUTHORIZED_QUOTE: { status: 401, retryable: false, passing: false },
  UNAUTHORIZED: { status: 401, retryable: false, passing: false },
  FORBIDDEN: { status: 403, retryable: false, passing: false },
  INVALID_REQUEST: { status: 400, retryable: false, passing: false },
  INVALID_ADDRESS: { status: 400, retryable: false, passing: false },
  INVALID_RECIPIENT: { status: 400, retryable: false, passing: false },
  INVALID_SLIPPAGE_TOLERANCE: { status: 400, retryable: false, passing: false },
  INVALID_SUBSIDIZATION: { status: 400, retryable: false, passing: false },
  SOLANA_TX_TOO_LARGE: { status: 400, retryable: false, passing: true },
  UNSUPPORTED_CURRENCY: { status: 400, retryable: false, passing: false },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true, passing: true },
  PRICE_FETCH_FAILED: { status: 503, retryable: true, passing: true },
  UNKNOWN_ERROR: { status: 500, retryable: false, passing: true },
  DESTINATION_TX_FAILED: { status: 400, retryable: false, passing: true },
  REQUEST_TIMED_OUT: { status: 503, retryable: true, passing: true },
  RPC_HTTP_ERROR: { status: 503, retryable: true, passing: true },
  AMOUNT_TOO_LOW: { status: 400, retryable: false, passing: true },
  CHAIN_DISABLED: { status: 400, retryable: false, passing: true },
  UNSUPPORTED_CHAIN: { status: 400, retryable: false, passing: false },
  UNSUPPORTED_ROUTE: { status: 400, retryable: false, passing: false },
  UNSUPPORTED_EXECUTION_TYPE: { status: 400, retryable: false, passing: false },
  ROUTE_TEMPORARILY_RESTRICTED: { status: 400, retryable: true, passing: true },
  EXTRA_TXS_NOT_SUPPORTED: { status: 400, retryable: false, passing: false },
  INVALID_EXTRA_TXS: { status: 400, retryable: false, passing: true },
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: { status: 400, retryable: false, passing: false },
  INVALID_INPUT_CURRENCY: { status: 400, retryable: false, passing: false },
  INVALID_OUTPUT_CURRENCY: { status: 400, retryable: false, passing: false },
  INSUFFICIENT_FUNDS: { status: 400, retryable: false, passing: true },
  INSUFFICIENT_LIQUIDITY: { status: 400, retryable: false, passing: true },
  NO_QUOTES: { status: 400, retryable: false, passing: true },
  NO_SWAP_ROUTES_FOUND: { status: 400, retryable: false, passing: true },
  NO_INTERNAL_SWAP_ROUTES_FOUND: { status: 400, retryable: false, passing: true },
  SWAP_IMPACT_TOO_HIGH: { status: 400, retryable: false, passing: true },
  SWAP_QUOTE_FAILED: { status: 400, retryable: false, passing: true },
  PERMIT_FAILED: { status: 400, retryable: false, passing: false },
  ERC20_ROUTER_ADDRESS_NOT_FOUND: { status: 500, retryable: false, passing: true },
  USER_RECIPIENT_MISMATCH: { status: 400, retryable: false, passing: false },
  SANCTIONED_CURRENCY: { status: 400, retryable: false, passing: false },
  SANCTIONED_WALLET_ADDRESS: { status: 400, retryable: false, passing: false },
  BLOCKED_WALLET_ADDRESS: { status: 400, retryable: false, passing: false },
} as const satisfies Record<string, { status: number; retryable: boolean; passing: boolean }>

export type ErrorCode = keyof typeof errorCatalog
